"""Notes and files read, as a person sees them: each with its code, once, and in few words."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from cli.running import Run
from sidelight.cli.notes import print_codes, print_notes
from sidelight.cli.sources import print_sources
from sidelight.profile.quality import QualityNote
from traces.chrome import operator, write

WARNING = QualityNote("no_stacks", "warning", "No stacks. Record them.", 3)
INFO = QualityNote("no_shapes", "info", "No shapes. Record them.")
ERROR = QualityNote("cuda_not_here", "error", "No CUDA. Take another device.")


def console(width: int = 100) -> Console:
    return Console(file=io.StringIO(), width=width, color_system=None)


def printed(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def notes_shown(notes: Sequence[QualityNote], told: Sequence[QualityNote] = ()) -> str:
    on = console()
    print_notes(on, notes, told)
    return printed(on)


def test_each_note_has_its_code() -> None:
    assert notes_shown([WARNING, INFO, ERROR]) == (
        "! No stacks. Record them. [no_stacks]\n"
        "· No shapes. Record them. [no_shapes]\n"
        "! No CUDA. Take another device. [cuda_not_here]\n"
    )


def test_what_stands_above_is_told_by_its_code() -> None:
    other = QualityNote("no_stacks", "warning", "Other words. Look.")
    text = notes_shown([WARNING, other, INFO, INFO], [WARNING, INFO])
    assert text == (
        "! Other words. Look. [no_stacks]\n! As above: no_stacks\n· As above: no_shapes\n"
    )


def test_codes_come_by_what_matters_most_and_once() -> None:
    on = console()
    print_codes(on, "Both", [INFO, WARNING, ERROR, WARNING])
    assert printed(on) == "! Both: cuda_not_here\n! Both: no_stacks\n· Both: no_shapes\n"


def sources_shown(*paths: str, width: int = 100) -> str:
    on = console(width)
    print_sources(on, paths)
    return printed(on)


def test_files_are_named_below_their_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sources_shown() == ""
    assert sources_shown(str(tmp_path / "run.json")) == "From run.json\n"
    assert sources_shown("/data/a/run.json") == "From /data/a/run.json\n"
    assert sources_shown("/data/a/x.ntff", "/data/b/y.neff") == "From /data: a/x.ntff, b/y.neff\n"
    many = [f"/data/t/{number}.json" for number in range(1005)]
    assert sources_shown(*many) == "From /data/t: 0.json, 1.json, 2.json and 1,002 more\n"


def test_long_and_hostile_paths_are_shown_by_their_end() -> None:
    text = sources_shown("/" + "deep/" * 60 + "run.json", width=40)
    assert text.startswith("From …")
    assert text.endswith("/run.json\n")
    assert cell_len(text.rstrip("\n")) <= 40
    assert "\x1b" not in sources_shown("/data/\x1b[2Jrun.json", "/data/\x1b]0;x\x07.json")


def test_opening_says_what_was_read_and_a_stored_profile_does_not(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "run.json", [operator("aten::mm", 0, 5)])
    opened = run("open", "run.json", "--store", "store")
    assert opened.stdout.splitlines()[1] == "From run.json"
    (stored,) = (tmp_path / "store" / "profiles").iterdir()
    again = run("open", stored, "--store", "store")
    assert again.stdout.splitlines()[0] == opened.stdout.splitlines()[0]
    assert "From " not in again.stdout
    assert "From " not in run("lines", "run", "--store", "store").stdout


def test_what_is_no_profile_in_a_folder_is_named_and_notes_stand_once(
    run: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    for rank in range(2):
        info = {"rank": rank, "world_size": 2}
        path = folder / f"box_{rank + 40}.1.pt.trace.json"
        path.parent.mkdir(exist_ok=True)
        write(path, [operator("aten::mm", 0, 5)], distributedInfo=info)
    for name in ("notes.txt", "odd.json", ".hidden"):
        (folder / name).write_text('{"a": 1}')
    (folder / "deep").mkdir()
    (folder / "deep" / "weights.bin").write_bytes(b"\0")
    text = run("open", folder, "--store", tmp_path / "store").stdout
    assert text.startswith("run#0 (rank 0 of 2)")
    assert text.count("\n\nrun#1 (rank 1 of 2)") == 1, "a blank line parts the profiles"
    words = " ".join(text.split())
    left_out = "no profile were left out: notes.txt, odd.json, deep/weights.bin."
    assert words.count(left_out) == 1
    assert words.count("[files_left_out]") == words.count("[no_stacks]") == 1
    assert words.count("As above: ") == 2
    done = run("open", folder, "--store", tmp_path / "store", "--json")
    for document in json.loads(done.stdout)["profiles"]:
        (note,) = (each for each in document["quality"] if each["code"] == "files_left_out")
        assert (note["severity"], note["count"]) == ("info", 3)
