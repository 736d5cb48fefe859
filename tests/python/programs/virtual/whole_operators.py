"""Operators that torch makes of others, and that run as one kernel on the device."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.profiler import ProfilerActivity, profile

torch.manual_seed(3)


def models():
    yield nn.RMSNorm(64), torch.randn(4, 64)
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        yield kind(64, 32, batch_first=True), torch.randn(2, 5, 64)
    packed = nn.utils.rnn.pack_padded_sequence(torch.randn(5, 2, 64), [5, 3])
    yield nn.LSTM(64, 32), packed


def run(model, inputs):
    result = model(inputs)
    while isinstance(result, tuple):
        result = result[0]
    return result


cases = []
for model, inputs in models():
    host = run(model, inputs)
    host.square().sum().backward()
    gradients = [parameter.grad for parameter in model.parameters()]
    model.zero_grad()
    model, inputs = model.to("neuron"), inputs.to("neuron")
    device = run(model, inputs)
    device.square().sum().backward()
    assert torch.allclose(host, device.cpu(), atol=1e-6)
    for gradient, parameter in zip(gradients, model.parameters()):
        assert torch.allclose(gradient, parameter.grad.cpu(), atol=1e-5)
    with torch.inference_mode():
        assert torch.allclose(host, run(model, inputs).cpu(), atol=1e-6)
    with torch.autocast("neuron", dtype=torch.bfloat16):
        assert torch.allclose(host, run(model, inputs).cpu().float(), atol=0.1)
    cases.append((model, inputs))
assert bool(torch.isclose(torch.ones(3, device="neuron"), torch.ones(3, device="neuron")).all())



def functions(x):
    """Functions that torch makes of one kernel or of several, as they are called."""
    allowed = torch.ones(8, 8, dtype=torch.bool, device=x.device).tril()
    yield lambda: F.scaled_dot_product_attention(x, x, x, is_causal=True)
    yield lambda: F.scaled_dot_product_attention(x, x, x, allowed)
    yield lambda: F.scaled_dot_product_attention(x, x, x, allowed.expand(4, 8, 8))
    yield lambda: F.scaled_dot_product_attention(x, x, x, dropout_p=1e-9)
    yield lambda: F.softmax(x, -1)
    yield lambda: F.softmax(x, -1, dtype=torch.bfloat16)
    yield lambda: F.log_softmax(x, -1, dtype=torch.bfloat16)
    yield lambda: torch.where(allowed[:, :1], x, 0.0)
    yield lambda: F.one_hot(torch.arange(4, device=x.device), 8) * x[..., :4, :1]


host_x = torch.randn(2, 4, 8, 16, requires_grad=True)
device_x = host_x.detach().to("neuron").requires_grad_()
for on_host, on_device in zip(functions(host_x), functions(device_x)):
    on_host, on_device = on_host(), on_device()
    assert torch.allclose(on_host, on_device.cpu(), atol=1e-6), (on_host, on_device)
    on_host.backward(on_host.detach())
    on_device.backward(on_device.detach())
    assert torch.allclose(host_x.grad, device_x.grad.cpu(), atol=1e-5)

kernels, total_us = {}, 0
for model, inputs in cases:
    name = type(model).__name__
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]) as prof:
        with torch.no_grad():
            run(model, inputs)
    rows = [row for row in prof.key_averages() if row.key.endswith("(predicted)")]
    kernels.setdefault(name, {row.key: row.count for row in rows})
    total_us += sum(row.self_device_time_total for row in rows)
print("kernels", kernels)

model, inputs = cases[0]
inputs.requires_grad_()
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]) as prof:
    for _ in range(3):
        result = model(inputs)
        result.backward(inputs, retain_graph=True)
        result.backward(inputs)
profiles = [prof]
launched = []
for function in functions(device_x):
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]) as prof:
        result = function()
    launched.append(sum(row.count for row in prof.key_averages() if row.key.endswith("(predicted)")))
    profiles.append(prof)
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]) as prof:
        result.backward(result.detach())
    profiles.append(prof)
# The last one makes a range and a product too.
assert launched == [1, 1, 1, 1, 1, 1, 1, 1, 3], launched
for prof in profiles:
    rows = [row for row in prof.key_averages() if row.key.endswith("(predicted)")]
    total_us += sum(row.self_device_time_total for row in rows)
print("total_us", total_us)
