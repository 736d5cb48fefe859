"""Library code that calls user functions back: the caller's line stays in their chain."""

import functools
import operator

import torch
from torch.utils import _pytree as pytree

a = torch.ones(4)  #= count 1


def add(x, y):
    return x + y  #= count 3; ops aten::add 3; as add


functools.reduce(add, [a, a, a, a])  #= count 1; total add


def size_of(x):
    return (x * 1).sum().item()  #= count 3; ops aten::mul 3, aten::sum 3; as key


sorted([a, a, a], key=size_of)  #= count 1; total key


def negate(x):
    return x.neg()  #= count 4; ops aten::neg 4; as negate


lazy = map(negate, [a, a])  #= no device time
list(lazy)  #= count 1
list(filter(negate, [a[:1], a[:1]]))  #= count 1


def shift(x, by, scale=1):
    return x - by  #= count 3; ops aten::sub 3; as shift


by_one = functools.partial(shift, by=1)
by_one(a)  #= count 1
functools.partial(by_one, scale=2)(a)  #= count 1
pytree.tree_map(functools.partial(shift, by=1), [a])  #= count 1


class Model:
    def scale(self, factor):
        return a.exp()  #= count 2; ops aten::exp 2; as scale

    twice = functools.partialmethod(scale, 2)


Model().twice()  #= count 1
operator.methodcaller("scale", 3)(Model())  #= count 1

torch_partial = functools.partial(torch.tanh, a)
torch_partial()  #= count 1; ops aten::tanh 1
[*map(torch.tanh, [a, a])]  #= count 1; ops aten::tanh 2
