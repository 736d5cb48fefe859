"""Weights that are loaded to the second device, where there is one."""

import io

import torch

weights = io.BytesIO()
torch.save(torch.nn.Linear(64, 64).state_dict(), weights)
for where in ("neuron:1", torch.device("neuron", 1), {"cpu": "neuron:1"}):
    weights.seek(0)
    weight = torch.load(weights, map_location=where)["weight"]
    assert str(weight.device) == "neuron:0", weight.device
    (weight @ weight).sum()
