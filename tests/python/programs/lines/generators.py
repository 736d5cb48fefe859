"""Resuming is not an entry, and work after a resume still belongs to the line resumed."""

import torch

a = torch.ones(4)  #= count 1


def resumed_mid_line():
    total = yield
    while True:
        total = (yield total * 2) + 1  #= count 3; ops aten::mul 3, aten::add 2


running = resumed_mid_line()
next(running)  #= no device time
running.send(a)  #= count 1
running.send(a)  #= count 1
running.send(a)  #= count 1
running.close()  #= no device time


def scaled(factor):
    for i in range(3):  #= no device time
        yield a * factor  #= count 6; ops aten::mul 6


for x, y in zip(scaled(1), scaled(2)):  #= count 1
    x - y  #= count 3; ops aten::sub 3


def inner():
    yield a.neg()  #= count 2; ops aten::neg 2
    yield a.neg()  #= count 2; ops aten::neg 2
    return a.exp()  #= count 2; ops aten::exp 2


def delegating():
    result = (yield from inner()) * 1  #= count 2; ops aten::mul 2
    yield result + 1  #= count 2; ops aten::add 2


for _ in delegating():  #= count 1
    pass
collected = list(delegating())  #= count 1


def closed_early():
    try:
        while True:
            yield a.tanh()  #= count 2; ops aten::tanh 2
    finally:
        a.exp()  #= count 1; ops aten::exp 1


closing = closed_early()
next(closing)  #= count 1
next(closing)  #= count 1
closing.close()  #= count 1


def thrown_into():
    try:
        yield a.tanh()  #= count 1; ops aten::tanh 1
    except ValueError:
        yield a.neg()  #= count 1; ops aten::neg 1


thrown = thrown_into()
next(thrown)  #= count 1
thrown.throw(ValueError)  #= count 1


def two_on_one_line():
    yield a - 1; yield a - 2  #= count 1; ops aten::sub 2


for _ in two_on_one_line():  #= count 1
    a.sqrt()  #= count 2; ops aten::sqrt 2


def swap():
    first, second = scaled_once(), scaled_once()
    return next(first) + next(second)  #= count 1; ops aten::add 1; total once


def scaled_once():
    yield a * 5  #= count 2; ops aten::mul 2; as once


swap()  #= count 1
