"""Training without an optimizer object: the update is written out, so the module's calls count."""

import sys

import torch
from torch import nn

torch.manual_seed(0)


class Regression(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 1)

    def forward(self, x):
        return self.linear(x).squeeze(1)  #: forward


model = Regression()
for _ in range(int(sys.argv[1])):
    inputs = torch.randn(4, 8)
    loss = model(inputs).square().mean()
    model.zero_grad()
    loss.backward()  #: backward
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= 0.01 * parameter.grad  #: update
