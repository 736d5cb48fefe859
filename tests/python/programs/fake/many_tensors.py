"""Operators on more tensors at once than torch's profiler writes the sizes of."""

import sys

import torch

layers = int(sys.argv[1])
halves = [torch.ones(8, 16, device="neuron", dtype=torch.bfloat16) for _ in range(layers)]
wholes = [torch.ones(100, device="neuron") for _ in range(layers)]

torch.stack(halves)  # stacked
torch.cat([*halves, torch.ones(8, 16, device="neuron")])  # mixed
torch._foreach_mul_(wholes, 0.5)  # scaled
torch._foreach_add_(wholes, wholes, alpha=2)  # added
norms = torch._foreach_norm(wholes)  # normed
torch.stack(norms)  # norms

for whole in wholes:
    whole.grad = torch.ones_like(whole)
torch.optim.AdamW(wholes, lr=0.1, fused=True).step()  # fused
