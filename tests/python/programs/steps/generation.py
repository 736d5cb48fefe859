"""Greedy decoding: one call for the prompt, then one a token, with a cache that grows."""

import sys

import torch
from torch import nn

torch.manual_seed(0)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(64, 16)
        self.query_key_value = nn.Linear(16, 48)
        self.unembedding = nn.Linear(16, 64)

    def forward(self, tokens, cache):
        hidden = self.embedding(tokens)  #: embedding
        query, key, value = self.query_key_value(hidden).chunk(3, dim=-1)  #: projection
        if cache is not None:
            key = torch.cat([cache[0], key], dim=1)  #: grow
            value = torch.cat([cache[1], value], dim=1)  #: grow_value
        hidden = nn.functional.scaled_dot_product_attention(query, key, value)  #: attention
        return self.unembedding(hidden), (key, value)  #: unembedding


@torch.no_grad()
def generate(model, prompt, new_tokens):
    tokens, cache = prompt, None
    for _ in range(new_tokens):
        logits, cache = model(tokens, cache)
        tokens = logits[:, -1:].argmax(-1)  #: choose
        yield tokens.item()  #: emit


model = Decoder().eval()
print(list(generate(model, torch.arange(5)[None], int(sys.argv[1]))))
