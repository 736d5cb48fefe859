"""A backend as a package for a device brings one, made of torch's own parts, and a graph break."""

import torch
from torch._dynamo.backends.common import aot_autograd


def compiler(module, example_inputs):
    def run(arguments):
        return module.forward(*arguments)

    run._boxed_call = True
    return run


def halved(x, w):
    hidden = x @ w
    print("a graph ends here")
    return hidden.relu() / 2


compiled = torch.compile(halved, backend=aot_autograd(fw_compiler=compiler))
x = torch.ones(4, 8).to("neuron")
w = torch.ones(8, 8, device="neuron", requires_grad=True)
for _ in range(2):
    y = compiled(x, w)
    y.sum().backward()
print("result", y.sum().item(), w.grad.sum().item())
