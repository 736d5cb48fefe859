"""One matrix product in bf16: ``python matmul.py M K N``."""

import sys

import torch

rows, inner, columns = map(int, sys.argv[1:4])
left = torch.empty(rows, inner, dtype=torch.bfloat16)
right = torch.empty(inner, columns, dtype=torch.bfloat16)
product = left @ right
