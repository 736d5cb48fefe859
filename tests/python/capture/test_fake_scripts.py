"""What ordinary scripts do runs without values: most of it checks for itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch

from support.fake_runs import FAKE, fake_run
from support.tool import interpreters

every_python = pytest.mark.parametrize("python", interpreters())


@every_python
def test_ordinary_calls(python: str, tmp_path: Path) -> None:
    done = fake_run(tmp_path, "ordinary.py", python=python)
    assert not [note for note in done.document["quality"] if note["severity"] == "error"]
    stated = {
        (number, int(largest[1]))
        for number, line in enumerate((FAKE / "ordinary.py").read_text().splitlines(), 1)
        if (largest := re.search(r"# at most (\d+)$", line))
    }
    noted: set[tuple[int, int]] = set()
    for note in done.notes("fake_largest_shape"):
        assert note["severity"] == "warning"
        found = re.match(
            r"ordinary\.py:(\d+) .* takes the most there could be, (\d+);", note["message"]
        )
        assert found
        noted.add((int(found[1]), int(found[2])))
    assert noted == stated


@every_python
def test_a_script_finds_what_it_saved_and_a_checkpoint_stays(python: str, tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    best = files / "best.pt"
    torch.save({"weight": torch.arange(6.0)}, best)
    torch.save({"weight": torch.arange(6.0)}, files / "other.pt")
    before = best.read_bytes()
    done = fake_run(tmp_path / "store", "saving.py", files, python=python)
    assert best.read_bytes() == before
    assert (files / "other.pt").read_bytes() == b"of the script's own"
    assert {file.name for file in files.iterdir()} == {"best.pt", "other.pt", "link.pt"}
    assert {note["severity"] for note in done.notes("checkpoint_not_written")} == {"info"}


@every_python
def test_workers_that_are_started_anew_get_their_samples(python: str, tmp_path: Path) -> None:
    fake_run(tmp_path, "spawned.py", python=python)


def test_a_group_of_processes_is_made_and_sending_values_is_refused(tmp_path: Path) -> None:
    done = fake_run(tmp_path / "store", "groups.py", tmp_path / "meeting", status=1)
    (note,) = done.notes("fake_values_sent")
    line = len((FAKE / "groups.py").read_text().splitlines())
    assert note["message"].startswith(f"groups.py:{line} makes DistributedDataParallel")
    assert note["message"].endswith("--target virtual, which computes.")
    assert f"sidelight.UnknownValueError: groups.py:{line} makes" in done.stderr
