"""Two models trained at the same time, each by a thread and an optimizer of its own."""

import sys
import threading

import torch
from torch import nn

torch.manual_seed(0)


def train(steps):
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(steps):
        loss = model(torch.randn(4, 8)).square().mean()  #: loss
        optimizer.zero_grad()
        loss.backward()  #: backward
        optimizer.step()  #: step


threads = [threading.Thread(target=train, args=(int(steps),)) for steps in sys.argv[1:]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
