"""Batches from workers that are processes of their own from the start."""

import torch
from torch.utils.data import DataLoader, TensorDataset


class Checked(TensorDataset):
    """Looks at its samples in the worker."""

    def __getitem__(self, index):
        sample, label = super().__getitem__(index)
        assert type(sample) is torch.Tensor
        assert sample.tolist() == [0.0] * 16
        return sample, label + 1


if __name__ == "__main__":
    scale = torch.nn.Parameter(torch.ones(2))
    data = Checked(torch.randn(8, 16), torch.arange(8))
    data.scale = scale
    for context in ("spawn", "forkserver"):
        batches = list(DataLoader(data, 4, num_workers=1, multiprocessing_context=context))
        assert [samples.shape for samples, _ in batches] == [(4, 16)] * 2
