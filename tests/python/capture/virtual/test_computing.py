"""Programs on the virtual device that check for themselves what they find, beside the CPU."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.device_checks import COMPUTING, failed_checks


@pytest.mark.parametrize("program", sorted(path.name for path in COMPUTING.glob("*.py")))
def test_programs_compute_what_they_do_on_the_cpu(program: str) -> None:
    failed = failed_checks(program)
    assert not failed, "\n".join(failed.values())


def test_a_check_can_fail(tmp_path: Path) -> None:
    program = tmp_path / "failing.py"
    program.write_text("def check_this(): assert 1 + 1 == 3\ndef check_that(): pass\n")
    assert list(failed_checks(str(program))) == ["check_this"]


def test_importing_registers_nothing() -> None:
    program = (
        "import sys, torch\n"
        "import sidelight.capture.virtual.session\n"
        "assert torch._C._get_privateuse1_backend_name() == 'privateuseone'\n"
        "assert not hasattr(torch, 'neuron')\n"
        "assert 'torch_neuronx' not in sys.modules\n"
        "assert torch.Generator.__module__ == 'torch._C'\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_torch_without_devices_in_python_is_told() -> None:
    program = "import torch; del torch._C._acc; import sidelight.capture.virtual.session"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1] == (
        "ImportError: it cannot have a device that is written in Python, as 2.10 and newer can"
    )
