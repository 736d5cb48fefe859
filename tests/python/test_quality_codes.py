"""docs/data-quality.md lists what the data-quality report can say: all of it, and nothing else."""

from __future__ import annotations

import ast
import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "pyserver" / "sidelight"
DOCUMENT = ROOT / "docs" / "data-quality.md"

SEVERITIES = {"info", "warning", "error"}
CODE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
TELLS = {"QualityNote", "say"}
"""What makes a note, or adds one while a script runs: code and severity come first."""

BY_THE_TABLE = {"pyserver/sidelight/ingest/repair/findings.py"}
"""Where notes are made of a table of codes and sentences, which is found by its form."""

ROW = re.compile(r"\| `([a-z0-9_]+)` \| ([a-z, ]+) \| (.+) \| (.+) \| (.+) \|")
"""Code, severity, what is so, consequence, next step."""

_SHORTEST = 20
"""Texts that are no longer are put together elsewhere, or are no messages."""

Codes = dict[str, set[str]]
"""The severities that a code comes with."""


def called(call: ast.Call) -> str:
    """The plain name of what is called."""
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


class Source:
    """The modules of the package, parsed, and the names that stand for texts in them."""

    def __init__(self) -> None:
        self.trees = {
            path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8"))
            for path in sorted(SOURCE.rglob("*.py"))
        }
        self._texts = {module: dict(texts(tree)) for module, tree in self.trees.items()}
        self._anywhere = {
            name: text for known in self._texts.values() for name, text in known.items()
        }

    def text(self, module: str, node: ast.expr | None) -> str | None:
        """The text that an expression is, where it is one or a constant's name."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.Name):
            return self._texts[module].get(node.id, self._anywhere.get(node.id))
        return None


def texts(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The constants of a module that are texts."""
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        text = value.value if isinstance(value, ast.Constant) else None
        if isinstance(target, ast.Name) and isinstance(text, str):
            yield target.id, text


def severities(node: ast.expr | None) -> set[str]:
    """The severities that an expression can be; empty where it is none."""
    if isinstance(node, ast.IfExp):
        parts = severities(node.body), severities(node.orelse)
        return parts[0] | parts[1] if all(parts) else set()
    text = node.value if isinstance(node, ast.Constant) else None
    return {text} if isinstance(text, str) and text in SEVERITIES else set()


def sequences(node: ast.AST) -> Iterator[list[ast.expr]]:
    """What may hold a code and then its severity: arguments, tuples, and entries of tables."""
    if isinstance(node, ast.Call):
        yield node.args
    elif isinstance(node, ast.Tuple):
        yield node.elts
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None and isinstance(value, ast.Tuple):
                yield [key, *value.elts]


def codes_of(source: Source, module: str) -> Codes:
    """The codes that a module has beside their severities."""
    found: Codes = defaultdict(set)
    for node in ast.walk(source.trees[module]):
        for items in sequences(node):
            for first, second in itertools.pairwise(items):
                code = source.text(module, first)
                if code and CODE.fullmatch(code) and code not in SEVERITIES:
                    for severity in severities(second):
                        found[code].add(severity)
    return found


def passed_on(source: Source, module: str) -> tuple[Codes, set[int]]:
    """The codes that are handed to functions of the package which make notes of them.

    Returns:
        The codes, and the lines on which a code is a function's own parameter.
    """
    found: Codes = defaultdict(set)
    lines: set[int] = set()
    for function in ast.walk(source.trees[module]):
        if not isinstance(function, ast.FunctionDef):
            continue
        parameters = [each.arg for each in function.args.args if each.arg != "self"]
        for call in ast.walk(function):
            if not isinstance(call, ast.Call) or called(call) not in TELLS or len(call.args) < 2:
                continue
            code = call.args[0]
            if isinstance(code, ast.Name) and code.id in parameters[:1]:
                lines.add(call.lineno)
                if severity := severities(call.args[1]):
                    for given in codes_given(source, function.name):
                        found[given] |= severity
    return found, lines


def codes_given(source: Source, function: str) -> Iterator[str]:
    """The codes with which a function is called anywhere."""
    for module, tree in source.trees.items():
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and called(call) == function and call.args:
                code = source.text(module, call.args[0])
                if code is not None:
                    yield code


@pytest.fixture(scope="module")
def source() -> Source:
    return Source()


@pytest.fixture(scope="module")
def known(source: Source) -> Mapping[str, set[str]]:
    """Every code in the source, with its severities."""
    found: Codes = defaultdict(set)
    for module in source.trees:
        for part in (codes_of(source, module), passed_on(source, module)[0]):
            for code, severity in part.items():
                found[code] |= severity
    return found


@pytest.fixture(scope="module")
def documented() -> Mapping[str, set[str]]:
    rows = ROW.findall(DOCUMENT.read_text("utf-8"))
    codes = [row[0] for row in rows]
    assert len(codes) == len(set(codes)), "a code has two rows"
    return {code: set(severity.split(", ")) for code, severity, *_ in rows}


def test_every_note_has_a_code_that_is_found(source: Source) -> None:
    unknown: set[str] = set()
    for module, tree in source.trees.items():
        parameters = passed_on(source, module)[1]
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or called(call) not in TELLS or len(call.args) < 2:
                continue
            if source.text(module, call.args[0]) is None and call.lineno not in parameters:
                unknown.add(module)
    assert unknown <= BY_THE_TABLE


def test_the_document_lists_the_codes_of_the_source(
    known: Mapping[str, set[str]], documented: Mapping[str, set[str]]
) -> None:
    assert known.keys() - documented.keys() == set(), "not in docs/data-quality.md"
    assert documented.keys() - known.keys() == set(), "only in docs/data-quality.md"
    assert documented == known


def test_messages_go_on_after_what_is_so(source: Source) -> None:
    """What follows, or what to do, is a sentence or a clause of its own."""
    short = [message for message in messages(source) if not re.search(r"[.;:] \S|, so ", message)]
    assert short == []


def messages(source: Source) -> Iterator[str]:
    """The messages that stand beside their codes, with dots for what is put into them."""
    for tree in source.trees.values():
        for node in ast.walk(tree):
            for items in sequences(node):
                for severity, message in itertools.pairwise(items):
                    text = written(message)
                    if severities(severity) and len(text) > _SHORTEST:
                        yield text


def written(node: ast.expr) -> str:
    """A text of the source, with dots for what is put into it; empty if it is none."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(written(part) or "…" for part in node.values)
    return ""


def test_a_code_is_told_in_one_place(source: Source) -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for module in source.trees:
        for code in codes_of(source, module):
            places[code].append(module)
    assert {code: modules for code, modules in places.items() if len(modules) > 1} == {}
