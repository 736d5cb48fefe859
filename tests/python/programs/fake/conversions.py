"""Modules and tensors that change type, device or owner, and checkpoints."""

import copy
import io
import os
import pickle
import sys

import torch
from torch import nn

directory = sys.argv[1]
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.LSTM(8, 8))
model.scale = nn.Parameter(torch.tensor(2.0))
weight = model[0].weight
optimizer = torch.optim.AdamW(model.parameters())

model(torch.randn(3, 4))[0].sum().backward()
optimizer.step()
for convert, dtype in (
    (lambda: model.half(), torch.float16),
    (lambda: model.bfloat16(), torch.bfloat16),
    (lambda: model.to(torch.float64), torch.float64),
    (lambda: model.to("cpu", torch.float32), torch.float32),
):
    convert()
    assert model[0].weight is weight, "parameters stay the objects they are"
    assert weight.dtype == weight.grad.dtype == dtype
    assert model[1].running_mean.dtype == dtype
    assert model.scale.dtype == dtype
    assert isinstance(weight, nn.Parameter)
model(torch.randn(3, 4))[0].sum().backward()
optimizer.step()
model.to("meta")
assert model[0].weight.is_meta
assert model[0].weight is not weight
model.to_empty(device="cpu")
assert model[0].weight.device.type == "cpu"

tensor = torch.zeros(3)
tensor.data = torch.zeros(2, dtype=torch.half)
assert (tensor.shape, tensor.dtype) == ((2,), torch.half)

twin = copy.deepcopy(model)
assert twin[0].weight is not model[0].weight
assert isinstance(twin[0].weight, nn.Parameter)
twin(torch.randn(3, 4))[0].sum().backward()

state = model.state_dict()
assert twin.load_state_dict(state).missing_keys == []
with torch.device("meta"):
    empty = nn.Linear(4, 8)
empty.load_state_dict(model[0].state_dict(), assign=True)
assert empty.weight.shape == (8, 4)

path = os.path.join(directory, "model.pt")
with open(path, "w") as file:
    file.write("days of training")
torch.save({"model": state, "epoch": 3}, path)
with open(path) as file:
    assert file.read() == "days of training", "a file of the program's is not written over"
loaded = torch.load(path)
assert loaded["epoch"] == 3
twin.load_state_dict(loaded["model"])
torch.save(model, os.path.join(directory, "whole.pt"))
whole = torch.load(os.path.join(directory, "whole.pt"), weights_only=False)
assert isinstance(whole[0].weight, nn.Parameter)
assert os.path.getsize(os.path.join(directory, "whole.pt")) > 0
buffer = io.BytesIO()
torch.save(state, buffer)
buffer.seek(0)
twin.load_state_dict(torch.load(buffer))
assert pickle.loads(pickle.dumps(torch.zeros(2, 3).t())).stride() == (1, 3)

real = torch.load(sys.argv[2], map_location="cpu")
linear = nn.Linear(4, 2)
linear.load_state_dict(real)
assert real["weight"].shape == (2, 4)

torch.load(os.path.join(directory, "missing.pt"))
