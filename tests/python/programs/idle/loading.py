"""Each batch takes long to make."""

import time

import torch
from torch.utils.data import DataLoader, Dataset


class Slow(Dataset):
    def __len__(self):
        return 16

    def __getitem__(self, index):
        time.sleep(0.01)
        return torch.full((64,), float(index))


device = torch.device("neuron")
weight = torch.ones(64, 64, device=device)
for batch in DataLoader(Slow(), batch_size=4):  # idle: data_loader
    weight = weight + batch.to(device).sum()
