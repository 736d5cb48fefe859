"""Backward of backward goes to the line whose forward caused it, however often removed."""

import torch

x = torch.ones(4, requires_grad=True)  #= count 1

y = x.exp()  #= count 1; ops aten::exp 1, ExpBackward0 2, MulBackward0 1; mixed
total = y.sum()  #= count 1; ops aten::sum 1, SumBackward0 1; mixed
(grad,) = torch.autograd.grad(total, x, create_graph=True)  #= count 1; ops ExpBackward0 0, MulBackward0 0; launches
penalty = grad.sqrt()  #= count 1; ops aten::sqrt 1, SqrtBackward0 1; mixed
penalty.backward(x.detach())  #= count 1; ops torch::autograd::AccumulateGrad 1; launches
