"""A block that is compiled, with a graph break in the middle, trained on the device."""

import torch
from torch import Tensor, nn


def squared_and_more(value: Tensor) -> Tensor:
    squared = value * value
    return squared + 1


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.full((32, 16), 0.5))

    def forward(self, x: Tensor) -> Tensor:
        hidden = torch.mm(
            x,
            self.weight,
        )
        more = squared_and_more(hidden)
        print("a graph ends here")
        return torch.sin(more)


block = Block().to("neuron")
compiled = torch.compile(block, backend="neuron")
x = torch.arange(8 * 32, dtype=torch.float32).view(8, 32).to("neuron") / 256
for _ in range(3):
    result = compiled(x)
    result.sum().backward()

print("result", result.device, float(result.sum()))
print("gradient", block.weight.grad.device, float(block.weight.grad.sum()))
