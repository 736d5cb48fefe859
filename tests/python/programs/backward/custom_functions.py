import torch
from torch.autograd.function import once_differentiable


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        gate = torch.sigmoid(x)
        ctx.save_for_backward(x, gate)
        return x * gate

    @staticmethod
    def backward(ctx, grad):
        x, gate = ctx.saved_tensors
        slope = gate * (1 + x * (1 - gate))
        return grad * slope


class SplitSign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x.clamp(min=0) * scale, x.clamp(max=0) * scale

    @staticmethod
    @once_differentiable
    def backward(ctx, above, below):
        return (above + below) * ctx.scale, None


class BackwardUsesAutograd(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            inner = x.detach().requires_grad_()
            again = inner.sin()
        return torch.autograd.grad(again, inner, grad)[0]


x = torch.linspace(-2, 2, 8).requires_grad_()
y = Swish.apply(x)
above, below = SplitSign.apply(y, 3.0)
z = BackwardUsesAutograd.apply(above - below)
loss = (
    Swish.apply(z)
    + Swish.apply(x)
).sum()
loss.backward()
