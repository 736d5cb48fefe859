"""Views and in-place operators, forward and backward."""

import torch

w = torch.ones(4, 4, requires_grad=True)  #= count 1
ones = torch.ones(8)  #= count 1

x = w * 2  #= count 1; ops aten::mul 2, MulBackward0 1; mixed
x.exp_()  #= count 1; ops aten::exp_ 1, ExpBackward0 1, aten::mul 1; mixed
flat = x.view(16)  #= count 1; ops ViewBackward0 1; mixed
half = flat[:8]  #= count 1; ops SliceBackward0 1; mixed
turned = half.view(2, 4).t()  #= count 1; ops ViewBackward0 1, aten::t 2, TBackward0 1; mixed
out = turned.neg().reshape(8)  #= count 1; ops aten::neg 2, NegBackward0 1; mixed
out.backward(ones)  #= count 1; ops torch::autograd::AccumulateGrad 1; launches

with torch.no_grad():  #= no device time
    w.add_(1).mul_(2)  #= count 1; ops aten::add_ 1, aten::mul_ 1
    w[0] = 3  #= count 1
    w[1:] += 1  #= count 1; ops aten::add_ 1
