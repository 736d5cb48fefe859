"""One call of one model."""

import torch
from torch import nn

torch.manual_seed(0)


class Once(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8, 8))  #: build

    def forward(self, x):
        return (x @ self.weight).relu()  #: forward


model = Once()
outputs = model(torch.ones(4, 8))
print(outputs.sum().shape)  #: after
