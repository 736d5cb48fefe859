"""Lookahead: an optimizer around another, so that each outer step holds an inner one."""

import sys

import torch
from torch import nn

torch.manual_seed(0)


class Lookahead(torch.optim.Optimizer):
    def __init__(self, inner, every, alpha):
        self.inner, self.every, self.alpha, self.calls = inner, every, alpha, 0
        super().__init__([p for group in inner.param_groups for p in group["params"]], {})
        self.slow = [p.detach().clone() for group in self.param_groups for p in group["params"]]

    def zero_grad(self, set_to_none=True):
        self.inner.zero_grad(set_to_none)

    @torch.no_grad()
    def step(self, closure=None):
        self.inner.step(closure)  #: inner_step
        self.calls += 1
        if self.calls % self.every == 0:
            fast = [p for group in self.param_groups for p in group["params"]]
            for slow, parameter in zip(self.slow, fast):
                slow.lerp_(parameter, self.alpha)  #: lerp
                parameter.copy_(slow)


model = nn.Linear(8, 1)
optimizer = Lookahead(torch.optim.SGD(model.parameters(), lr=0.01), every=2, alpha=0.5)
for _ in range(int(sys.argv[1])):
    loss = model(torch.randn(4, 8)).square().mean()  #: loss
    optimizer.zero_grad()
    loss.backward()  #: backward
    optimizer.step()  #: step
