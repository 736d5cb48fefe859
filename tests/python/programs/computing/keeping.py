"""What is copied, written to files and read again, and what comes from loaders."""

import copy
import io
import os
import pickle
import tempfile

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def check_copies():
    tensor = torch.arange(6.0, device="neuron").view(2, 3)
    for duplicate in (copy.deepcopy(tensor), tensor.clone(), copy.deepcopy([tensor, tensor.t()])[0]):
        assert torch.equal(duplicate, tensor)
        duplicate.zero_()
        assert tensor.sum().item() == 15
    first, second = copy.deepcopy((tensor, tensor[1]))
    first.zero_()
    assert second.tolist() == [0, 0, 0], "what shares memory does so in the copy"
    model = nn.Linear(2, 2).neuron()
    twin = copy.deepcopy(model)
    with torch.no_grad():
        twin.weight.zero_()
    assert model.weight.abs().sum().item() > 0
    assert twin.weight.device.type == "neuron"


def check_pickles():
    tensor = torch.arange(6.0, device="neuron").view(2, 3).t()
    read = pickle.loads(pickle.dumps(tensor))
    assert read.device.type == "neuron"
    assert read.stride() == (1, 3)
    assert torch.equal(read, tensor)
    parameter = pickle.loads(pickle.dumps(nn.Parameter(tensor)))
    assert type(parameter) is nn.Parameter


def check_files():
    tensor = torch.arange(6.0, device="neuron").view(2, 3)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights.pt")
        torch.save({"whole": tensor, "part": tensor[1], "number": 3}, path)
        for keywords in (
            {}, {"weights_only": False}, {"map_location": "neuron"}, {"map_location": "neuron:0"},
            {"map_location": torch.device("neuron")}, {"map_location": "neuron:1"}, {"mmap": True, "map_location": "neuron"},
            {"map_location": lambda storage, place: storage.to(device="neuron")},
        ):  # fmt: skip
            read = torch.load(path, **keywords)
            assert read["whole"].device.type == "neuron", keywords
            assert torch.equal(read["whole"], tensor)
            read["whole"].zero_()
            assert read["part"].sum().item() == 0, "they share memory in the file too"
        for keywords in ({"map_location": "cpu"}, {"map_location": {"neuron:0": "cpu"}}):
            read = torch.load(path, **keywords)
            assert read["whole"].device.type == "cpu"
            assert read["whole"].tolist() == tensor.tolist()
        torch.save(tensor.cpu(), path)
        assert torch.load(path, map_location="neuron").device.type == "neuron"
    old = io.BytesIO()
    torch.save(tensor, old, _use_new_zipfile_serialization=False)
    old.seek(0)
    assert torch.equal(torch.load(old), tensor)


def check_states_of_modules_and_optimizers():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)).neuron()
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.randn(4, 3, device="neuron")).sum().backward()
    optimizer.step()
    file = io.BytesIO()
    torch.save([model.state_dict(), optimizer.state_dict()], file)
    for device in ("neuron", "cpu"):
        file.seek(0)
        weights, state = torch.load(file, map_location=device)
        other = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)).to("neuron")
        other.load_state_dict(weights)
        assert all(torch.equal(a, b) for a, b in zip(other.state_dict().values(), model.state_dict().values()))
        assert all(value.device.type == "neuron" for value in other.state_dict().values())
        again = torch.optim.AdamW(other.parameters())
        again.load_state_dict(state)
        assert again.state[other[0].weight]["exp_avg"].device.type == "neuron"


def check_loaders():
    data = TensorDataset(torch.arange(8.0).view(8, 1))
    for workers in (0, 2):
        loader = DataLoader(data, batch_size=4, num_workers=workers, pin_memory=True)
        batches = [batch for (batch,) in loader]
        assert all(batch.is_pinned() for batch in batches)
        moved = [batch.to("neuron", non_blocking=True) for batch in batches]
        assert torch.cat(moved).flatten().tolist() == list(range(8))
    assert not torch.ones(2).is_pinned()
    assert torch.ones(2).pin_memory().is_pinned()
    held = torch.ones(2).pin_memory()
    assert held.pin_memory() is held
    rows = [torch.ones(2, device="neuron"), torch.zeros(2, device="neuron")]
    assert torch.utils.data.default_collate(rows).device.type == "neuron"


def check_storages():
    tensor = torch.arange(4.0, device="neuron")
    storage = tensor.untyped_storage()
    assert storage.cpu().device.type == "cpu"
    assert storage.clone().device.type == "neuron"
    assert bytes(storage.tolist()) == tensor.cpu().numpy().tobytes()
    made = torch.UntypedStorage(16, device="neuron")
    made.copy_(storage)
    other = torch.empty(0, device="neuron").set_(made)
    assert torch.equal(other, tensor)
    storage.resize_(0)
    storage.resize_(16)
    with pytest.raises(RuntimeError, match="cannot be made larger"):
        storage.resize_(17)


def check_memory_is_given_back(session):
    import gc

    allocated = torch.neuron.memory_allocated
    gc.collect()
    before = allocated()
    tensor = torch.zeros(1000, device="neuron")
    view = tensor[10:].view(-1)
    assert allocated() - before == 4000
    del tensor
    gc.collect()
    assert view.sum().item() == 0
    assert allocated() - before == 4000
    storage = view.untyped_storage()
    del view
    assert allocated() - before == 4000
    del storage
    assert allocated() == before
    for _ in range(100):
        torch.ones(1000, device="neuron").add_(1).sum()
    assert allocated() == before
    with pytest.warns(UserWarning, match="was resized"):
        room = torch.ones(10, device="neuron")
        torch.add(torch.ones(20, device="neuron"), 1, out=room)
    assert allocated() - before == 80
    del room
    assert allocated() == before
