"""A small decoder transformer in training: forward, loss, backward and AdamW.

It learns one batch of random tokens by heart, so that its loss falls without any data.

    python transformer_train.py --dim 128 --layers 2
"""

from __future__ import annotations

import argparse

import torch
from torch import Tensor, nn
from torch.nn import functional

DIM = 128
LAYERS = 2
HEADS = 4
VOCABULARY = 1024
BATCH = 4
CONTEXT = 128
STEPS = 30


class Attention(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        heads = self.qkv(x).unflatten(-1, (3, HEADS, -1))
        queries, keys, values = heads.permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        return self.out(mixed.transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.attention_norm, self.mlp_norm = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attention = Attention(dim)
        self.up = nn.Linear(dim, 4 * dim)
        self.down = nn.Linear(4 * dim, dim)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.attention_norm(x))
        hidden = functional.gelu(self.up(self.mlp_norm(x)))
        return x + self.down(hidden)


class Transformer(nn.Module):
    def __init__(self, dim: int, layers: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, dim)
        self.positions = nn.Parameter(0.02 * torch.randn(CONTEXT, dim))
        self.blocks = nn.Sequential(*(Block(dim) for _ in range(layers)))
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, VOCABULARY, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.tokens(tokens) + self.positions
        x = self.blocks(x)
        return self.head(self.norm(x))


def train(model: Transformer, tokens: Tensor, steps: int) -> Tensor:
    """Learn to tell each next token of the batch; returns the last step's loss."""
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    loss = torch.zeros(())
    for _ in range(steps):
        logits = model(inputs)
        loss = functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()


def pick_device() -> torch.device:
    return torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a small decoder transformer.")
    parser.add_argument("--dim", type=int, default=DIM, help=f"a multiple of {HEADS}")
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--steps", type=int, default=STEPS)
    arguments = parser.parse_args()

    torch.manual_seed(0)
    device = pick_device()
    model = Transformer(arguments.dim, arguments.layers).to(device)
    tokens = torch.randint(VOCABULARY, (BATCH, CONTEXT + 1), device=device)
    loss = train(model, tokens, arguments.steps)
    print(f"loss {loss.item():.4f} after {arguments.steps} steps on {device}")


if __name__ == "__main__":
    main()
