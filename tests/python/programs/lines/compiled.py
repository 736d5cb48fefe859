"""torch.compile: how fine the lines are is Dynamo's affair; nothing may be lost or doubled.

The compiled call's work is on ``fused``'s lines or on the calls' lines below; the test sums them.
"""

import torch

a = torch.ones(4)


@torch.compile(backend="eager")
def fused(x):
    y = x.sinh()
    return y.cosh()


for _ in range(3):
    result = fused(a)
eager = result.asinh()  #= count 1; ops aten::asinh 1
