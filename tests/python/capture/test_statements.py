"""Lines and entries of statements, against programs that know their own counts.

Every CPython on this machine runs two kinds of program under a small tracer: written by hand, with
the count of each line in a comment (``#= 3``; ``#^ 3`` for the line before, where a comment cannot
stand; nothing means none), and random ones that count themselves.
"""

from __future__ import annotations

import json
import re
import subprocess
import tokenize
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

import sidelight
from capture.statement_programs.counting import MAX_HITS, nested_code
from capture.statement_programs.generate import random_program
from sidelight.capture.statements import StatementMap
from support.interpreters import installed_interpreters
from support.tool import TIMEOUT_S

PROGRAMS = Path(__file__).parent / "statement_programs"
SOURCE_ROOT = Path(sidelight.__file__).parents[1]

ANSWER = re.compile(r"#([=^~]) (\d+)(?: since 3\.(\d+))?(?: before 3\.(\d+))?")
NEEDS = re.compile(r"\A# requires 3\.(\d+)")
RANDOM_PROGRAMS = 60

with_every_python = pytest.mark.parametrize("python", installed_interpreters(), ids=str)


def minor_version(python: str) -> int:
    command = [python, "-c", "import sys; print(sys.version_info[1])"]
    return int(subprocess.run(command, capture_output=True, check=True).stdout)


