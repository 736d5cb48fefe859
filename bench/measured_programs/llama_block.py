"""One Llama block (width 2048, 5632 between, 16 heads), compiled, forward and backward, in bf16.

Usage: ``python llama_block.py MICRO_BATCH fused|written``, each of 2,048 tokens. The publication
does not say whether attention was one kernel or written out.
"""

import sys

import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTH, BETWEEN, HEADS, TOKENS = 2048, 5632, 16, 2048
HALF = torch.bfloat16


def linear(inputs: int, outputs: int) -> nn.Linear:
    """A linear layer as Llama has them."""
    return nn.Linear(inputs, outputs, bias=False, dtype=HALF)


def attended(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Causal attention, as one operator or written out."""
    if sys.argv[2] == "fused":
        return functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    scores = (query @ key.transpose(-1, -2)) * query.shape[-1] ** -0.5 + mask
    return scores.float().softmax(-1).to(query.dtype) @ value


class RMSNorm(nn.Module):
    """RMSNorm in fp32, and back."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH, dtype=HALF))

    def forward(self, x: Tensor) -> Tensor:
        """Normalize the last dimension of ``x``."""
        wide = x.float()
        mean_square = wide.pow(2).mean(-1, keepdim=True)
        return self.weight * (wide * torch.rsqrt(mean_square + 1e-5)).to(x.dtype)


def rotated(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Rotary positions on ``[batch, heads, tokens, head size]``."""
    first, second = x.chunk(2, dim=-1)
    return x * cosine + torch.cat((-second, first), dim=-1) * sine


class Block(nn.Module):
    """Attention and a gated feed-forward layer, each behind a norm."""

    def __init__(self) -> None:
        super().__init__()
        self.attention_norm, self.feed_norm = RMSNorm(), RMSNorm()
        self.query, self.key = linear(WIDTH, WIDTH), linear(WIDTH, WIDTH)
        self.value, self.output = linear(WIDTH, WIDTH), linear(WIDTH, WIDTH)
        self.gate, self.up = linear(WIDTH, BETWEEN), linear(WIDTH, BETWEEN)
        self.down = linear(BETWEEN, WIDTH)

    def forward(self, x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
        """The block on ``[batch, tokens, width]``."""
        normed = self.attention_norm(x)
        query, key, value = (
            layer(normed).view(*x.shape[:2], HEADS, -1).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        )
        query, key = rotated(query, cosine, sine), rotated(key, cosine, sine)
        mixed = attended(query, key, value)
        x = x + self.output(mixed.transpose(1, 2).reshape(x.shape))
        normed = self.feed_norm(x)
        return x + self.down(functional.silu(self.gate(normed)) * self.up(normed))


block = torch.compile(Block())
batch = int(sys.argv[1])
source = torch.empty(batch, TOKENS, WIDTH, dtype=HALF, requires_grad=True)
cosine, sine = (torch.empty(TOKENS, WIDTH // HEADS, dtype=HALF) for _ in range(2))
mask = torch.empty(TOKENS, TOKENS, dtype=HALF)
gradient = torch.empty(batch, TOKENS, WIDTH, dtype=HALF)
block(source, cosine, sine).backward(gradient)
