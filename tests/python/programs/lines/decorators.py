"""A decorator's own work is on its line; the wrapper's and the body's on theirs."""

import functools

import torch

a = torch.ones(4)  #= count 1


def scaled_by(factor):
    def decorate(function):
        weight = factor * 2  #= count 1; ops aten::mul 1; as weight

        @functools.wraps(function)
        def wrapper(x):
            return function(x) * weight  #= count 2; ops aten::mul 2; total body

        return wrapper

    return decorate


@scaled_by(a + 1)  #= count 1; ops aten::add 1; total weight
def shift(x):
    return x - 1  #= count 2; ops aten::sub 2; as body


shift(a)  #= count 1
shift(a)  #= count 1


@functools.lru_cache(maxsize=None)
def cached(n):
    return a * n  #= count 2; ops aten::mul 2


for n in (1, 2, 1, 2):
    cached(n)  #= count 4


def register(cls):
    cls.scale = a.exp()  #= count 1; ops aten::exp 1
    return cls


@register  #= count 1
class Registered:
    pass


class Counter:
    def __init__(self, function):
        self.function = function
        self.calls = a.neg()  #= count 1; ops aten::neg 1

    def __call__(self, x):
        self.calls += 1  #= count 2; ops aten::add_ 2
        return self.function(x)  #= count 2


@Counter  #= count 1
def counted(x):
    return x.tanh()  #= count 2; ops aten::tanh 2


counted(a)  #= count 1
counted(a)  #= count 1
