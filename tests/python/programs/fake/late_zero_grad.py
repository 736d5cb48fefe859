"""Steps that let go of the gradients of the step before only when their forward pass is done."""

import torch
from torch import nn

BATCH = 32

model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 32)).to("neuron")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, foreach=False)
inputs = torch.randn(BATCH, 64, device="neuron")
target = torch.randn(BATCH, 32, device="neuron")
for _ in range(3):
    loss = nn.functional.mse_loss(model(inputs), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
