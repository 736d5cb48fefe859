"""Imported by ``imports.py``: module-level work and a function, in a file of its own."""

import torch

weight = torch.ones(4)  #= count 1
scaled = weight * 3  #= count 1; ops aten::mul 1; as module


def negate(x):
    return x.neg()  #= count 2; ops aten::neg 2; as negate
