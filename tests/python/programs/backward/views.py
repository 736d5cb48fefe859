import torch

base = torch.randn(4, 6, requires_grad=True)
doubled = base * 2
rows = doubled.view(2, 12)
columns = doubled.t()[1:4]
picked = doubled.select(0, 1).unsqueeze(0).expand(3, 6)
diagonal = torch.diagonal(doubled, offset=1)
windows = doubled.unfold(1, 2, 2).permute(2, 0, 1)
strided = torch.as_strided(doubled, (2, 2), (1, 6))
loss = (
    rows.sum()
    + columns.square().sum()
    + (picked * picked).mean()
    + diagonal.sum()
    + windows.flatten().narrow(0, 2, 5).sum() + strided.sum()
)
loss.backward()
