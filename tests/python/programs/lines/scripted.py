"""TorchScript runs without Python lines: its time goes to the line that called it."""

import torch

a = torch.ones(4)  #= count 1


@torch.jit.script  #= count 1
def fused(x: torch.Tensor) -> torch.Tensor:
    y = x * 2  #= no device time
    return y.neg()  #= no device time


fused(a)  #= count 1; ops aten::mul 1, aten::neg 1
for _ in range(2):
    fused(a)  #= count 2; ops aten::mul 2, aten::neg 2


def plain(x):
    return x.exp() + 1  #= count 1; ops aten::exp 1, aten::add 1


traced = torch.jit.trace(plain, (a,), check_trace=False)  #= count 1
traced(a)  #= count 1; ops aten::exp 1, aten::add 1
