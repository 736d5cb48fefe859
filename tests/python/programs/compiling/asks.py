"""The ways in which scripts ask for a compiled function; each prints what came of it."""

import warnings

import torch
from torch import nn

DEVICE = "neuron"


def relu_of_product(x, weight):
    return torch.relu(x @ weight) + 1


x = torch.linspace(-1, 1, 64, device=DEVICE).view(8, 8)
weight = torch.eye(8, device=DEVICE) * 3
expected = torch.relu(x.cpu() @ weight.cpu()) + 1


def tell(what, result):
    print(f"{what}: {result.device} {torch.equal(result.cpu(), expected)}")


by_name = torch.compile(relu_of_product, backend="neuron", fullgraph=True)
tell("by name", by_name(x, weight))
tell("by default", torch.compile(relu_of_product)(x, weight))
tell("by dynamo", torch._dynamo.optimize("neuron")(relu_of_product)(x, weight))


@torch.compile
def decorated(x, weight):
    return relu_of_product(x, weight)


tell("decorated", decorated(x, weight))

layer = nn.Linear(8, 8, bias=False).to(DEVICE)
with torch.no_grad():
    layer.weight.copy_(weight.t())
model = nn.Sequential(layer, nn.ReLU())
model.compile(backend="neuron")
print(f"module.compile: {torch.equal(model(x).cpu() + 1, expected)}")

from_host = weight.cpu().requires_grad_()
tell("from the host", by_name(x.cpu(), weight.cpu()))
by_name(x.cpu(), from_host).sum().backward()
on_device = weight.detach().clone().requires_grad_()
by_name(x, on_device).sum().backward()
same = torch.equal(from_host.grad, on_device.grad.cpu())
print(f"gradients: {from_host.grad.device} {on_device.grad.device} {same}")
stays = torch.compile(relu_of_product)(x.cpu(), weight.cpu())
print(f"by default from the host: {stays.device}")

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    tell("mode", torch.compile(relu_of_product, mode="max-autotune")(x, weight))
print("ignored:", [str(each.message) for each in caught if "ignored" in str(each.message)])

try:
    torch.compile(relu_of_product, backend="neuron", dynamic=True)
except RuntimeError as error:
    print("dynamic:", error)


def doubled_in_place(x):
    x.mul_(2)
    return x.sum()


ones = torch.ones(4, device=DEVICE)
print("in place:", torch.compile(doubled_in_place)(ones).item(), ones.tolist())
print("explained:", torch._dynamo.explain(relu_of_product)(x, weight).graph_count)
print("backends:", "neuron" in torch._dynamo.list_backends())


def refuses(x):
    print("not in a graph")
    return x


try:
    torch.compile(refuses, fullgraph=True)(x)
except Exception as error:
    print("fullgraph:", type(error).__name__)
