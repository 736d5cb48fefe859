import torch

x = torch.randn(4, 5, requires_grad=True)
rows, columns = torch.tensor([0, 2, 2]), torch.tensor([1, 1, 4])

picked = x[rows, columns]
masked = x[x > 0]
ends = x[:, [0, -1]]
every_other = x[::2, None]
chosen = torch.where(x > 0, x * 2, x.exp())
limited = x.clamp(-1, 1)
top, _ = x.topk(2, dim=1)
largest = x.max(dim=0).values
spread = torch.zeros(4, 5).scatter(1, columns.expand(4, 3), x[:, :3])
put = torch.zeros(5).index_put((columns,), picked)
parts = [picked, masked, ends, every_other, chosen, limited, top, largest, spread, put]
loss = sum(
    part.sum()
    for part in parts
)
loss.backward()
