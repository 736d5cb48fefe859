"""What a person sees: on terminals of every width, of every file, of every kind of time."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from cli.recorded import MODEL_PATH, Recording, training_profile
from sidelight.analysis.lines import line_report
from sidelight.analysis.summary import profile_summary
from sidelight.cli.line_table import render_line_table
from sidelight.cli.report import render_report
from sidelight.export.source import Source
from sidelight.jobs.report_sections import write_report
from sidelight.profile.manifest import Manifest, SourceFile
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote

WIDTHS = (40, 60, 80, 100, 200)


def shown(profile: Profile, width: int = 100, *, colour: bool = False) -> str:
    """The report, as it is printed."""
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        markup=False,
        highlight=False,
        emoji=False,
    )
    report = line_report(profile, "/store/profiles/1")
    render_report(
        console,
        report,
        profile.files,
        lines_command="sidelight lines train",
        summary_command="sidelight summary train",
    )
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def table(profile: Profile, width: int = 100) -> str:
    """The table of all lines, as it is printed."""
    console = Console(file=io.StringIO(), width=width, color_system=None)
    render_line_table(console, line_report(profile, "/store/profiles/1"), profile.files)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def profile_of(
    source: str | None,
    times_ns: dict[int, int],
    *,
    path: str = "/project/odd.py",
    operator: str = "aten::mul",
    **manifest: object,
) -> Profile:
    """One step in which lines of one file take time."""
    run = Recording()
    for number, time_ns in times_ns.items():
        with run.line(path, number):
            run.operator(operator, time_ns)
    fields: dict[str, object] = {"name": "odd", "created": "", "format": "x", "device": "cpu"}
    made = Manifest(**{**fields, "line_level": "line", **manifest})  # type: ignore[arg-type]
    return run.profile(made, [SourceFile(path, source)])


def source_rows(text: str) -> list[tuple[str, int, str]]:
    """The figures, line number and source of each row that has a line number."""
    rows = re.findall(r"^(.*?) +(\d+) │ ?(.*)$", text, re.MULTILINE)
    return [(figures.strip(), int(number), source) for figures, number, source in rows]


def row_of(text: str, number: int) -> tuple[str, str]:
    return next((figures, source) for figures, n, source in source_rows(text) if n == number)


def test_the_headline_and_the_hot_source() -> None:
    text = shown(training_profile())
    assert text.startswith("train: 2.23 ms of device time a step, measured on the CPU\n")
    assert "99.3% of it is on lines of yours" in text
    assert "4 steps, after 3 of warm-up" in text
    figures, source = row_of(text, 27)
    assert figures.split() == ["840", "µs", "37.6%", "540", "µs", "1"]
    assert source.strip() == "return x + self.down(hidden)"
    assert "started by /project/train.py:8" in text
    assert "On no line: 15.0 µs (0.7%), of which aten::zero_ 15.0 µs." in text
    assert "sidelight lines train" in text
    assert "/store/profiles/1" in text


def test_methods_out_of_sight_of_their_class_are_named() -> None:
    text = shown(training_profile())
    assert "⋮ │ # RMSNorm.forward" in text
    assert "⋮ │ # Block.forward" in text


@pytest.mark.parametrize("width", WIDTHS)
def test_no_row_is_wider_than_the_terminal(width: int) -> None:
    note = QualityNote("long", "warning", "A message of many words. " * 9 + "日本語" * 40)
    source = "def 計算(値):\n\tx = '" + "長" * 90 + "'\n\ty = '" + "x" * 300 + "'\n"
    profile = profile_of(
        source,
        {2: 5_000, 3: 6_000},
        path="/資料/" + "とても" * 30 + "/長い.py",
        quality=[note],
        name="n" * 70,
    )
    for text in (shown(profile, width), table(profile, width), shown(training_profile(), width)):
        copied = ("All lines", "Profile")  # never cut: they are for copying
        rows = [row for row in text.splitlines() if not row.startswith(copied)]
        assert max(map(cell_len, rows)) <= width
        assert all(row == row.rstrip() for row in rows)


@pytest.mark.parametrize("width", WIDTHS)
def test_columns_are_aligned(width: int) -> None:
    source = "".join(f"x{'値' * (n % 3)} = {n}\n" for n in range(40))
    text = shown(profile_of(source, {n: 10**n for n in range(1, 12)}), width)
    bars = {cell_len(row[: row.index("│")]) for row in text.splitlines() if "│" in row}
    assert len(bars) == 1
    ends = {
        match.end() for row in text.splitlines() if (match := re.match(r" *[\d.]+ [nµm]?s", row))
    }
    assert len(ends) == 1


def test_wide_terminals_show_more_columns() -> None:
    headings = {
        width: re.findall(r"^ +(self .*)$", shown(training_profile(), width), re.MULTILINE)[0]
        for width in (60, 80, 120)
    }
    assert headings[60].split() == ["self", "share", "count", "line"]
    assert headings[80].split() == ["self", "share", "backward", "count", "line"]
    assert headings[120].split() == ["self", "share", "backward", "total", "count", "line"]


def test_narrow_terminals_move_functions_to_the_left() -> None:
    assert row_of(shown(training_profile(), 60), 24)[1].startswith("def forward")
    assert row_of(shown(training_profile(), 120), 24)[1].startswith("    def forward")


def test_long_functions_are_elided_around_their_hot_lines() -> None:
    source = "def long():\n" + "".join(f"    x{n} = {n}\n" for n in range(2, 100))
    text = shown(profile_of(source, {50: 1_000_000, 80: 500_000, 82: 9_000}))
    numbers = [number for _, number, _ in source_rows(text)]
    assert numbers == [1, 49, 50, 51, 79, 80, 81, 82, 83]
    assert text.count("⋮") == 2


def test_short_functions_are_shown_whole_and_cold_ones_counted() -> None:
    source = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(30))
    times_ns = {4 * n + 2: 1000 for n in range(30)}
    text = shown(profile_of(source, times_ns))
    assert len(re.findall(r"│ def f", text)) == 8
    assert "22 more functions of yours: 22.0 µs (73.3%)." in text


def test_several_files_come_by_their_time() -> None:
    run = Recording()
    for path, time_ns in (("/a.py", 100), ("/c.py", 900), ("/b.py", 500)):
        with run.line(path, 1):
            run.operator("aten::mul", time_ns)
    files = [SourceFile(path, "x = 1\n") for path in ("/a.py", "/b.py", "/c.py")]
    text = shown(run.profile(Manifest(name="n", created="", format="x"), files))
    assert re.findall(r"^(/\w.py) ", text, re.MULTILINE) == ["/c.py", "/b.py", "/a.py"]


def test_the_source_is_that_of_the_profile() -> None:
    profile = profile_of("was = 1\n", {1: 10}, path=__file__)
    assert row_of(shown(profile), 1)[1] == "was = 1"


def test_a_file_without_text_still_has_its_lines() -> None:
    text = shown(profile_of(None, {123: 10_000}))
    assert "does not hold this file's text" in text
    assert row_of(text, 123)[0].split() == ["10.0", "µs", "100%", "1"]


@pytest.mark.parametrize("source", ["def broken(:\n    x = 1\n", "x\x00y\n    z\n", "(" * 9999])
def test_a_source_that_does_not_parse_is_shown_line_by_line(source: str) -> None:
    assert source_rows(shown(profile_of(source, {1: 10})))[0][1] == 1


def test_what_a_terminal_would_obey_is_shown_instead() -> None:
    evil = "\x1b[31m\x07\x9b2J\u202e\u2028\r"
    profile = profile_of(
        f"x = '{evil}'\n",
        {1: 10},
        operator=f"op{evil}",
        name=f"name{evil}",
        path=f"/dir{evil}/x.py",
        device=f"tpu{evil}",
        quality=[QualityNote("a", "info", f"note{evil}")],
    )
    profile.events["stack"][:] = -1  # so that operators are named
    for text in (shown(profile), table(profile_of("", {1: 1}, path=f"/{evil}.py"))):
        assert not set(text) & set("\x1b\x07\x9b\u202e\u2028\r")
        assert "\\x1b[31m" in text


def test_tabs_are_expanded() -> None:
    text = shown(profile_of("if x:\n\ty = 1\n\t\t# deep\n", {2: 10}))
    assert row_of(text, 2)[1] == "    y = 1"


def test_predicted_times_are_marked_and_measured_ones_are_not() -> None:
    predicted = shown(training_profile(time_kind="predicted"))
    assert "≈2.23 ms of device time a step, predicted for the CPU" in predicted
    assert row_of(predicted, 27)[0].split()[0] == "≈840"
    assert re.findall(r"(?<![≈\d.])[\d.]+ [nµm]?s\b", predicted) == []
    assert "≈" in shown(training_profile(time_kind="mixed"))
    assert "≈" not in shown(training_profile())


def test_apportioned_time_is_said_to_be() -> None:
    assert "apportioned" in shown(training_profile(attribution="apportioned"))
    assert "apportioned" not in shown(training_profile())


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        ({"script_exit": 3}, "ended with status 3"),
        ({"stopped_by": "interrupt"}, "was interrupted"),
        ({"stopped_by": "terminate"}, "told to terminate"),
        ({"stopped_by": "killed", "script_exit": None}, "was killed"),
        ({"stopped_by": "disk_full"}, "disk was full"),
    ],
)
def test_a_run_cut_short_is_said_to_be(manifest: dict[str, object], words: str) -> None:
    assert words in shown(training_profile(**manifest))  # type: ignore[arg-type]
    assert words not in shown(training_profile())


def test_quality_is_told() -> None:
    notes = [QualityNote("a", "warning", "Beware."), QualityNote("b", "info", "By the way.")]
    text = shown(training_profile(quality=notes))
    assert "\n! Beware. [a]\n" in text
    assert "\n· By the way. [b]\n" in text


@pytest.mark.parametrize("times_ns", [{}, {1: 0}])
def test_no_device_time(times_ns: dict[int, int]) -> None:
    text = shown(profile_of("x = 1\n", times_ns))
    assert text.startswith("odd: no device time in the recorded steps\n")
    assert table(profile_of("x = 1\n", times_ns))


def test_colour_is_heat() -> None:
    coloured = shown(training_profile(), colour=True)
    hot = next(row for row in coloured.splitlines() if "self.up(" in row)
    warm = next(row for row in coloured.splitlines() if "gelu(" in row)
    assert "\x1b[1;31m" in hot
    assert "\x1b[33m" in warm
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == shown(training_profile())


def places(text: str) -> Sequence[str]:
    return re.findall(r"(\S+\.py:\d+)", text)


def test_the_table_lists_every_line_largest_first() -> None:
    text = table(training_profile())
    assert places(text) == [
        *("model.py:25", "model.py:27", "model.py:26", "model.py:12", "train.py:9"),
        *("model.py:14", "model.py:13", "train.py:7", "train.py:8"),
    ]
    assert "on no line" in text
    assert "hidden = self.up(self.norm(x))" in text


def test_files_of_one_name_are_told_apart() -> None:
    run = Recording()
    paths = ("/project/a/model.py", "/project/b/model.py", "/project/b/train.py")
    for path in paths:
        with run.line(path, 1):
            run.operator("aten::mul", 10)
    manifest = Manifest(name="n", created="", format="x")
    text = table(run.profile(manifest, [SourceFile(path) for path in paths]))
    assert places(text) == ["a/model.py:1", "b/model.py:1", "train.py:1"]


def test_launched_and_host_time_have_columns_where_there_is_room() -> None:
    wide = table(training_profile(), 140)
    assert "launched" in wide.splitlines()[2]
    assert "host" in wide.splitlines()[2]
    row = next(row for row in wide.splitlines() if "train.py:8" in row)
    assert "1.30 ms" in row
    assert MODEL_PATH not in wide


def test_a_form_feed_begins_no_line() -> None:
    """Python counts endings alone: form feeds, and what Unicode calls a separator, stand in lines.

    Everything that shows source shows that of the line with the time: the third.
    """
    profile = profile_of('"""Of two pages.\x0c \u2028"""\n\x0c\nhot = a * b\ncold = 1\n', {3: 900})
    for text in (shown(profile), table(profile)):
        (line,) = (line for line in text.splitlines() if "hot = a * b" in line)
        assert "900" in line
    page = io.BytesIO()
    launched_by = np.full(len(profile.events), -1)
    write_report(page, Source(profile, launched_by), lambda part: None)
    cells = re.findall(r"<td[^>]*>(.*?)</td>", page.getvalue().decode(), re.DOTALL)
    assert any("hot = a * b" in cell for cell in cells)
    assert not any("cold = 1" in cell for cell in cells)
    (row,) = (row for row in profile_summary(profile).tables.lines.rows if row["line"] == 3)
    assert row["source"] == "hot = a * b"
