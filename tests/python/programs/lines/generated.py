"""Generated code is not user code: its time goes to the line that called it."""

import collections

import torch

a = torch.ones(4)  #= count 1

exec("b = a * 2\nc = b * 2")  #= count 1; ops aten::mul 2
eval("a + 1")  #= count 1; ops aten::add 1

namespace = {}
exec("def double(x):\n    y = x * 2\n    return y.neg()\n", namespace)
double = namespace["double"]

for _ in range(3):
    double(a)  #= count 3; ops aten::mul 3, aten::neg 3


def user_callback(x):
    return x.exp()  #= count 2; ops aten::exp 2; as callback


exec(compile("def twice(f, x):\n    return f(x) - f(x)\n", "<made-up>", "exec"), namespace)
namespace["twice"](user_callback, a)  #= count 1; ops aten::sub 1; total callback

Pair = collections.namedtuple("Pair", "x y")
Pair(a.tanh(), 2)  #= count 1; ops aten::tanh 1
