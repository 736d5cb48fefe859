"""A lambda's work is on the line where the lambda begins; running it is not an entry."""

import torch

a = torch.ones(4)  #= count 1

double = lambda x: x * 2  #= count 1; ops aten::mul 3; as double

for _ in range(3):
    double(a)  #= count 3; total double

mapped = list(map(lambda x: x + 1, [a, a]))  #= count 1; ops aten::add 2

table = {  #= no device time
    "negate": lambda x: x.neg(),  #= count 0; ops aten::neg 2; as table
    "shift": lambda x: (  #= count 0; ops aten::sub 1; as table
        x
        - 1
    ),
}

for name in ("negate", "shift", "negate"):
    table[name](a)  #= count 3; total table


def apply(function, x):
    return function(x)  #= count 2


apply(  #= count 1; total argument
    lambda x: x.exp(),  #= count 0; ops aten::exp 1; as argument
    a,
)

make = lambda factor: lambda x: x * factor  #= count 1; ops aten::mul 1
apply(make(3), a)  #= count 1

never = lambda x: x.tanh()  #= no device time
