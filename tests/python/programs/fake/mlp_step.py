"""Steps of a perceptron with AdamW, whose memory is worked out in the test."""

import sys

import torch
from torch import nn

batch = int(sys.argv[1])
device = sys.argv[2]
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 32)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
inputs = torch.randn(batch, 64, device=device)
target = torch.randn(batch, 32, device=device)
on_host = torch.zeros(1_000_000)
for _ in range(3):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(inputs), target).backward()
    optimizer.step()
