"""Backward work is on the line of its forward operator; accumulation on the .backward() line."""

import torch

w = torch.ones(4, requires_grad=True)  #= count 1
b = torch.ones(4, requires_grad=True)  #= count 1


def forward(x):
    y = x * w  #= count 3; ops aten::mul 9, MulBackward0 3; mixed; as product
    return y + b  #= count 3; ops aten::add 3, AddBackward0 3; mixed; as sum


for _ in range(3):
    out = forward(w)  #= count 3; total product, sum
    loss = out.sum()  #= count 3; ops aten::sum 3, SumBackward0 3; mixed
    loss.backward()  #= count 3; ops torch::autograd::AccumulateGrad 6; launches

(w * b).neg().backward(b)  #= count 1; ops aten::mul 3, MulBackward0 1, aten::neg 2, NegBackward0 1, torch::autograd::AccumulateGrad 2; mixed

with torch.no_grad():
    w -= 1  #= count 1; ops aten::sub_ 1

powers = w.exp()  #= count 1; ops aten::exp 1, aten::mul 1, ExpBackward0 1; mixed
grads = torch.autograd.grad(  #= count 1; ops aten::exp 0; launches
    powers,
    w,
    b,
)

shared = w.tanh()  #= count 1; ops aten::tanh 1, aten::tanh_backward 2, TanhBackward0 2; mixed
shared.backward(b, retain_graph=True)  #= count 1; ops torch::autograd::AccumulateGrad 1; launches
shared.backward(b)  #= count 1; ops torch::autograd::AccumulateGrad 1; launches

several = [w.sqrt() for _ in range(3)]  #= count 1; ops aten::sqrt 3, aten::mul 3, SqrtBackward0 3; mixed
torch.autograd.backward(several, [b, b, b])  #= count 1; ops torch::autograd::AccumulateGrad 1; launches
