"""Gradient accumulation over four micro-batches, with clipping and a closing partial batch."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
ACCUMULATE = 4
updates = int(sys.argv[1])
samples = 2 * (ACCUMULATE * updates + 1)  # the last micro-batch is never stepped on
loader = DataLoader(TensorDataset(torch.randn(samples, 8), torch.randn(samples, 1)), batch_size=2)

model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.AdamW(model.parameters())

for index, (inputs, targets) in enumerate(loader):
    outputs = model(inputs)  #: forward
    loss = criterion(outputs, targets) / ACCUMULATE  #: loss
    loss.backward()  #: backward
    if (index + 1) % ACCUMULATE == 0:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)  #: clip
        optimizer.step()  #: step
        optimizer.zero_grad()
