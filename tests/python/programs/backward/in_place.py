import torch

w = torch.randn(6, requires_grad=True)
x = w.clone()
x.mul_(2).add_(1)
x[:3] *= 3
x[4] = w[0] * w[1]
x.addcmul_(w, w.detach())
y = x.view(2, 3)
y[0].neg_()
y.masked_fill_(y > 100, 0.0)
buffer = torch.zeros(2, 3)
buffer.copy_(y)
buffer.index_add_(0, torch.tensor([1]), y[:1])
buffer.sum().backward()
