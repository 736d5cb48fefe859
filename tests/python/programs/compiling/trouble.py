"""What the compiler cannot do as asked, each at a line that the test knows."""

import torch

torch._dynamo.config.cache_size_limit = 3


def breaks(x):
    y = x * 2
    print("breaks")
    return y + 1


def of_many_sizes(x):
    return x.sin() + 1


broken = torch.compile(breaks, backend="neuron")
for _ in range(2):
    broken(torch.ones(4, device="neuron"))

sized = torch.compile(of_many_sizes, backend="neuron")
for size in range(2, 8):
    sized(torch.ones(size, device="neuron"))
