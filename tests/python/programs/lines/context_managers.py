"""The work of entering and leaving is on the manager's lines; the with line counts once."""

import contextlib

import torch

a = torch.ones(4)  #= count 1


class Scope:
    def __init__(self, scale):
        self.scale = scale

    def __enter__(self):
        return self.scale.exp()  #= count 4; ops aten::exp 4; as enter

    def __exit__(self, kind, value, traceback):
        self.scale.neg()  #= count 4; ops aten::neg 4; as exit
        return kind is ValueError


for _ in range(2):
    with Scope(a * 2) as scale:  #= count 2; ops aten::mul 2
        scale + 1  #= count 2; ops aten::add 2

with Scope(a) as scale:  #= count 1
    scale + 1  #= count 1; ops aten::add 1
    raise ValueError("suppressed")


def returns_from_inside():
    with Scope(a):  #= count 1
        return a - 1  #= count 1; ops aten::sub 1


returns_from_inside()  #= count 1


@contextlib.contextmanager
def managed(x):
    y = x.tanh()  #= count 3; ops aten::tanh 3
    try:
        yield y * 3  #= count 3; ops aten::mul 3
    finally:
        x.sqrt()  #= count 3; ops aten::sqrt 3


with managed(a) as y:  #= count 1
    y + 1  #= count 1; ops aten::add 1

with managed(a) as outer, managed(a) as inner:  #= count 1
    outer + inner  #= count 1; ops aten::add 1


class Plain:
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None


with Plain():  #= no device time
    for i in range(3):
        a * i  #= count 3; ops aten::mul 3

with contextlib.ExitStack() as stack:  #= count 1
    stack.callback(lambda: a.sin())  #= count 1; ops aten::sin 1
