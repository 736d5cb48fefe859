"""Recomputed forward lines run inside backward: they own that work, as backward."""

import torch
from torch.utils.checkpoint import checkpoint

a = torch.ones(4, requires_grad=True)  #= count 1
ones = torch.ones(4)  #= count 1


def reentrant(x):
    y = x.tanh()  #= count 2; ops aten::tanh 2, TanhBackward0 1, aten::tanh_backward 1; mixed; as r1
    return y.neg()  #= count 2; ops aten::neg 3, NegBackward0 1; mixed; as r2


out = checkpoint(reentrant, a, use_reentrant=True)  #= count 1; ops CheckpointFunction 1, CheckpointFunctionBackward 1; mixed
out.backward(ones)  #= count 1; ops torch::autograd::AccumulateGrad 2; launches


def recomputed(x):
    y = x.sqrt()  #= count 2; ops aten::sqrt 2, SqrtBackward0 1, aten::mul 1; mixed; as n1
    z = y * 3  #= count 2; ops aten::mul 3, MulBackward0 1; mixed; as n2
    return z.exp()  #= count 2; ops aten::exp 2, ExpBackward0 1, aten::mul 1; mixed; as n3


out = checkpoint(recomputed, a, use_reentrant=False)  #= count 1; total n1, n2, n3
out.backward(ones)  #= count 1; ops torch::autograd::AccumulateGrad 1; launches
