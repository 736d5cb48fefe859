"""The same lines many times over, two losses, and gradients through a kept graph."""

import torch

hidden_weight = torch.randn(4, 4, requires_grad=True)
input_weight = torch.randn(4, 4, requires_grad=True)


def cell(x, h):
    recurrent = h @ hidden_weight; fed = x @ input_weight
    return torch.tanh(recurrent + fed)


h = torch.zeros(2, 4)
outputs = []
for step in range(5):
    h = cell(torch.randn(2, 4), h)
    outputs.append(h)

first = torch.stack(outputs).sum()
second = h.square().mean()
first.backward(retain_graph=True)
second.backward()


def energy(x):
    if x.ndim > 2:
        return energy(x[0]) + energy(x[1])
    return (x @ hidden_weight).sum()


energy(torch.randn(2, 2, 2, 4)).backward()
