"""Module hooks. The one step runs from the module's call to the end of the script."""

import torch
from torch import nn

ones = torch.ones(4)


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return x * self.weight  #= count 1; ops aten::mul 3, MulBackward0 1; mixed


def before(module, inputs):
    return (inputs[0].exp(),)  #= count 1; ops aten::exp 1, ExpBackward0 1, aten::mul 1; mixed


def after(module, inputs, output):
    return output.neg()  #= count 1; ops aten::neg 2, NegBackward0 1; mixed


def with_keywords(module, inputs, keywords):
    inputs[0].sin()  #= count 1; ops aten::sin 1


def before_backward(module, grad_outputs):
    return (grad_outputs[0].floor(),)  #= count 1; ops aten::floor 1; backward


def after_backward(module, grad_inputs, grad_outputs):
    return tuple(grad.ceil() for grad in grad_inputs)  #= count 1; ops aten::ceil 1; backward


x = torch.ones(4, requires_grad=True)
layer = Scale()
layer.register_forward_pre_hook(before)
layer.register_forward_pre_hook(with_keywords, with_kwargs=True)
layer.register_forward_hook(after)
layer.register_full_backward_pre_hook(before_backward)
layer.register_full_backward_hook(after_backward)

out = layer(  #= count any; ops BackwardHookFunction 2, BackwardHookFunctionBackward 2; mixed
    x,
)
squared = out.sqrt()  #= count 1; ops aten::sqrt 1, SqrtBackward0 1, aten::mul 1; mixed
squared.backward(ones)  #= count 1; ops torch::autograd::AccumulateGrad 2; launches
