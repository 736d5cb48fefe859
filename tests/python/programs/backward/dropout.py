import torch
import torch.nn.functional as F

torch.manual_seed(7)
x = torch.randn(16, 8, requires_grad=True)
y = F.dropout(x, 0.5)
y = F.dropout(y, 0.1, inplace=True)
z = F.alpha_dropout(y, 0.2, training=True)
z = z + F.dropout2d(x.view(4, 4, 8), 0.3).view(16, 8)
noise = torch.randn_like(x)
loss = (z * noise).mean()
loss.backward()
