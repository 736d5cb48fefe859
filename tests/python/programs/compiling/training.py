"""Trains a small transformer, eager or compiled, whole or block by block; prints the losses.

    training.py cpu|neuron eager|model|blocks
"""

import sys

import torch
from torch import nn
from torch.nn import functional

WIDTH, HEADS, WORDS, TOKENS = 32, 4, 50, 16


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first_norm = nn.LayerNorm(WIDTH)
        self.second_norm = nn.LayerNorm(WIDTH)
        self.to_heads = nn.Linear(WIDTH, 3 * WIDTH)
        self.from_heads = nn.Linear(WIDTH, WIDTH)
        self.widen = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, tokens, width = x.shape
        heads = self.to_heads(self.first_norm(x))
        query, key, value = heads.view(batch, tokens, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.from_heads(mixed.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.narrow(functional.gelu(self.widen(self.second_norm(x))))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, WIDTH)
        self.blocks = nn.ModuleList([Block(), Block()])
        self.head = nn.Linear(WIDTH, WORDS)

    def forward(self, x):
        x = self.embedding(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


device, way = sys.argv[1:]
torch.manual_seed(0)
model = Model().to(device)
run = model
if way == "model":
    run = torch.compile(model)
elif way == "blocks":
    for block in model.blocks:
        block.compile(backend="neuron")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
words = torch.randint(WORDS, (2, TOKENS + 1)).to(device)
for _ in range(4):
    logits = run(words[:, :-1])
    loss = functional.cross_entropy(logits.reshape(-1, WORDS), words[:, 1:].reshape(-1))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print("loss", loss.item())
