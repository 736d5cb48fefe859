"""What training recipes add: autocast, scaling, checkpointing, an own autograd function, views."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop
from torch.utils.data import DataLoader, TensorDataset


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 2 * gradient * x


block = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 16))
head = nn.Linear(16, 4)
data = TensorDataset(torch.randn(12, 16), torch.randint(4, (12,)))
optimizer = torch.optim.SGD([*block.parameters(), *head.parameters()], lr=0.1, momentum=0.9)
scaler = torch.amp.GradScaler("cpu")
for inputs, labels in DataLoader(data, batch_size=4, shuffle=True):
    # Where a recompute stops early, a run without values leaves a row out: recomputed.py.
    with torch.autocast("cpu", dtype=torch.bfloat16), set_checkpoint_early_stop(False):
        hidden = checkpoint(block, inputs, use_reentrant=False)
        logits = head(hidden)
    logits = Square.apply(logits.float())
    logits[:, 1:3].detach().mul_(0.5)
    loss = nn.functional.cross_entropy(logits, labels)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()

for options in ({"foreach": True}, {"fused": True}):
    adam = torch.optim.AdamW(head.parameters(), **options)
    head(torch.ones(2, 16)).sum().backward()
    adam.step()
