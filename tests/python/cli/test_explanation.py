"""``lines --explain``: which line is meant, what its prediction rests on, and in which words."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from cli.contract import check_report
from cli.priced import EVIL, STEPS, write_program
from cli.running import Run
from sidelight.hardware.cores import logical_core
from sidelight.profile import units

KERNEL_TEXTS = ("name", "rule", "engine", "dtype", "bound")


@pytest.fixture
def priced(run: Run, tmp_path: Path) -> Path:
    """A store with the program priced for trn2, as ``program``."""
    capture = write_program(tmp_path / "capture")
    store = tmp_path / "store"
    opening = ("--device", "trn2", "--name", "program", "--store", store)
    assert run("open", capture, *opening).status == 0
    return store


def explained(run: Run, store: Path, *arguments: str) -> Any:
    done = run("lines", "program", "--store", store, "--json", "--explain", *arguments)
    assert done.status == 0, done.stdout
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("which", "file", "line"),
    [
        (["model.py:12"], "/project/net/model.py", 12),
        (["net/model.py:12"], "/project/net/model.py", 12),
        (["/project/train.py:12"], "/project/train.py", 12),
        (["12", "--file", "train.py"], "/project/train.py", 12),
    ],
)
def test_a_line_is_told_by_number_and_file(
    run: Run, priced: Path, which: list[str], file: str, line: int
) -> None:
    document = explained(run, priced, *which)
    explanation = document.pop("explanation")
    assert (explanation["file"], explanation["line"]) == (file, line)
    check_report(document)
    (stats,) = [each for each in document["lines"] if (each["file"], each["line"]) == (file, line)]
    assert sum(kernel["total_ns"] for kernel in explanation["kernels"]) == stats["predicted_ns"]
    assert sum(each["count"] * each["flops"] for each in explanation["kernels"]) == stats["flops"]
    assert (
        sum(each["count"] * each["hbm_bytes"] for each in explanation["kernels"])
        == stats["hbm_bytes"]
    )


def test_a_kernel_says_what_it_rests_on(run: Run, priced: Path) -> None:
    product, exponential = explained(run, priced, "model.py:12")["explanation"]["kernels"]
    assert product["name"] == "aten::mm"
    assert product["shapes"] == ["bfloat16 [4096, 1024]", "bfloat16 [1024, 2048]"]
    assert product["flops"] == 2 * 4096 * 1024 * 2048
    assert product["hbm_bytes"] == 2 * (4096 * 1024 + 1024 * 2048 + 4096 * 2048)
    assert product["count"] == 2 * STEPS
    assert (product["engine"], product["dtype"], product["bound"]) == ("Tensor", "bf16", "compute")
    core = logical_core("trn2")
    roof_ns = 1e9 * product["flops"] / core.tensor_flops_per_s["bf16"]
    assert product["roof_ns"] == pytest.approx(roof_ns, abs=1)
    assert product["duration_ns"] > product["roof_ns"]
    assert exponential["name"] == "aten::exp"
    assert exponential["hbm_bytes"] == 2 * 4 * 4096 * 4096
    roof_ns = 1e9 * exponential["hbm_bytes"] / core.hbm_bytes_per_s
    assert exponential["roof_ns"] == pytest.approx(roof_ns, abs=1)


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_the_words_say_the_numbers_of_the_document(
    run: Run, priced: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    kernels = explained(run, priced, "model.py:12")["explanation"]["kernels"]
    monkeypatch.setenv("COLUMNS", str(columns))
    done = run("lines", "program", "--store", priced, "--explain", "model.py:12")
    assert done.status == 0
    told, _, facts = done.stdout.partition("Reckoned with")
    assert max(map(len, told.splitlines())) <= min(columns, 100)
    words = " ".join(told.split())
    for kernel in kernels:
        for text in (
            f"≈{units.duration(kernel['total_ns'] / STEPS)} a step, "
            f"{units.mean_count(kernel['count'], STEPS)}× {kernel['name']}"
            f"({', '.join(kernel['shapes'])})",
            kernel["rule"],
            units.flops(kernel["flops"]),
            units.size(kernel["hbm_bytes"]),
            f"roof ≈{units.duration(kernel['roof_ns'])} ({kernel['dtype']})",
            f"≈{units.duration(kernel['duration_ns'])} = ≈"
            f"{units.duration(kernel['duration_ns'] - kernel['fixed_ns'])} at work + "
            f"≈{units.duration(kernel['fixed_ns'])} to start and end · {kernel['bound']}-bound",
            f"≈{units.duration(kernel['launch_ns'])} each, which is no device time",
        ):
            assert text in words
    assert "trn2, LNC 2" in words
    assert "uncalibrated" in words
    parameters = explained(run, priced, "model.py:12")["pricing"]["parameters"]
    for parameter in parameters:
        assert parameter["name"] in facts
        assert parameter["source"] in facts


@pytest.mark.parametrize(
    ("which", "code", "words"),
    [
        (
            "12",
            "no_such_line",
            "more than one line 12. Say which, as in model.py:12 or train.py:12",
        ),
        ("13", "no_such_line", "Line 13 of program has no device time"),
        ("other.py:12", "no_such_file", "No line of program is in other.py. It knows model.py"),
    ],
)
def test_a_line_that_is_not_there(
    run: Run, priced: Path, which: str, code: str, words: str
) -> None:
    done = run("lines", "program", "--store", priced, "--explain", which, "--json")
    assert done.status == 3
    error = json.loads(done.stdout)["error"]
    assert error["code"] == code
    assert words in error["message"]


def test_a_line_without_sizes_is_said_to_have_no_price(run: Run, priced: Path) -> None:
    document = explained(run, priced, "train.py:30")
    assert document["explanation"]["kernels"] == []
    (line,) = [each for each in document["lines"] if each["line"] == 30]
    assert line["predicted_ns"] is line["flops"] is line["hbm_bytes"] is None
    text = run("lines", "program", "--store", priced, "--explain", "30").stdout
    assert "What the line asks of the device is not in the recording." in text


def test_a_profile_without_prices_is_told_how_to_get_them(run: Run, tmp_path: Path) -> None:
    capture, store = write_program(tmp_path / "capture"), tmp_path / "store"
    assert run("open", capture, "--name", "bare", "--store", store).status == 0
    done = run("lines", "bare", "--store", store, "--explain", "30", "--json")
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "not_priced"
    assert "--device trn2" in error["message"]


def test_hostile_names_are_shown_and_not_obeyed(run: Run, tmp_path: Path) -> None:
    capture, store = write_program(tmp_path / "capture", evil=EVIL), tmp_path / "store"
    opening = ("--device", "trn2", "--name", "program", "--store", store)
    texts = [run("open", capture, *opening)]
    texts += [run("lines", "program", "--store", store, "--explain", f"model.py{EVIL}:12")]
    texts += [run("lines", "program", "--store", store, "--explain", "12")]
    for done in texts:
        shown = done.stdout + done.stderr
        assert "evil" in shown
        assert not [
            each for each in shown if unicodedata.category(each) in ("Cc", "Cf") and each != "\n"
        ]
    kernels = explained(run, store, f"model.py{EVIL}:12")["explanation"]["kernels"]
    assert f"float{EVIL} [4096, 4096]" in [shape for each in kernels for shape in each["shapes"]]
