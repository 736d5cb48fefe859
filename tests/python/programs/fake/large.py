"""Builds and trains for a step a model of 40 GB; prints the memory that took, in bytes."""

import resource

import torch
from torch import nn

WIDTH = 8192
model = nn.Sequential(*(nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(150)))
weights_bytes = sum(weight.numel() * weight.element_size() for weight in model.parameters())
assert weights_bytes == 150 * WIDTH * WIDTH * 4
optimizer = torch.optim.AdamW(model.parameters())
model(torch.randn(256, WIDTH)).sum().backward()
optimizer.step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
