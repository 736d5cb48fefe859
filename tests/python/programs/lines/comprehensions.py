"""A comprehension counts once per entry; what runs inside it belongs to its statement."""

import torch

a = torch.ones(4)  #= count 1

in_list = [a * i for i in range(3)]  #= count 1; ops aten::mul 3
in_dict = {i: a + i for i in range(3)}  #= count 1; ops aten::add 3
in_set = {(a - i).numel() for i in range(3)}  #= count 1; ops aten::sub 3
in_generator = list(a.neg() for _ in range(3))  #= count 1; ops aten::neg 3
nested = [[a * (i + j) for j in range(2)] for i in range(3)]  #= count 1; ops aten::mul 6
filtered = [i for i in range(3) if (a * i).sum() > 0]  #= count 1; ops aten::mul 3, aten::sum 3

over_lines = [  #= count 1; ops aten::add 6, aten::exp 2
    a.exp()
    + i
    + j
    for i in range(2)
    for j in range(2)
    if i == j or (a + i).numel() == 0
]


def square(x):
    return x * x  #= count 6; ops aten::mul 6; as square


def squares(n):
    return [square(a) for _ in range(n)]  #= count 2; total square; as squares


squares(2)  #= count 1
squares(4)  #= count 1

lazy = (a.exp() for _ in range(3))  #= count 1; ops aten::exp 3
consumed = [x.neg() for x in lazy]  #= count 1; ops aten::neg 3

unfinished = (a.tanh() for _ in range(5))  #= count 1; ops aten::tanh 2
next(unfinished)  #= count 1
next(unfinished)  #= count 1

for x in (a * i for i in range(3)):  #= count 1; ops aten::mul 3
    x.tanh()  #= count 3; ops aten::tanh 3
