"""L-BFGS: every step evaluates its closure several times."""

import sys

import torch

torch.manual_seed(0)
parameters = torch.full((8,), 3.0, requires_grad=True)
optimizer = torch.optim.LBFGS([parameters], lr=1e-3, max_iter=3, tolerance_change=0)


def closure():
    optimizer.zero_grad()
    loss = (parameters**4 - parameters).sum()  #: loss
    loss.backward()  #: backward
    return loss


for _ in range(int(sys.argv[1])):
    optimizer.step(closure)  #: step
