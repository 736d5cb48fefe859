"""A module's own call starts the one step, so it runs as the script."""

import torch
from torch import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm = nn.LayerNorm(8)
        self.feed_forward = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8, bias=False))

    def forward(self, x):
        attended, _ = self.attention(x, x, x, need_weights=False)
        x = self.norm(x + attended)
        return x + self.feed_forward(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(16, 8)
        self.blocks = nn.ModuleList(Block() for _ in range(2))

    def forward(self, tokens):
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x)
        return x @ self.embedding.weight.t()


model = Model()
tokens = torch.randint(16, (2, 6))
logits = model(tokens[:, :-1])
loss = nn.functional.cross_entropy(
    logits.flatten(0, 1),
    tokens[:, 1:].flatten(),
)
loss.backward()
