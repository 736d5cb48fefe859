"""Mixed precision with a GradScaler that skips the third step: its gradients are infinite."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=8.0)

for iteration in range(int(sys.argv[1])):
    inputs = torch.randn(4, 8)  #: data
    if iteration == 2:
        inputs[0, 0] = float("inf")  #: overflow
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = model(inputs).sum()  #: loss
    optimizer.zero_grad()
    scaler.scale(loss).backward()  #: backward
    scaler.step(optimizer)  #: step
    scaler.update()  #: update

print("scale", scaler.get_scale())
