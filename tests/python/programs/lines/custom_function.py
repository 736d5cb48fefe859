"""A custom Function's backward lines own their work, as backward."""

import torch

a = torch.ones(4, requires_grad=True)  #= count 1
ones = torch.ones(4)  #= count 1


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)  #= no device time
        return x * x  #= count 2; ops aten::mul 2; as forward

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors  #= no device time
        scaled = (  #= count 2; ops aten::mul 4; backward; as backward
            grad
            * 2
            * x
        )
        return helper(scaled)  #= count 2; total helper; as through


def helper(x):
    return x - 0  #= count 2; ops aten::sub 2; backward; as helper


for _ in range(2):
    y = Square.apply(a)  #= count 2; ops Square 2, SquareBackward 2; mixed
    z = y.exp()  #= count 2; ops aten::exp 2, ExpBackward0 2, aten::mul 2; mixed
    z.backward(ones)  #= count 2; ops torch::autograd::AccumulateGrad 2; launches
