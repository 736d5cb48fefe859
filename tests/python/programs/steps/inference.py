"""An evaluation loop: a model, a criterion that is a module too, and no optimizer."""

import sys

import torch
from torch import nn

torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        features = self.layers(x)  #: layers
        return self.head(features)  #: head


model = Classifier().eval()
criterion = nn.CrossEntropyLoss()
total = 0.0
with torch.inference_mode():
    for _ in range(int(sys.argv[1])):
        outputs = model(torch.randn(4, 8))
        loss = criterion(outputs, torch.tensor([0, 1, 0, 1]))  #: loss
        correct = (outputs.argmax(1) == 0).sum()  #: accuracy
        total += loss.item()  #: item
