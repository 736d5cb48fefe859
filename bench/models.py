"""A program to be profiled, that times its own steps.

    python models.py {transformer,elementwise} STEPS TIMES.json

It knows no profiler: the benchmark runs it by hand, under plain torch.profiler and under
``sidelight profile``, and compares the times it writes.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

BATCH, TOKENS, WIDTH, HEADS, LAYERS = 2, 64, 256, 4, 4


class RMSNorm(nn.Module):
    """RMSNorm written out, one operator a line."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        """Normalize the last dimension of ``x``."""
        squares = x * x
        mean_square = squares.mean(dim=-1, keepdim=True)
        inverse_rms = torch.rsqrt(mean_square + 1e-6)
        normalized = x * inverse_rms
        return normalized * self.weight


class Attention(nn.Module):
    """Multi-head self-attention written out, without a mask."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query_key_value = nn.Linear(width, 3 * width, bias=False)
        self.output = nn.Linear(width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Attend within ``x`` of shape (batch, tokens, width)."""
        batch, tokens, width = x.shape
        head_width = width // self.heads
        query, key, value = (
            part.view(batch, tokens, self.heads, head_width).transpose(1, 2)
            for part in self.query_key_value(x).chunk(3, dim=-1)
        )
        scores = query @ key.transpose(-1, -2) / head_width**0.5
        weights = scores.softmax(dim=-1)
        mixed = (weights @ value).transpose(1, 2).reshape(batch, tokens, width)
        return self.output(mixed)


class FeedForward(nn.Module):
    """A gated feed-forward layer (SwiGLU)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, 4 * width, bias=False)
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(4 * width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Transform every vector of ``x``."""
        gate = functional.silu(self.gate(x))
        up = self.up(x)
        return self.down(gate * up)


class Block(nn.Module):
    """A pre-norm transformer block."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention_norm = RMSNorm(width)
        self.attention = Attention(width, heads)
        self.feed_forward_norm = RMSNorm(width)
        self.feed_forward = FeedForward(width)

    def forward(self, x: Tensor) -> Tensor:
        """Attention and feed-forward, each with a residual connection."""
        x = x + self.attention(self.attention_norm(x))
        return x + self.feed_forward(self.feed_forward_norm(x))


class Elementwise(nn.Module):
    """The worst case for a profiler: many lines, each one operator that takes next to no time."""

    def forward(self, x: Tensor) -> Tensor:
        """A thousand operators on a tensor of a few bytes."""
        for _ in range(200):
            x = x + 1.0
            x = x * 0.5
            x = x - 0.25
            x = x.neg()
            x = x.abs()
        return x


def transformer_step() -> Callable[[], object]:
    """A training step: forward, backward, AdamW."""
    model = nn.Sequential(*(Block(WIDTH, HEADS) for _ in range(LAYERS)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    x = torch.randn(BATCH, TOKENS, WIDTH)

    def step() -> None:
        y = model(x)
        loss = (y * y).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def elementwise_step() -> Callable[[], object]:
    """An inference step of the worst case."""
    model = Elementwise()
    x = torch.randn(8)

    def step() -> None:
        with torch.no_grad():
            model(x)

    return step


STEPS: dict[str, Callable[[], Callable[[], object]]] = {
    "transformer": transformer_step,
    "elementwise": elementwise_step,
}


def main() -> None:
    """Run the steps and write each one's duration as JSON: nanoseconds by clock, one a step.

    The clocks are ``wall`` and ``cpu`` (the process's own time, whatever else the machine does).
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=STEPS)
    parser.add_argument("steps", type=int)
    parser.add_argument("times", type=Path)
    arguments = parser.parse_args()

    torch.manual_seed(0)
    # Threads of one operator wait for one another: on a busy machine that drowns what we compare.
    torch.set_num_threads(1)
    step = STEPS[arguments.model]()
    wall_ns: list[int] = []
    cpu_ns: list[int] = []
    for _ in range(arguments.steps):
        wall_start_ns, cpu_start_ns = time.perf_counter_ns(), time.process_time_ns()
        step()
        wall_ns.append(time.perf_counter_ns() - wall_start_ns)
        cpu_ns.append(time.process_time_ns() - cpu_start_ns)
    arguments.times.write_text(json.dumps({"wall": wall_ns, "cpu": cpu_ns}))


if __name__ == "__main__":
    main()
