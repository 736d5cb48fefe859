"""Nested functions and closures."""

import torch

a = torch.ones(4)  #= count 1


def make_accumulator(start):
    total = start * 1  #= count 2; ops aten::mul 2

    def accumulate(x):
        nonlocal total

        def clipped():
            return x.clamp(0, 1)  #= count 5; ops aten::clamp 5

        total = total + clipped()  #= count 5; ops aten::add 5
        return total

    return accumulate


first = make_accumulator(a)  #= count 1
second = make_accumulator(a)  #= count 1
for _ in range(3):
    first(a)  #= count 3
for _ in range(2):
    second(a)  #= count 2


def outer():
    def never_called():
        return a.exp()  #= no device time

    def called():
        return a.exp()  #= count 1; ops aten::exp 1; as called

    return called()  #= count 1; total called


outer()  #= count 1; total called
