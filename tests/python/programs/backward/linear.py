import torch
import torch.nn.functional as F

x = torch.randn(3, 4, requires_grad=True)
weight = torch.randn(5, 4, requires_grad=True)
bias = torch.randn(5, requires_grad=True)
frozen = torch.randn(5, 5)

with_bias = F.linear(x, weight, bias)
without_bias = F.linear(x, weight)
on_batches = F.linear(x.expand(2, 3, 4), weight, bias)
product = with_bias @ frozen
batched = torch.bmm(on_batches, on_batches.transpose(1, 2))
vector = torch.mv(without_bias, bias)
outer = torch.outer(vector, bias)
contracted = torch.einsum("bi,bj->ij", product, outer)
loss = contracted.sum() + batched.sum()
loss.backward()
