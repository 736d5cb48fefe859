"""Text generation as a language model does it: prefill, then one token at a time.

Prefill reads the whole prompt in one call. Every further call reads one token, and from a cache the
keys and values of those before it.

    python llm_decode.py --dim 256 --layers 4
"""

from __future__ import annotations

import argparse

import torch
from torch import Tensor, nn
from torch.nn import functional

DIM = 256
LAYERS = 4
HEADS = 4
VOCABULARY = 2048
PROMPT_TOKENS = 64
NEW_TOKENS = 32
CONTEXT = PROMPT_TOKENS + NEW_TOKENS


class Attention(nn.Module):
    keys: Tensor
    values: Tensor

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)
        for name in ("keys", "values"):
            empty = torch.zeros(1, HEADS, CONTEXT, dim // HEADS)
            self.register_buffer(name, empty, persistent=False)

    def forward(self, x: Tensor, start: int) -> Tensor:
        end = start + x.shape[1]
        heads = self.qkv(x).unflatten(-1, (3, HEADS, -1))
        queries, keys, values = heads.permute(2, 0, 3, 1, 4)
        self.keys[:, :, start:end] = keys
        self.values[:, :, start:end] = values
        mixed = functional.scaled_dot_product_attention(
            queries, self.keys[:, :, :end], self.values[:, :, :end], is_causal=start == 0
        )
        return self.out(mixed.transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.attention_norm, self.mlp_norm = nn.RMSNorm(dim), nn.RMSNorm(dim)
        self.attention = Attention(dim)
        self.up = nn.Linear(dim, 4 * dim, bias=False)
        self.down = nn.Linear(4 * dim, dim, bias=False)

    def forward(self, x: Tensor, start: int) -> Tensor:
        x = x + self.attention(self.attention_norm(x), start)
        hidden = functional.silu(self.up(self.mlp_norm(x)))
        return x + self.down(hidden)


class Decoder(nn.Module):
    def __init__(self, dim: int, layers: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, dim)
        self.positions = nn.Parameter(torch.randn(CONTEXT, dim))
        self.blocks = nn.ModuleList(Block(dim) for _ in range(layers))
        self.norm = nn.RMSNorm(dim)
        self.head = nn.Linear(dim, VOCABULARY, bias=False)

    def forward(self, tokens: Tensor, start: int) -> Tensor:
        """The most likely token after the given ones, the first of which is number ``start``."""
        x = self.tokens(tokens) + self.positions[start : start + tokens.shape[1]]
        for block in self.blocks:
            x = block(x, start)
        logits = self.head(self.norm(x[:, -1:]))
        return logits.argmax(dim=-1)


@torch.no_grad()
def generate(model: Decoder, prompt: Tensor, new_tokens: int) -> Tensor:
    """What follows the prompt. The tokens stay on the device: reading one would wait for it."""
    token = model(prompt, 0)
    tokens = [token]
    for position in range(prompt.shape[1], prompt.shape[1] + new_tokens - 1):
        token = model(token, position)
        tokens.append(token)
    return torch.cat(tokens, dim=1)


def pick_device() -> torch.device:
    return torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")


def main() -> None:
    parser = argparse.ArgumentParser(description="Generate tokens with a key-value cache.")
    parser.add_argument("--dim", type=int, default=DIM, help=f"a multiple of {HEADS}")
    parser.add_argument("--layers", type=int, default=LAYERS)
    arguments = parser.parse_args()

    torch.manual_seed(0)
    device = pick_device()
    model = Decoder(arguments.dim, arguments.layers).to(device).eval()
    prompt = torch.randint(VOCABULARY, (1, PROMPT_TOKENS), device=device)
    tokens = generate(model, prompt, NEW_TOKENS)
    print(f"{tokens.shape[1]} tokens after a prompt of {prompt.shape[1]} on {device}")


if __name__ == "__main__":
    main()
