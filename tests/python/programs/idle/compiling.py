"""A function is compiled when it is first called."""

import torch

device = torch.device("neuron")


@torch.compile(backend="neuron")
def doubled(weight):
    return (weight * 2).sin() + 1


weight = torch.ones(64, 64, device=device)
weight = weight + 1
weight = doubled(weight)  # idle: compilation
weight = doubled(weight)
