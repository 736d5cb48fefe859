"""What fails because of us is not said to be torch's fault, and nothing else runs instead."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from sidelight.capture import own_faults
from sidelight.capture.own_faults import is_own_fault
from support.tool import profile_command, run


@pytest.mark.parametrize("target", ["fake", "virtual", "auto"])
def test_a_fault_of_ours_is_called_so_and_ends_the_run(target: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, types\n"
        "name = '_sidelight.capture.device.rows'\n"
        "sys.modules[name] = types.ModuleType(name)\n"
        "import torch\n"
        "print('computed', torch.ones(2).sum())\n"
    )
    options = ["--target", target, "--json"]
    done = run(profile_command(tmp_path / "store", script, options=options), cwd=tmp_path)
    assert done.status == 1
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "capture_fault"
    assert "failed inside Sidelight (ImportError: cannot import name" in error["message"]
    assert "computed" not in done.stderr


def raised_in(module: str, source: str) -> Exception:
    """What a source raises as code of a module."""
    try:
        exec(source, {"__name__": module, "torch": torch, "own_faults": own_faults})
    except Exception as error:
        return error
    raise AssertionError(source)


@pytest.mark.parametrize(
    ("source", "is_ours"),
    [
        ("unknown", True),
        ("own_faults.nowhere", True),
        ("own_faults.is_own_fault()", True),
        ("torch.nowhere", False),
        ("torch.nn.Parameter(torch.ones(1)).nowhere", False),
        ("class Own(torch.nn.Module): pass\nOwn.nowhere", False),
        ("torch.ones(2) @ torch.ones(3)", False),
        ("import torch.nowhere", False),
        ("from torch import nowhere", False),
    ],
)
def test_faults_are_told_apart_by_where_they_were_raised(source: str, is_ours: bool) -> None:
    assert is_own_fault(raised_in("sidelight.capture.fake.mode", source)) is is_ours
    # There all that torch may keep elsewhere is named, and beyond it there is torch.
    assert not is_own_fault(raised_in("sidelight.capture.virtual.private", source))
    assert not is_own_fault(raised_in("torch._ops", source))


def test_what_is_missing_in_a_module_of_ours_is_our_fault_wherever_it_is_wanted() -> None:
    source = "from sidelight.capture.own_faults import nowhere"
    for module in ("sidelight.capture.fake.mode", "sidelight.capture.virtual.private"):
        assert is_own_fault(raised_in(module, source))
