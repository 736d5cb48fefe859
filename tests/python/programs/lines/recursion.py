"""A total counts an event once, however often the line is in its chain."""

import torch

a = torch.ones(4)  #= count 1


def power(x, n):
    if n == 0:
        return x + 0  #= count 1; ops aten::add 1; as base
    return x * power(x, n - 1)  #= count 3; ops aten::mul 3; total base; as step


power(a, 3)  #= count 1; total base, step


def even(n):
    y = a.neg()  #= count 3; ops aten::neg 3; as even
    return y if n == 0 else odd(n - 1)  #= count 3


def odd(n):
    y = a.exp()  #= count 2; ops aten::exp 2; as odd
    return even(n - 1)  #= count 2


even(4)  #= count 1; total even, odd


def tree(depth):
    if depth == 0:
        return a.tanh()  #= count 4; ops aten::tanh 4; as leaf
    return tree(depth - 1) - tree(depth - 1)  #= count 3; ops aten::sub 3; total leaf; as fork


tree(2)  #= count 1; total leaf, fork
