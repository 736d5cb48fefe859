"""An option of Sidelight's that stands after the script went to the script, and that is said."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support import tool

SCRIPT = """\
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int)
print(torch.ones(parser.parse_args().steps or 1).sum())
"""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--name", "other", "--steps=2"], "--name, --steps went to the script"),
        (["--unknown"], ""),
        (["--steps", "2"], ""),
    ],
)
def test_misplaced_options_are_named(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "train.py").write_text(SCRIPT, "utf-8")
    command = [sys.executable, "-m", "sidelight", "profile", "--target", "cpu", "train.py"]
    run = tool.run([*command, *arguments], cwd=tmp_path)
    text = " ".join(run.stderr.split())
    assert ("went to the script" in text) == bool(said)
    assert said in text
