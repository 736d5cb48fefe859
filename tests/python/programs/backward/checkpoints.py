import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

torch.manual_seed(0)
weight = torch.randn(8, 8, requires_grad=True)


def block(x):
    hidden = F.linear(x, weight)
    hidden = F.gelu(hidden)
    return F.dropout(hidden, 0.5) + x


def halve(x):
    return x * 0.5


x = torch.randn(4, 8, requires_grad=True)
y = checkpoint(block, x, use_reentrant=False)
y = checkpoint(block, y, use_reentrant=True)
y = checkpoint_sequential([block, halve, halve], 2, y, use_reentrant=False)
loss = y.square().mean()
loss.backward()
