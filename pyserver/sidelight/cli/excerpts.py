"""Which source to show: the functions where the time is, and the lines around it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sidelight.analysis.report import LineReport, LineStats
from sidelight.analysis.source_texts import SourceTexts
from sidelight.profile.manifest import SourceFile

_ENOUGH = 0.95
"""Functions are shown, hottest first, until this part of the attributed time is covered."""
_MOST_FUNCTIONS = 8
_WHOLE_FUNCTION_LINES = 12
"""A function this short is shown whole."""
_MOST_LINES = 16
"""Of a longer one, this many of its hottest lines are, each with its surroundings."""
_AROUND = 1
_COLD = 0.001
"""Lines below this part of the device time are not worth a place of their own."""


@dataclass(frozen=True)
class Function:
    """A function of a source file, or what of a module is outside any.

    Attributes:
        name: Qualified; empty for a module's own lines.
        first_line: Its first line, decorators included; 1-based.
        last_line: Its last.
    """

    name: str
    first_line: int
    last_line: int


@dataclass
class Excerpt:
    """A function's lines worth showing.

    Attributes:
        function: The function.
        self_ns: Device time of its own lines.
        lines: 1-based line numbers to show, ascending.
    """

    function: Function
    self_ns: int = 0
    stats: list[LineStats] = field(default_factory=list[LineStats])
    lines: list[int] = field(default_factory=list[int])


@dataclass
class FileExcerpts:
    """What to show of one file.

    Attributes:
        path: The file.
        text: Its lines, as they ran; none where that is not known.
        excerpts: Its hot functions, from top to bottom.
        stats: What is known of each line with time, by line number.
    """

    path: str
    text: list[str]
    excerpts: list[Excerpt]
    stats: dict[int, LineStats]

    @property
    def self_ns(self) -> int:
        """Device time of the file's lines, those not shown included."""
        return sum(stats.self_ns for stats in self.stats.values())


@dataclass(frozen=True)
class Selection:
    """What to show of a profile.

    Attributes:
        files: The file with most time first.
        hidden_functions: How many functions with device time of their own are left out.
        hidden_ns: Their device time.
    """

    files: list[FileExcerpts]
    hidden_functions: int
    hidden_ns: int


def select_excerpts(report: LineReport, files: Sequence[SourceFile]) -> Selection:
    """Choose the functions that hold nearly all attributed time, and their lines worth showing."""
    texts = SourceTexts(files)
    by_file: dict[str, dict[int, LineStats]] = {}
    for stats in report.lines:
        by_file.setdefault(stats.file, {})[stats.line] = stats
    found: dict[str, list[Excerpt]] = {
        path: _by_function(texts.lines(path), stats) for path, stats in by_file.items()
    }
    hottest = sorted(
        (excerpt for excerpts in found.values() for excerpt in excerpts if excerpt.self_ns),
        key=lambda excerpt: -excerpt.self_ns,
    )
    shown = list(_until_enough(hottest, report.attributed_ns))
    for excerpt in shown:
        _choose_lines(excerpt, report.device_time_ns)
    shown_ids = {id(excerpt) for excerpt in shown}
    selected = [
        FileExcerpts(path, texts.lines(path), kept, by_file[path])
        for path, excerpts in found.items()
        if (kept := [excerpt for excerpt in excerpts if id(excerpt) in shown_ids])
    ]
    selected.sort(key=lambda file: -file.self_ns)
    hidden = [excerpt for excerpt in hottest if id(excerpt) not in shown_ids]
    return Selection(selected, len(hidden), sum(excerpt.self_ns for excerpt in hidden))


def functions_of(text: Sequence[str]) -> list[Function]:
    """The functions of a source, outer before inner; none where it is no Python."""
    try:
        tree = ast.parse("\n".join(text))
    except (SyntaxError, ValueError, RecursionError):
        return []
    return list(_functions_below(tree, ""))


def _functions_below(node: ast.AST, prefix: str) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        name = prefix
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{prefix}.{child.name}" if prefix else child.name
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min(part.lineno for part in (child, *child.decorator_list))
            yield Function(name, first, child.end_lineno or child.lineno)
        yield from _functions_below(child, name)


def _by_function(text: list[str], stats: dict[int, LineStats]) -> list[Excerpt]:
    """A file's lines with time, by the innermost function around each, top to bottom."""
    functions = [Function("", 1, len(text)), *functions_of(text)]
    excerpts: dict[Function, Excerpt] = {}
    for number in sorted(stats):
        # Outer functions come before inner ones: the last that fits is the innermost.
        around = [f for f in functions if f.first_line <= number <= f.last_line]
        function = around[-1] if around else functions[0]
        excerpt = excerpts.setdefault(function, Excerpt(function))
        excerpt.stats.append(stats[number])
        excerpt.self_ns += stats[number].self_ns
    return sorted(excerpts.values(), key=lambda excerpt: excerpt.function.first_line)


def _until_enough(hottest: list[Excerpt], attributed_ns: int) -> Iterator[Excerpt]:
    covered_ns = 0
    for excerpt in hottest[:_MOST_FUNCTIONS]:
        if covered_ns >= _ENOUGH * attributed_ns:
            return
        covered_ns += excerpt.self_ns
        yield excerpt


def _choose_lines(excerpt: Excerpt, device_time_ns: int) -> None:
    function = excerpt.function
    length = function.last_line - function.first_line + 1
    if function.name and length <= _WHOLE_FUNCTION_LINES:
        excerpt.lines = list(range(function.first_line, function.last_line + 1))
        return
    worth = [
        stats
        for stats in excerpt.stats
        if max(stats.self_ns, stats.total_ns, stats.launched_ns) >= _COLD * device_time_ns
    ]
    worth.sort(key=lambda stats: (-stats.self_ns, -stats.total_ns, -stats.launched_ns))
    chosen: set[int] = set()
    for stats in worth[:_MOST_LINES]:
        chosen.update(range(stats.line - _AROUND, stats.line + _AROUND + 1))
    if function.name:
        chosen.add(function.first_line)
    lines = sorted(line for line in chosen if function.first_line <= line <= function.last_line)
    excerpt.lines = list(_small_gaps_filled(lines)) or sorted(stats.line for stats in worth)


def _small_gaps_filled(lines: list[int]) -> Iterator[int]:
    """A gap of one line costs as much room as the line itself."""
    previous = None
    for line in lines:
        if previous is not None and line - previous == 2:
            yield line - 1
        yield line
        previous = line
