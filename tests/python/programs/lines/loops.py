"""A loop header counts once per loop; a body statement once per pass."""

import torch

a = torch.ones(4)  #= count 1

for x in (a * 2).unbind():  #= count 1; ops aten::mul 1
    x + 1  #= count 4; ops aten::add 4

n = 0
while (a * n).sum() < 12:  #= count 1; ops aten::mul 4, aten::sum 4
    n += 1  #= no device time

for i in range(3): a - i  #= count 1; ops aten::sub 3

k = 3
while k: k -= 1; a.neg()  #= count 1; ops aten::neg 3


def drain(values):
    while True:
        values.pop() * 2  #= count 4; ops aten::mul 3


try:
    drain([a, a, a])  #= count 1
except IndexError:
    pass

for i in range(2):
    for j in (a.exp(), a.exp(), a.exp()):  #= count 2; ops aten::exp 6
        j.tanh()  #= count 6; ops aten::tanh 6

for i in range(5):
    if i == 1:
        continue
    if i == 3:
        break
    a.sin()  #= count 2; ops aten::sin 2
else:
    a.sqrt()  #= no device time

for i in range(2):
    pass
else:
    a.sqrt()  #= count 1; ops aten::sqrt 1

while True:
    a.sin()  #= count 1; ops aten::sin 1
    break


def single_statement_body():
    for _ in range(3):
        a.sqrt()  #= count 6; ops aten::sqrt 6


for _ in range(2):
    single_statement_body()  #= count 2

while (n := n - 1) > 0 and (  #= count 1; ops aten::neg 2
    a.neg().numel()
):
    a.tanh()  #= count 2; ops aten::tanh 2
