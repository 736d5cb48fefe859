"""Several statements on a line count as the first of them."""

import torch

a = torch.ones(4)  #= count 1

x = a * 2; y = a + 2  #= count 1; ops aten::mul 1, aten::add 1

for i in range(3):
    x = a * i; y = x - 1; y.neg()  #= count 3; ops aten::mul 3, aten::sub 3, aten::neg 3

for i in range(4):
    if i % 2: a.exp()  #= count 4; ops aten::exp 2


def inline(n): return a * n  #= count 1; ops aten::mul 2


inline(1); inline(2)  #= count 1


class Inline: weight = a.sqrt()  #= count 1; ops aten::sqrt 1


with torch.no_grad(): a.tanh()  #= count 1; ops aten::tanh 1

try: a.sin()  #= count 1; ops aten::sin 1
finally: a.sin()  #= count 1; ops aten::sin 1
