"""Batches from DataLoaders, put together here and in worker processes."""

import numpy
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset, WeightedRandomSampler, random_split


class Numbers(Dataset):
    """Samples that are made when they are asked for."""

    def __len__(self):
        return 10

    def __getitem__(self, index):
        return torch.full((3,), float(index)), numpy.ones(2), index, {"name": str(index)}


def batches(dataset, **options):
    return list(DataLoader(dataset, batch_size=4, **options))


if __name__ == "__main__":
    model = torch.nn.Linear(3, 2)
    made_before = TensorDataset(torch.randn(10, 3), torch.randint(9, (10,)))
    for workers in (0, 2):
        for options in ({}, {"shuffle": True}, {"pin_memory": True}):
            for samples, labels in batches(made_before, num_workers=workers, **options):
                assert model(samples).shape == (len(labels), 2)
            names = []
            for samples, ones, numbers, about in batches(Numbers(), num_workers=workers, **options):
                assert model(samples).shape == (len(numbers), 2)
                assert ones.dtype == torch.float64
                names += about["name"]
            assert sorted(names) == [str(index) for index in range(10)], "each row is picked once"
    many = random_split(range(5000), [4000, 1000])
    assert len({int(row) for row in many[0]}) == 4000
    sampler = WeightedRandomSampler([0.5] * 10, 6)
    assert len(batches(made_before, sampler=sampler)) == 2
