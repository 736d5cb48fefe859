"""A program that says ``neuron``, on a machine without one."""

import importlib.util

import torch
from torch import nn

assert importlib.util.find_spec("torch_neuronx")
import torch_neuronx  # noqa: E402

assert torch.neuron.is_available()
assert torch.neuron.device_count() == 1
assert torch.neuron.get_device_name() == "Trainium1"
assert torch.accelerator.is_available()
assert torch.accelerator.current_accelerator().type == "neuron"
torch.neuron.set_device(torch.accelerator.current_device_index())
torch.neuron.manual_seed(3)

device = torch.device("neuron", 0)
model = nn.Sequential(nn.Linear(16, 8), nn.LayerNorm(8), nn.Dropout(0.1)).to("neuron")
assert model[0].weight.is_neuron
assert isinstance(model[0].weight, nn.Parameter)
assert torch.randn(2).neuron().device == torch.zeros(1, device="neuron:0").device == device
assert nn.Linear(2, 2).neuron().weight.device == device
with torch.device("neuron"):
    assert torch.empty(1).device == device

optimizer = torch.optim.AdamW(model.parameters())
inputs = torch.randn(4, 16).to(device)
labels = torch.tensor([0, 1, 2, 3], device=torch.neuron.current_device())
for _ in range(2):
    optimizer.zero_grad()
    with torch.autocast("neuron", dtype=torch.bfloat16):
        product = model[0](inputs)
        outputs = model(inputs)
        assert product.dtype == torch.bfloat16
        assert (product + 1).dtype == torch.bfloat16
        assert torch.softmax(product, -1).dtype == torch.float32
        assert outputs.dtype == torch.float32, "a norm is worked out in float32"
        loss = nn.functional.cross_entropy(outputs, labels)
        assert loss.dtype == torch.float32
    loss.backward()
    optimizer.step()
    torch.neuron.synchronize()
    torch.accelerator.synchronize()
    torch_neuronx.synchronize()
assert model[0](inputs).dtype == torch.float32
assert model[0].weight.grad.device == device
assert optimizer.state[model[0].weight]["exp_avg"].device == device
assert loss.cpu().device.type == "cpu"
assert torch.neuron.max_memory_allocated() >= torch.accelerator.memory_allocated() > 4 * 136
model.half()
assert model[0].weight.device == device
