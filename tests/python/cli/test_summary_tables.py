"""``sidelight summary --table``: what it prints, in each of its forms."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import pytest

from support.stored import store_training


@pytest.fixture(name="directory", scope="module")
def stored_directory(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(store_training(tmp_path_factory.mktemp("tables")).directory)


def printed(*words: str, columns: int = 400) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "sidelight", "summary", *words],
        capture_output=True,
        env={"COLUMNS": str(columns), "PYTHONUTF8": "1"},
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def test_rows_are_printed_as_means_of_steps_with_their_sums(directory: str) -> None:
    lines = printed(directory, "--table", "lines", "--filter", "model.py:26").stdout.splitlines()
    assert lines[0] == "train: 2.23 ms of device time a step, measured on the CPU"
    heading, row, sums = lines[2:]
    assert heading.split()[:6] == ["line", "source", "self", "total", "forward", "backward"]
    assert row.startswith("model.py:26   hidden = torch.nn.functional.gelu(hidde…")
    # 88 µs forward and 121 µs backward in each of four steps, of 2.23 ms.
    assert row.split("…")[1].split()[:8] == [
        *("209", "µs", "209", "µs", "88.0", "µs", "121", "µs"),
    ]
    assert sums.split()[:5] == ["all", "of", "these", "209", "µs"]
    assert "9.4%" in row
    assert "9.4%" in sums


def test_a_narrow_terminal_names_what_it_has_no_room_for(directory: str) -> None:
    lines = printed(directory, "--table", "operators", columns=60).stdout.splitlines()
    assert max(map(len, lines)) <= 60
    assert "In a wider terminal, or with --csv:" in "\n".join(lines)


def test_documents_and_csv_hold_sums(directory: str) -> None:
    whole = json.loads(printed(directory, "--json").stdout)["tables"]["operators"]
    words = [directory, "--table", "operators", "--sort", "count", "--ascending"]
    page = json.loads(printed(*words, "--json").stdout)
    counts = [row["count"] for row in page["rows"]]
    assert counts == sorted(counts)
    assert page["total"] == len(whole["rows"])
    assert page["sums"]["self_ns"] == sum(row["self_ns"] for row in whole["rows"])
    text = printed(*words, "--csv").stdout
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["name"] for row in rows] == [row["name"] for row in page["rows"]]
    assert [int(row["self_ns"]) for row in rows] == [row["self_ns"] for row in page["rows"]]
    assert {row["time_kind"] for row in rows} == {"measured"}


def test_groups_add_up(directory: str) -> None:
    words = [directory, "--table", "lines", "--group-by", "file", "--json"]
    page = json.loads(printed(*words).stdout)
    assert sum(row["self_ns"] for row in page["rows"]) == page["sums"]["self_ns"]
    assert page["rows"][0]["rows"] > 1


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--csv"], 2, "--csv is of a table: name one with --table."),
        (["--sort", "count"], 2, "--sort is of a table"),
        (["--table", "lines", "--ascending"], 2, "--ascending needs a column"),
        (["--table", "lines", "--csv", "--json"], 2, "choose one"),
        (
            ["--table", "lines", "--sort", "colour"],
            3,
            "The table has no column colour. It has name",
        ),
    ],
)
def test_what_makes_no_sense_is_said(
    directory: str, words: list[str], status: int, said: str
) -> None:
    done = printed(directory, *words)
    assert done.returncode == status
    assert said in done.stdout + done.stderr


def test_where_there_are_no_rows_that_is_said(directory: str) -> None:
    done = printed(directory, "--table", "tensors")
    assert "There is no such row." in done.stdout
