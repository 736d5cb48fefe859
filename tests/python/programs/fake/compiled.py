"""What torch.compile makes of functions and modules, and how often each is called."""

import torch
from torch import nn


@torch.compile
def cosine(x):
    return x.cos()


@torch.compile(backend="neuron", fullgraph=True)
def doubled(x):
    return cosine(x * 2)  # part of the region that calls it


@torch.compile
class Block(nn.Module):
    def forward(self, x):
        return x.sin()


x = torch.randn(4, 8, requires_grad=True)
assert doubled(doubled(x)).shape == (4, 8)  # 2 regions

model = torch.compile(nn.Linear(8, 8), mode="max-autotune")
assert list(model.state_dict()) == ["_orig_mod.weight", "_orig_mod.bias"]
model(x).sum().backward()  # 1 region
assert x.grad.shape == (4, 8)

layer = nn.Linear(8, 8)
layer.compile(backend="neuron")
layer(x)  # 1 region

Block()(x)  # 1 region
compiled = torch.compile(torch.nn.functional.gelu, dynamic=False)
compiled(x)  # 1 region
torch.compile(layer.forward, disable=True)(x)
x.tanh()
