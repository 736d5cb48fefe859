"""RMSNorm three ways, forward and backward.

RMSNorm divides every vector by its root mean square and scales it by a learned weight. Written
out, it is five small operators that each read and write the whole tensor; fused or compiled, one.

    python rmsnorm.py --variant naive|fused|compiled|all
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

EPSILON = 1e-6

Normalize = Callable[[Tensor, Tensor], Tensor]


def naive_rms_norm(x: Tensor, weight: Tensor) -> Tensor:
    squares = x * x
    mean_square = squares.mean(dim=-1, keepdim=True)
    inverse_rms = torch.rsqrt(mean_square + EPSILON)
    normalized = x * inverse_rms
    return normalized * weight


def fused_rms_norm(x: Tensor, weight: Tensor) -> Tensor:
    return functional.rms_norm(x, weight.shape, weight, EPSILON)


def compiled_rms_norm(x: Tensor, weight: Tensor) -> Tensor:
    return x * torch.rsqrt((x * x).mean(dim=-1, keepdim=True) + EPSILON) * weight


class RMSNorm(nn.Module):
    def __init__(self, width: int, normalize: Normalize) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.normalize = normalize

    def forward(self, x: Tensor) -> Tensor:
        return self.normalize(x, self.weight)


def build(variant: str, width: int) -> dict[str, RMSNorm]:
    """The layers to run, by name. Only what is asked for is compiled."""
    layers = {
        "naive": lambda: RMSNorm(width, naive_rms_norm),
        "fused": lambda: RMSNorm(width, fused_rms_norm),
        "compiled": lambda: RMSNorm(width, torch.compile(compiled_rms_norm)),
    }
    names = list(layers) if variant == "all" else [variant]
    return {name: layers[name]() for name in names}


def train(layers: dict[str, RMSNorm], x: Tensor, target: Tensor, steps: int) -> dict[str, float]:
    """Fit every layer's weight, and the input they share, to the target; returns their losses."""
    weights = [layer.weight for layer in layers.values()]
    optimizer = torch.optim.SGD([x, *weights], lr=10.0)
    losses: dict[str, Tensor] = {}
    for _ in range(steps):
        for name, layer in layers.items():
            output = layer(x)
            loss = functional.mse_loss(output, target)
            loss.backward()
            losses[name] = loss.detach()
        optimizer.step()
        optimizer.zero_grad()
    return {name: loss.item() for name, loss in losses.items()}


def pick_device() -> torch.device:
    return torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")


def main() -> None:
    parser = argparse.ArgumentParser(description="RMSNorm three ways, forward and backward.")
    parser.add_argument("--variant", choices=["naive", "fused", "compiled", "all"], default="naive")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--tokens", type=int, default=1024)
    parser.add_argument("--width", type=int, default=1024)
    arguments = parser.parse_args()

    torch.manual_seed(0)
    device = pick_device()
    x = torch.randn(arguments.tokens, arguments.width, device=device, requires_grad=True)
    target = torch.randn(arguments.tokens, arguments.width, device=device)
    layers = {
        name: layer.to(device) for name, layer in build(arguments.variant, arguments.width).items()
    }
    for name, loss in train(layers, x, target, arguments.steps).items():
        print(f"{name:8}  loss {loss:.6f} after {arguments.steps} steps on {device}")


if __name__ == "__main__":
    main()
