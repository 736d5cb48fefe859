"""Compiled functions in a program that calls no module, a graph of one holding smaller graphs."""

import torch

CALLS = 5


def larger(x):
    return x + 1


def smaller(x):
    return x - 1


@torch.compile
def curved(x):
    return torch.sin(x)


@torch.compile
def chosen(x):
    return torch.cond(x.sum() > 0, larger, smaller, (x,))


x = torch.ones(4, 8, device="neuron")
for _ in range(CALLS):
    x = curved(x)
for _ in range(CALLS):
    x = chosen(x)
