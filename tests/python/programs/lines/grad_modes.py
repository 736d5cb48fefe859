"""Gradient modes, as context managers and as decorators, change no line."""

import torch

a = torch.ones(4, requires_grad=True)  #= count 1

with torch.no_grad():  #= no device time
    a * 2  #= count 1; ops aten::mul 1

with torch.inference_mode():  #= no device time
    frozen = a + 1  #= count 1; ops aten::add 1


@torch.no_grad()
def evaluate(x):
    return x - 1  #= count 2; ops aten::sub 2


evaluate(a)  #= count 1
evaluate(a)  #= count 1


@torch.inference_mode()
def infer(x):
    y = x.exp()  #= count 1; ops aten::exp 1; as infer
    return y.neg()  #= count 1; ops aten::neg 1; as infer


infer(a)  #= count 1; total infer


@torch.no_grad()
def stream():
    for _ in range(2):
        yield a.tanh()  #= count 2; ops aten::tanh 2


for x in stream():  #= count 1
    x.sin()  #= count 2; ops aten::sin 2

with torch.enable_grad(), torch.autograd.set_grad_enabled(False):  #= no device time
    a.sqrt()  #= count 1; ops aten::sqrt 1
