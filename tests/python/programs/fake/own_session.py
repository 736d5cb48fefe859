"""Profiles itself."""

import torch
from torch.profiler import ProfilerActivity, profile

model = torch.nn.Linear(4, 4)
with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as session:
    for _ in range(3):
        model(torch.ones(2, 4)).sum().backward()
        session.step()
