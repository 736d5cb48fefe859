"""The host waits for the device as a whole in each round."""

import torch

device = torch.device("neuron")
weight = torch.ones(2048, 2048, device=device)
product = torch.empty_like(weight)
for _ in range(3):
    for _ in range(6):
        torch.mm(weight, weight, out=product)
    torch.neuron.synchronize()  # idle: synchronize
