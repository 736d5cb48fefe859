"""Unwinding closes the lines it leaves, and each handler's line is entered like any other."""

import torch

a = torch.ones(4)  #= count 1


def fails(x):
    x * 2  #= count 4; ops aten::mul 4
    raise ValueError("no")


def passes_on(x):
    return fails(x) + 1  #= count 4; ops aten::add 0


for _ in range(3):
    try:
        passes_on(a)  #= count 3
        a.exp()  #= no device time
    except ValueError:
        a.neg()  #= count 3; ops aten::neg 3
    else:
        a.exp()  #= no device time
    finally:
        a - 1  #= count 3; ops aten::sub 3

a.sqrt()  #= count 1; ops aten::sqrt 1

try:
    a.tanh()  #= count 1; ops aten::tanh 1
except ValueError:
    a.exp()  #= no device time
else:
    a.exp()  #= count 1; ops aten::exp 1


def cleans_up(early):
    try:
        if early:
            return a * 3  #= count 1; ops aten::mul 1
        a * 4  #= count 1; ops aten::mul 1
    finally:
        a.sin()  #= count 2; ops aten::sin 2
    return a * 5  #= count 1; ops aten::mul 1


cleans_up(True)  #= count 1
cleans_up(False)  #= count 1


def raises_again():
    try:
        passes_on(a)  #= count 1
    except ValueError as error:
        a.exp()  #= count 1; ops aten::exp 1
        raise RuntimeError(a.neg()) from error  #= count 1; ops aten::neg 1


try:
    raises_again()  #= count 1
except RuntimeError:
    a + 2  #= count 1; ops aten::add 1


def torch_raises(x):
    return x.exp() @ torch.empty(0)  #= count 1; ops aten::exp 1


try:
    torch_raises(a)  #= count 1
except RuntimeError:
    a.neg()  #= count 1; ops aten::neg 1

for i in range(3):
    try:
        if i == 1:
            continue
        a.tanh()  #= count 2; ops aten::tanh 2
    finally:
        a.sin()  #= count 3; ops aten::sin 3
