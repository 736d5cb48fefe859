"""A program for two devices, where there is one: its weights on the first, its inputs on both."""

import torch

first = torch.nn.Linear(64, 64).to("neuron:0")
second = torch.nn.Linear(64, 64, device="neuron:1")
inputs = torch.randn(32, 64, device=torch.device("neuron", 1))

outputs = first(inputs) + second(inputs).to("neuron:0")
outputs.sum().backward()
copied = torch.ones(64).to("neuron:1") + torch.zeros(64, device="neuron")

for tensor in (inputs, outputs, copied, first.weight.grad, second.weight):
    assert str(tensor.device) == "neuron:0", tensor.device
