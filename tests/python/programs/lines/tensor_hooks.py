"""Hooks on tensors run inside backward: their lines own their work, as backward."""

import torch

a = torch.ones(4, requires_grad=True)  #= count 1
ones = torch.ones(4)  #= count 1


def on_grad(grad):
    return grad * 2  #= count 2; ops aten::mul 2; backward


def on_accumulated(parameter):
    parameter.grad.sub_(1)  #= count 2; ops aten::sub_ 2; backward


def on_node(grad_inputs, grad_outputs):
    grad_outputs[0].sin()  #= count 2; ops aten::sin 2; backward


def before_node(grad_outputs):
    return (grad_outputs[0].floor(),)  #= count 2; ops aten::floor 2; backward


handle = a.register_post_accumulate_grad_hook(on_accumulated)  #= no device time

for _ in range(2):
    y = a.tanh()  #= count 2; ops aten::tanh 2, aten::tanh_backward 2, TanhBackward0 2; mixed
    y.register_hook(on_grad)  #= no device time
    y.register_hook(lambda grad: grad + 1)  #= count 2; ops aten::add 2; backward
    y.grad_fn.register_hook(on_node)  #= no device time
    y.grad_fn.register_prehook(before_node)  #= no device time
    y.backward(ones)  #= count 2; ops torch::autograd::AccumulateGrad 2; launches
handle.remove()


def pack(x):
    return x.neg()  #= count 1; ops aten::neg 1


def unpack(x):
    return x.ceil()  #= count 1; ops aten::ceil 1; backward


with torch.autograd.graph.saved_tensors_hooks(pack, unpack):  #= no device time
    z = a.exp()  #= count 1; ops aten::exp 1, ExpBackward0 1, aten::mul 1; mixed
z.backward(ones)  #= count 1; ops torch::autograd::AccumulateGrad 1; launches
