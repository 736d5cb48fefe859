"""Reading a value goes on with what is none; deciding by one ends the script, and says where."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from support.fake_runs import FAKE, fake_run, outermost_operators
from support.tool import interpreters

VALUES = FAKE / "values.py"
DECISIONS = FAKE / "decisions.py"

pytestmark = pytest.mark.parametrize("python", interpreters())


LOOP_LINE = 1 + next(
    index for index, line in enumerate(VALUES.read_text().splitlines()) if line.endswith("reads 3")
)


def test_a_read_is_noted_once_a_line_with_its_count(python: str, tmp_path: Path) -> None:
    run = fake_run(tmp_path, VALUES.name, python=python)
    expected: Counter[int] = Counter()
    for number, line in enumerate(VALUES.read_text().splitlines(), 1):
        if stated := re.search(r"# reads (\d+)$", line):
            expected[number] = int(stated[1])
    noted: Counter[int] = Counter()
    for note in run.notes("fake_value_read"):
        assert note["severity"] == ("info" if "gets NaN" in note["message"] else "warning")
        place = re.match(r"values\.py:(\d+) ", note["message"])
        assert place
        noted[int(place[1])] += note["count"]
    assert noted == expected
    (message,) = [
        note["message"]
        for note in run.notes("fake_value_read")
        if note["message"].startswith(f"values.py:{LOOP_LINE} ")
    ]
    assert "NaN" in message
    assert "not a number" in message


def test_a_read_is_in_the_recording(python: str, tmp_path: Path) -> None:
    calls = outermost_operators(fake_run(tmp_path, VALUES.name, python=python).profile)
    place = f"values.py:{LOOP_LINE}"
    assert {call.name: count for call, count in calls.items() if call.line == place} == {
        "aten::sum": 3,
        "aten::item": 3,
    }


DECIDES = "decides by the value of a tensor"
WHY = {
    "equal": "calls aten::equal, whose answer depends on values",
    "bincount": "calls aten::bincount, whose result is as large as values say",
}


def statement(number: int) -> str:
    return DECISIONS.read_text().splitlines()[number - 1].strip()


def test_each_decision_names_its_line(python: str, tmp_path: Path) -> None:
    run = fake_run(tmp_path, DECISIONS.name, python=python)
    tracebacks = re.split(r"^kind (\w+)\n", run.stderr, flags=re.MULTILINE)[1:]
    found: dict[str, str] = {}
    for kind, text in zip(tracebacks[::2], tracebacks[1::2], strict=True):
        assert "/capture/" not in text
        lines = re.findall(r'File ".*decisions\.py", line (\d+)', text)
        sentence = re.search(r"^sidelight\.UnknownValueError: (.*)$", text, re.MULTILINE)
        assert sentence
        assert sentence[1].startswith(f"decisions.py:{lines[-1]} {WHY.get(kind, DECIDES)}")
        assert sentence[1].endswith("--target virtual, which computes")
        found[kind] = statement(int(lines[-1]))
    assert found == {
        "if": "if x.sum() > 3:",
        "bool": "bool(x[0])",
        "while": "while not x.isnan().any():",
        "assert": "assert torch.isfinite(x).all()",
        "equal": "torch.equal(x, x)",
        "bincount": "torch.bincount(x.long())",
        "slice": "x[: x.argmax()]",
        "range": "range(x.argmax())",
        "function": "return x if x.sum() else -x",
    }


@pytest.mark.parametrize(
    ("kind", "steps"),
    [
        ("while", "20"),
        # The recording is over before: nothing traces lines any more.
        ("bool", "1"),
    ],
)
def test_a_decision_ends_the_script_and_keeps_the_profile(
    kind: str, steps: str, python: str, tmp_path: Path
) -> None:
    run = fake_run(tmp_path, DECISIONS.name, kind, options=["--steps", steps], status=1)
    assert run.document["script_exit"] == 1
    assert run.document["device_time_ns"] > 0
    traceback = run.stderr[run.stderr.index("Traceback") :]
    frames = re.findall(r'File "(.*)", line (\d+)', traceback)
    assert {file for file, _ in frames} == {str(DECISIONS)}
    assert statement(int(frames[-1][1])) in {"while not x.isnan().any():", "bool(x[0])"}
    sentence = f"decisions.py:{frames[-1][1]} decides by the value of a tensor"
    assert f"sidelight.UnknownValueError: {sentence}" in traceback
    (note,) = run.notes("fake_value_needed")
    assert note["severity"] == "error"
    assert note["message"].startswith(sentence)
    assert "--target virtual" in note["message"]
