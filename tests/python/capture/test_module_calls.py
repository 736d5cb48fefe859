"""The calls of modules in a recording, against what torch's own hooks see of the same run."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from sidelight.analysis.modules.calls import module_calls
from sidelight.profile.model import Profile
from sidelight.profile.stored_profile import StoredProfile
from support.tool import interpreters, profile_json

SCRIPT = """\
import json
import sys
import threading
import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

seen, open_calls = [], threading.local()


def begins(module, _):
    stack = vars(open_calls).setdefault("stack", [])
    stack.append(type(module).__name__)
    seen.append("/".join(stack))


def ends(module, *_):
    open_calls.stack.pop()


register_module_forward_pre_hook(begins)
register_module_forward_hook(ends, always_call=True)


class Gate(nn.Module):
    def forward(self, x):
        if x.sum() > 1e30:
            raise ValueError("too large")
        return x * torch.sigmoid(x)


class Block(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.up = nn.Linear(8, 8)
        self.gate = Gate()
        self.inner = Block(depth - 1) if depth else None

    def forward(self, x):
        x = self.gate(self.up(x))
        return x if self.inner is None else self.inner(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Block(1) for _ in range(3))
        self.head = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        self.shared = self.head[0]

    def named_modules(self, *_):
        raise RuntimeError("nobody but the script calls this")

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return nn.functional.relu(self.shared(self.head(x)))


net, x = Net(), torch.ones(2, 8)
for _ in range(2):
    net(x)
try:
    net(torch.full((2, 8), 1e38))
except ValueError:
    pass
worker = threading.Thread(target=net, args=(x,))
worker.start()
worker.join()
nn.Linear(8, 8)(x)
json.dump(seen, open(sys.argv[1], "w"))
"""


def paths(profile: Profile) -> list[str]:
    """Each call by those around it, from the outermost."""
    calls = module_calls(profile)
    found: list[str] = []
    for name, caller in zip(calls.names, calls.caller.tolist(), strict=True):
        found.append(f"{found[caller]}/{name}" if caller >= 0 else name)
    return found


def class_of(name: str) -> str:
    return name.partition("(")[2].rstrip(")") or name


@pytest.mark.parametrize("python", interpreters())
def test_every_call_is_there_in_the_calls_around_it(tmp_path: Path, python: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    document = profile_json(
        tmp_path / "store",
        script,
        str(tmp_path / "seen.json"),
        options=("--steps", "9"),
        python=python,
    )
    profile = StoredProfile(Path(document["profile"])).load()
    named = paths(profile)

    classes = Counter("/".join(map(class_of, path.split("/"))) for path in named)
    assert classes == Counter(json.loads((tmp_path / "seen.json").read_text()))
    assert Counter(named)["Net/layers.2 (Block)/inner (Block)/gate (Gate)"] == 3
    assert Counter(named)["Net/head (Sequential)/head.0 (Linear)"] == 3
    # A module that is held twice has the first place that is found: nearest to the top.
    assert Counter(named)["Net/shared (Linear)"] == 3
    assert len(set(module_calls(profile).track.tolist())) == 2


def test_they_are_no_events_and_leave_the_numbers_as_they_are(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    document = profile_json(tmp_path / "store", script, str(tmp_path / "seen.json"))
    profile = StoredProfile(Path(document["profile"])).load()

    used: set[int] = set(profile.events["name"].tolist())
    assert not [name for name in used if "module:" in profile.strings[name]]
    own_ns = sum(line["self_ns"] for line in document["lines"])
    assert own_ns + document["unattributed_ns"] == document["device_time_ns"]
