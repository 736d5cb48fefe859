"""RMSNorm written out, compiled, forward and backward, on [1, 2048, 2048] in bf16."""

import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    """RMSNorm as models write it: in fp32, and back."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width, dtype=torch.bfloat16))

    def forward(self, x: Tensor) -> Tensor:
        """Normalize the last dimension of ``x``."""
        wide = x.float()
        mean_square = wide.pow(2).mean(-1, keepdim=True)
        return self.weight * (wide * torch.rsqrt(mean_square + 1e-6)).to(x.dtype)


norm = torch.compile(RMSNorm(2048))
source = torch.empty(1, 2048, 2048, dtype=torch.bfloat16, requires_grad=True)
gradient = torch.empty(1, 2048, 2048, dtype=torch.bfloat16)
norm(source).backward(gradient)
