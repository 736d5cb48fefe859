"""Saves as scripts do, in a directory where ``best.pt`` is a checkpoint that was there before."""

import copy
import os
import pathlib
import shutil
import sys

import torch
from torch import nn

directory = sys.argv[1]
model = nn.Linear(4, 2)


def path(name):
    return os.path.join(directory, name)


def content(name):
    with open(path(name), "rb") as file:
        return file.read()


before = content("best.pt")

# Through another name, at the end of which the old file is replaced.
for replace in (os.replace, shutil.move, shutil.copyfile):
    torch.save({"weight": torch.zeros(3, 5), "by": replace.__name__}, path("best.tmp"))
    assert os.path.getsize(path("best.tmp")) > 0
    replace(path("best.tmp"), path("best.pt"))
    assert os.path.exists(path("best.tmp")) == (replace is shutil.copyfile)
    loaded = torch.load(path("best.pt"))
    assert loaded["weight"].shape == (3, 5)
    assert loaded["by"] == replace.__name__
    assert content("best.pt") == before
torch.save(model.state_dict(), path("last.tmp"))
pathlib.Path(path("last.tmp")).rename(path("last.pt"))
shutil.copy(path("last.pt"), path("epoch-1.pt"))
os.symlink(path("last.pt"), path("link.pt"))
os.remove(path("epoch-1.pt"))
assert not os.path.exists(path("epoch-1.pt"))
model.load_state_dict(torch.load(path("link.pt")))

# Through a file that the script opens itself.
with open(path("best.pt"), "wb") as file:
    torch.save({"weight": torch.zeros(7)}, file)
assert content("best.pt") == before
assert torch.load(path("best.pt"))["weight"].shape == (7,)
with open(path("opened.pt"), "wb") as file:
    torch.save(model.state_dict(), file)
with open(path("opened.pt"), "rb") as file:
    model.load_state_dict(torch.load(file))
with open(path("other.pt"), "wb") as file:
    file.write(b"of the script's own")
assert content("other.pt") == b"of the script's own"

# Onto another device.
torch.save(model.to("neuron").state_dict(), path("device.pt"))
for where in ("cpu", torch.device("cpu"), {"neuron:0": "cpu"}, lambda storage, place: storage):
    assert torch.load(path("device.pt"), map_location=where)["weight"].device.type == "cpu"
assert torch.load(path("device.pt"))["weight"].device.type == "neuron"
torch.save(nn.Linear(4, 2).state_dict(), path("host.pt"))
assert torch.load(path("host.pt"), map_location="neuron")["weight"].device.type == "neuron"

# A copy knows what the original does.
known = torch.arange(3)
other = copy.deepcopy(known)
other += 1
assert (known.tolist(), other.tolist()) == ([0, 1, 2], [1, 2, 3])
assert copy.deepcopy(other).tolist() == [1, 2, 3]
averaged = torch.optim.swa_utils.AveragedModel(nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)))
averaged.update_parameters(averaged.module)
assert averaged.n_averaged.item() == 1
