"""Reads values. A comment tells how often a line reads one that is not known."""

import math

import torch

x = torch.randn(4, 3)

for _ in range(3):
    assert math.isnan(x.sum().item())  # reads 3
assert math.isnan(float(x.mean()))  # reads 1
assert f"{x.sum().item():.3f} {x.max():.2f}" == "nan nan"  # reads 2
assert (x > 0).any().item() is False  # reads 1
assert int(x.sum()) == 0  # reads 1
assert (x.long().sum()).item() == 0  # reads 1
assert all(math.isnan(value) for value in x.numpy().ravel())  # reads 1
assert x.numpy().shape == (4, 3)  # reads 1
assert x.half().numpy().dtype == "float16"  # reads 1
assert len(x.tolist()) == 4  # reads 1
assert math.isnan(x.tolist()[3][2])  # reads 1
x[x > 0] = 1.0
print(x, x.shape)

# What the program itself says is known.
three = torch.tensor(3)
three += 1
assert three.item() == 4
assert torch.tensor([3, 1, 2]).tolist() == [3, 1, 2]
assert torch.tensor([5, 7])[1].item() == 7
assert [int(index) for index in torch.arange(4)] == [0, 1, 2, 3]
assert sorted(torch.randperm(9).tolist()) == list(range(9))
picked = torch.randint(5, (2,))
rows = [[1.0] * 3] * 10
assert torch.stack([torch.tensor(rows[i : i + 2]) for i in picked]).shape == (2, 2, 3)
mask = torch.ones(2, 5, dtype=torch.long)
mask[0, 3:] = 0
assert not (mask == 1).all()
assert mask.sum(1).tolist() == [3, 5]
assert torch.zeros(2, 5)[mask.bool()].shape == (8,)
