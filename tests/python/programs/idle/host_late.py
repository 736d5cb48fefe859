"""Between its kernels the host works by itself, and waits for nothing."""

import time

import torch

device = torch.device("neuron")
weight = torch.ones(64, 64, device=device)
for _ in range(4):
    weight = weight + 1
    time.sleep(0.03)  # idle: host_late
    weight = weight * 2
