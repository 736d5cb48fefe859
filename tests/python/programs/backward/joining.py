import torch

a = torch.randn(2, 4, requires_grad=True)
b = torch.randn(2, 4, requires_grad=True)

joined = torch.cat([a, b, a * b], dim=0)
stacked = torch.stack([a, b])
first, second = joined.split([2, 4])
chunks = stacked.chunk(2, dim=-1)
pieces = stacked.unbind(0)
tiled = a.repeat(2, 1)
padded = torch.nn.functional.pad(b, (1, 1))
rolled = torch.roll(tiled, 1, 0).flip(0)
loss = first.sum() + second.square().sum()
for chunk in chunks:
    loss = loss + chunk.mean()
loss = loss + (pieces[0] - pieces[1]).sum() + padded.sum() + rolled.sum()
loss.backward()
