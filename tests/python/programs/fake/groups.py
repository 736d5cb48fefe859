"""A group of processes on the device; what sends parameters says that it cannot."""

import sys

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

distributed.init_process_group("neuron", init_method=f"file://{sys.argv[1]}", rank=0, world_size=1)
tensor = torch.ones(4, device="neuron")
distributed.all_reduce(tensor)
gathered = [torch.empty(4, device="neuron")]
distributed.all_gather(gathered, tensor)
distributed.broadcast(tensor, 0)
distributed.barrier()
assert gathered[0].shape == tensor.shape
DistributedDataParallel(torch.nn.Linear(4, 4).to("neuron"))