def counted(python: str, programs: list[Path]) -> dict[str, Any]:
    """Run programs under the tracer that capture uses on this interpreter."""
    mode = "monitoring" if minor_version(python) >= 12 else "settrace"
    command = [python, str(PROGRAMS / "counting.py"), str(SOURCE_ROOT), mode]
    done = subprocess.run(
        [*command, *map(str, programs)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def text_of(program: Path) -> str:
    with tokenize.open(program) as file:
        return file.read()


def answers(text: str, minor: int) -> dict[int, tuple[str, int] | None]:
    """Read ``{line: (kind, number)}``; None where this version has no answer to give."""
    found: dict[int, tuple[str, int] | None] = {}
    for number, line in enumerate(text.split("\n"), 1):
        match = ANSWER.search(line)
        if match is None:
            continue
        kind, value, since, before = match.groups()
        applies = int(since or 0) <= minor < int(before or 99)
        found[number - (kind == "^")] = (kind, int(value)) if applies else None
    return found


@with_every_python
def test_programs_with_known_counts(python: str) -> None:
    minor = minor_version(python)
    texts = {path: text_of(path) for path in sorted(PROGRAMS.glob("*.py.txt"))}
    assert len(texts) >= 10
    fitting = [
        path
        for path, text in texts.items()
        if (needs := NEEDS.match(text)) is None or int(needs[1]) <= minor
    ]
    results = counted(python, fitting)
    wrong: list[str] = []
    for path in fitting:
        entries = results[str(path)]["entries"]
        expected = answers(texts[path], minor)
        for number, line in enumerate(texts[path].split("\n"), 1):
            answer = expected.get(number, ("=", 0))
            got = entries.get(str(number), 0)
            if answer is not None and got != answer[1]:
                wrong.append(f"{path.name}:{number}: {got}, not {answer[1]}: {line.strip()}")
    assert not wrong, "\n".join(wrong)


@pytest.fixture(scope="session")
def random_programs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    directory = tmp_path_factory.mktemp("random_programs")
    paths = [directory / f"{seed}.py" for seed in range(RANDOM_PROGRAMS)]
    for seed, path in enumerate(paths):
        path.write_text(random_program(seed))
    return paths


@with_every_python
def test_random_programs_count_themselves(python: str, random_programs: list[Path]) -> None:
    minor = minor_version(python)
    results = counted(python, random_programs)
    right = 0
    wrong: list[str] = []
    for path in random_programs:
        entries, hits = results[str(path)]["entries"], results[str(path)]["hits"]
        if sum(hits.values()) > MAX_HITS:
            continue  # Stopped in mid-flight, between a statement and those that count it.
        text = path.read_text()
        same_as = answers(text, minor)
        for number, line in enumerate(text.split("\n"), 1):
            answer = same_as.get(number, ("~", number))
            if answer is None:
                continue
            expected, got = hits.get(str(answer[1]), 0), entries.get(str(number), 0)
            if got != expected:
                wrong.append(f"{path.name}:{number}: {got}, not {expected}: {line.strip()}")
            elif got:
                right += 1
    assert right > 40 * RANDOM_PROGRAMS
    # Compilers before 3.12 leave traces of statements they have removed, and of blocks they close,
    # on lines where nothing tells them from the statement itself.
    allowed = 0 if minor >= 12 else right / 1000
    assert len(wrong) <= allowed, "\n".join(wrong)


def shown_lines(source: str) -> dict[str, dict[int, int]]:
    """Map ``{name of code: {line: line it shows at}}``."""
    statements = StatementMap(source)
    shown: dict[str, dict[int, int]] = {}
    for code in nested_code(compile(source, "program.py", "exec")):
        lines = shown.setdefault(code.co_name, {})
        for offset, _, line in code.co_lines():
            if line:
                lines[line] = statements.resolve(code, offset)[0]
    return shown


STATEMENTS = """\
x = max(
    1,
    min(
        2, 3
    )
)
for i in (
    x,
): print(
    end=""
)
@str
@max(
    1,
    2)
def f(
    x=min(1, 2),
): return x
table = {
    "a": lambda x: (
        x
        + 1),
    "b": lambda x: list(
        y
        for y in x),
}
total = sum(
    y
    for y in [1])
"""
# Which of its lines have code of their own differs between versions.
SHOWN = {
    "<module>": {1: 1, 7: 7, 12: 12, 13: 13, 16: 16, 19: 19, 27: 27},
    "f": {12: 12, 18: 18},
    "<lambda>": {20: 20, 23: 23},
    "<genexpr>": {23: 23, 27: 27},
}


@pytest.mark.parametrize("name", SHOWN)
def test_statements_show_at_their_first_lines(name: str) -> None:
    shown = shown_lines(STATEMENTS)[name]
    first_lines = SHOWN[name]
    expected = {
        line: first_lines[max(first for first in first_lines if first <= line)] for line in shown
    }
    assert shown == expected
    assert set(shown.values()) >= set(first_lines.values()) - {16}


WHILE = """\
def f(x):
    while x:
        x -= 1
        if x == 5:
            break
    return x
"""


def test_where_a_frame_was_before_tells_a_new_loop_from_another_round() -> None:
    code = next(each for each in compile(WHILE, "f.py", "exec").co_consts if is_code(each))
    statements = StatementMap(WHILE)
    first_offset: dict[int, int] = {}
    for offset, _, line in code.co_lines():
        first_offset.setdefault(line or 0, offset)
    test = first_offset[2]
    assert statements.resolve(code, test) == (2, True)
    assert statements.resolve(code, test, first_offset[1]) == (2, True)
    assert statements.resolve(code, test, first_offset[4]) == (2, False)
    assert statements.resolve(code, test, first_offset[5]) == (2, True)


def is_code(constant: object) -> bool:
    return isinstance(constant, CodeType)


@pytest.mark.parametrize(
    "source",
    ["this does not parse", b"\xff\xfe", "def g(): pass", ""],
    ids=["broken", "undecodable", "another", "empty"],
)
def test_source_that_does_not_fit_is_taken_line_by_line(source: str | bytes) -> None:
    code = next(each for each in compile(WHILE, "f.py", "exec").co_consts if is_code(each))
    statements = StatementMap(source)
    entries = [
        statements.resolve(code, offset) for offset, _, line in code.co_lines() if line is not None
    ]
    assert {line for line, _ in entries} <= set(range(1, 7))
    # Some compilers write the last statement once for each way to it.
    entered = dict.fromkeys(line for line, is_entry in entries if is_entry)
    assert list(entered) == [2, 3, 4, 5, 6]


@pytest.mark.filterwarnings("error")
def test_warnings_about_the_source_are_not_repeated() -> None:
    code = compile("x = 1", "program.py", "exec")
    lines = {StatementMap("x = '\\d'").resolve(code, offset)[0] for offset, _, _ in code.co_lines()}
    assert lines == {1}
