"""Two processes that compute together on the virtual device; each checks what it gets.

    torchrun --nproc-per-node 2 ranks.py FOLDER
"""

import sys
import warnings
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel

from support.device_checks import begin

begin()
warnings.simplefilter("ignore", FutureWarning)
dist.init_process_group(backend="neuron")
rank = dist.get_rank()
device = torch.device(f"neuron:{rank}")
assert dist.get_backend() == "neuron"
assert dist.get_world_size() == 2


def ranked(*values):
    return torch.tensor(values, dtype=torch.float32, device=device) * (rank + 1)


def is_on_device(tensor, values):
    return tensor.device.type == "neuron" and tensor.tolist() == values


summed = ranked(1, 2)
dist.all_reduce(summed)
assert is_on_device(summed, [3, 6])
largest = ranked(1, 2)
work = dist.all_reduce(largest, op=dist.ReduceOp.MAX, async_op=True)
work.wait()
assert is_on_device(largest, [2, 4])
first = ranked(5)
dist.broadcast(first, 0)
assert is_on_device(first, [5])
gathered = [torch.empty(1, device=device) for _ in range(2)]
dist.all_gather(gathered, ranked(7))
assert [part.item() for part in gathered] == [7, 14]
whole = torch.empty(4, device=device)
dist.all_gather_into_tensor(whole, ranked(1, 2))
assert is_on_device(whole, [1, 2, 2, 4])
part = torch.empty(2, device=device)
dist.reduce_scatter_tensor(part, whole)
assert is_on_device(part, [[2, 4], [4, 8]][rank])
turned = torch.empty(2, device=device)
dist.all_to_all_single(turned, ranked(1, 10))
assert is_on_device(turned, [[1, 2], [10, 20]][rank])
if rank == 0:
    dist.send(ranked(9), 1)
else:
    received = torch.empty(1, device=device)
    dist.recv(received, 0)
    assert is_on_device(received, [9])
host = torch.ones(2)
dist.all_reduce(host)
assert host.device.type == "cpu" and host.tolist() == [2, 2]
objects = [None, None]
dist.all_gather_object(objects, {"rank": rank})
assert objects == [{"rank": 0}, {"rank": 1}]
dist.barrier()


def batch(step):
    generator = torch.Generator().manual_seed(step)
    return torch.randn(2, 3, 4, generator=generator)


def train(model, optimizer, inputs):
    for step in range(3):
        optimizer.zero_grad()
        model(inputs(step)).square().mean().backward()
        optimizer.step()
    return [parameter.detach().cpu() for parameter in model.parameters()]


def build():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))


plain = build()
expected = train(plain, torch.optim.SGD(plain.parameters(), 0.1), lambda step: batch(step).flatten(0, 1))
for optimizer_of in (
    lambda parameters: torch.optim.SGD(parameters, 0.1),
    lambda parameters: ZeroRedundancyOptimizer(parameters, torch.optim.SGD, lr=0.1),
):
    model = DistributedDataParallel(build().to(device))
    found = train(model, optimizer_of(model.parameters()), lambda step: batch(step)[rank].to(device))
    for mine, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(mine, theirs)
dist.destroy_process_group()
(Path(sys.argv[1]) / f"rank-{rank}").touch()
