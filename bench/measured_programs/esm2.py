"""ESM-2 with 650M parameters on 32 tokens, without gradients.

Usage: ``python esm2.py eager|compiled``. The publication does not say in which precision it ran;
the public weights are in fp32.
"""

import sys

import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTH, BETWEEN, HEADS, LAYERS, TOKENS, ALPHABET = 1280, 5120, 20, 33, 32, 33


def rotated(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Rotary positions on ``[batch, heads, tokens, head size]``."""
    first, second = x.chunk(2, dim=-1)
    return x * cosine + torch.cat((-second, first), dim=-1) * sine


class Layer(nn.Module):
    """Attention and a feed-forward layer, each behind a norm, as ESM-2 writes them."""

    def __init__(self) -> None:
        super().__init__()
        self.attention_norm, self.feed_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.query, self.key = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.value, self.output = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, BETWEEN), nn.Linear(BETWEEN, WIDTH)

    def forward(self, x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
        """The layer on ``[batch, tokens, width]``."""
        normed = self.attention_norm(x)
        query, key, value = (
            layer(normed).view(*x.shape[:2], HEADS, -1).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        )
        query = query * (WIDTH // HEADS) ** -0.5
        query, key = rotated(query, cosine, sine), rotated(key, cosine, sine)
        weights = (query @ key.transpose(-1, -2)).softmax(-1)
        x = x + self.output((weights @ value).transpose(1, 2).reshape(x.shape))
        return x + self.down(functional.gelu(self.up(self.feed_norm(x))))


class Model(nn.Module):
    """All layers, between an embedding and a head over the alphabet."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(ALPHABET, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.last_norm, self.head_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.dense, self.head = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, ALPHABET)

    def forward(self, tokens: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
        """The scores of every letter at every token."""
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x, cosine, sine)
        return self.head(self.head_norm(functional.gelu(self.dense(self.last_norm(x)))))


model = Model()
run = torch.compile(model) if sys.argv[1] == "compiled" else model
letters = torch.zeros(1, TOKENS, dtype=torch.int64)
cosine, sine = (torch.empty(TOKENS, WIDTH // HEADS) for _ in range(2))
with torch.no_grad():
    scores = run(letters, cosine, sine)
