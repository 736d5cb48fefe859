"""Tensors only: power iteration, no module and no optimizer."""

import sys

import torch

torch.manual_seed(0)
matrix = torch.randn(16, 16)  #: matrix
vector = torch.ones(16)  #: vector
for _ in range(int(sys.argv[1])):
    vector = matrix @ vector  #: multiply
    vector = vector / vector.norm()  #: normalise
print(vector.shape)
