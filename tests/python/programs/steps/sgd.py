"""A plain training loop, with an evaluation after it."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

for _ in range(int(sys.argv[1])):
    inputs, targets = torch.randn(4, 8), torch.randint(2, (4,))  #: data
    optimizer.zero_grad()
    outputs = model(inputs)  #: forward
    loss = nn.functional.cross_entropy(outputs, targets)  #: loss
    loss.backward()  #: backward
    optimizer.step()  #: step

with torch.no_grad():
    print(model(torch.randn(2, 8)).argmax(1).shape)  #: after
