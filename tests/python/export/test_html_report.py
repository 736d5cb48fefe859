"""A report in HTML: the command line's numbers, and no markup, script or address from a trace."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from itertools import takewhile
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from export.exported_profiles import PROFILES
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.summary import profile_summary
from sidelight.cli.line_table import render_line_table
from sidelight.export.html.document import ComputeRoof, Dot, MemoryRoof, RooflineChart
from sidelight.export.html.roofline_svg import roofline_svg
from sidelight.profile import units
from sidelight.profile.manifest import SourceFile
from sidelight.profile.model import Profile
from support.exported import write_exported

ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "main", "section", "footer"),
    *("h1", "h2", "p", "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "meter"),
    *("figure", "figcaption", "svg", "line", "text", "circle"),
}
"""All that a report is made of: nothing of it loads, links or runs anything."""

TIME = re.compile(r"(≈?)<?\d[\d.,]* (?:ns|µs|ms|s)\b")

EVIL = "</td></title></style><script>alert(1)</script><img src=x onerror=alert(1)>\"'&\u202e\x00"


class Page(HTMLParser):
    """What a parser finds in a page.

    Attributes:
        elements: The names of its elements.
        attributes: Names and values of their attributes.
        rows: The texts of each table's rows.
        text: All text.
        pieces: The same, element by element.
        style: The text of its style.
        policy: Its content security policy.
    """

    def __init__(self, content: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.rows: list[list[str]] = []
        self.text = ""
        self.pieces: list[str] = []
        self.style = ""
        self.policy = ""
        self._inside: list[str] = []
        self.feed(content)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes += attrs
        if tag == "meta":
            if dict(attrs).get("http-equiv") == "Content-Security-Policy":
                self.policy = dict(attrs)["content"] or ""
            return
        self._inside.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("line", "meta"):
            return
        assert self._inside.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        if self._inside and self._inside[-1] == "style":
            self.style += data
            return
        self.text += data
        self.pieces.append(data)
        if "td" in self._inside or "th" in self._inside:
            self.rows[-1][-1] += data


def page_of(profile: Profile, path: Path) -> Page:
    write_exported(path, profile, "html")
    return Page(path.read_text("utf-8"))


@pytest.fixture(name="profile", params=PROFILES)
def make_profile(request: pytest.FixtureRequest, tmp_path: Path) -> Profile:
    return PROFILES[request.param](tmp_path)


def is_safe(page: Page) -> None:
    assert page.elements <= ELEMENTS
    names = {name for name, _ in page.attributes}
    assert not any(name.startswith("on") for name in names)
    assert not names & {"src", "href", "style", "srcset", "xlink:href", "action", "data"}
    assert "url(" not in page.style
    assert "@import" not in page.style
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    allowed = dict(part.strip().split(" ", 1) for part in page.policy.split(";"))
    assert allowed["default-src"] == "'none'"
    assert allowed["style-src"] == f"'sha256-{digest}'"
    assert "script-src" not in allowed


def test_a_page_loads_and_runs_nothing(profile: Profile, tmp_path: Path) -> None:
    is_safe(page_of(profile, tmp_path / "report.html"))


def test_lines_have_the_command_lines_numbers(profile: Profile, tmp_path: Path) -> None:
    page = page_of(profile, tmp_path / "report.html")
    report = line_report(profile, "")
    found = {row["line"]: row for row in line_rows(page)}
    printed = printed_lines(report, profile.files)
    assert len(report.lines) == sum(":" in place for place in found) > 0
    for line, (own, share) in zip(report.lines, printed, strict=True):
        row = found[f"{line.file}:{line.line}"]
        assert (row["self"], row["share"]) == (own, share)
        assert row.get("label", "") == ("" if line.attribution == "exact" else line.attribution)


def line_rows(page: Page) -> list[dict[str, str]]:
    """The rows of the table of lines, by the names of its columns."""
    (at,) = (index for index, row in enumerate(page.rows) if {"self", "line"} < {*row})
    heads = page.rows[at]
    rows = takewhile(lambda row: len(row) == len(heads), page.rows[at + 1 :])
    return [dict(zip(heads, row, strict=True)) for row in rows]


def printed_lines(report: Any, files: list[SourceFile]) -> list[tuple[str, str]]:
    """Self time and share of each line, as ``sidelight lines`` prints them."""
    from rich.console import Console

    console = Console(width=200, color_system=None)
    with console.capture() as capture:
        render_line_table(console, report, files)
    cells = re.compile(r"^(.{8})  (.{5})")
    rows = [line for line in capture.get().splitlines() if re.search(r"\.py:\d+", line)]
    found = [cells.match(row) for row in rows]
    return [(match[1].strip(), match[2].strip()) for match in found if match]


def test_figures_and_sentences_are_those_of_the_summary(profile: Profile, tmp_path: Path) -> None:
    page = page_of(profile, tmp_path / "report.html")
    summary = profile_summary(profile)
    assert summary.headline is not None
    assert summary.headline.verdict in page.text
    figures = {row[0]: row for row in page.rows if len(row) == 3}
    for name, metric in summary.metrics.items():
        assert (name in figures) == (metric.value is not None)
        if metric.value is not None:
            assert figures[name][2] == metric.source
            assert figures[name][1].startswith("≈") == (metric.source == "predicted")
    for note in summary.quality:
        assert [note.severity, note.code, note.message, f"{note.count:,}"] in page.rows


def test_what_steps_take_is_told_and_nothing_else_explained(tmp_path: Path) -> None:
    profile = PROFILES["training"](tmp_path)
    page = page_of(profile, tmp_path / "report.html")
    steps = [end - start for start, end in zip(*step_times(profile), strict=True)]
    (row,) = (row for row in page.rows if row[0] == "step time")
    assert row[1] == units.duration(median(steps))
    # Of so few no percentile is told.
    assert row[2:] == [units.duration(sum(steps) / len(steps)), str(len(steps))]
    assert "step time: From one step's boundary to the next" in page.text
    assert "TTFT" not in page.text


def step_times(profile: Profile) -> tuple[list[int], list[int]]:
    return profile.steps["start_ns"].tolist(), profile.steps["end_ns"].tolist()


def test_a_benchmarks_figures_are_there(tmp_path: Path) -> None:
    path = tmp_path / "benchmark_report.json"
    latency = {"latency_ms_p50": 2857.25, "latency_ms_p99": None, "throughput": 360.5}
    path.write_text(json.dumps({"e2e_model": latency}), "utf-8")
    page = page_of(attribute(ingest.read(path)), tmp_path / "report.html")
    is_safe(page)
    assert ["e2el_p50_ms", "2,857.25"] in page.rows
    assert ["throughput_tokens_per_s", "360.5"] in page.rows
    (latencies,) = (row for row in page.rows if row[0] == "end-to-end latency")
    assert latencies[1] == "2.86 s"
    assert "end-to-end latency: From the start of the call" in page.text
    assert "MFU" not in page.text


def test_every_predicted_time_is_marked(tmp_path: Path) -> None:
    page = page_of(PROFILES["predicted"](tmp_path), tmp_path / "report.html")
    times = TIME.findall("\n".join(page.pieces))
    assert len(times) > 20
    assert set(times) == {"≈"}


def test_no_measured_time_is_marked(tmp_path: Path) -> None:
    page = page_of(PROFILES["training"](tmp_path), tmp_path / "report.html")
    times = TIME.findall("\n".join(page.pieces))
    assert len(times) > 20
    assert set(times) == {""}


def test_texts_of_a_trace_stay_texts(tmp_path: Path) -> None:
    profile = PROFILES["predicted"](tmp_path)
    profile.manifest.name = EVIL
    profile.strings = [f"{text}{EVIL}" for text in profile.strings]
    profile.files = [SourceFile(f"{file.path}{EVIL}", EVIL * 40) for file in profile.files]
    page = page_of(profile, tmp_path / "report.html")
    is_safe(page)
    shown = EVIL.replace("\u202e", "\ufffd").replace("\x00", "\ufffd")
    assert shown in page.text
    assert "\u202e" not in page.text


def test_the_source_stands_beside_its_line(tmp_path: Path) -> None:
    page = page_of(PROFILES["training"](tmp_path), tmp_path / "report.html")
    (row,) = (row for row in line_rows(page) if row["line"].endswith("model.py:13"))
    assert row["source"] == "x = x * torch.rsqrt(variance + 1e-6)"


def test_it_is_readable_in_all_colours_and_on_paper(tmp_path: Path) -> None:
    style = page_of(PROFILES["training"](tmp_path), tmp_path / "report.html").style
    for medium in ("prefers-color-scheme: dark", "forced-colors: active", "print"):
        assert f"@media ({medium})" in style or f"@media {medium}" in style


def test_dots_and_roofs_lie_where_they_should() -> None:
    chart = RooflineChart(
        "chart",
        [ComputeRoof("bf16", 1e14)],
        [MemoryRoof("HBM", 1e12)],
        [Dot("on the ridge", 100.0, 1e14, 1.0, True), Dot("below", 1.0, 1e11, 0.25, False)],
    )
    svg = roofline_svg(chart)
    circles = re.findall(r'class="([\w ]+)" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', svg)
    lines = re.findall(r'class="roof" x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"', svg)
    (ridge, below), (level, slope) = circles, lines
    assert (ridge[0], below[0]) == ("dot predicted", "dot")
    assert (ridge[1], ridge[2]) == (level[0], level[1]) == (slope[2], slope[3])
    assert float(ridge[3]) == 2 * float(below[3])  # four times the area
    # A tenth of what HBM allows at 1 FLOP/byte: a decade below the slope.
    decade = (float(slope[1]) - float(slope[3])) / (float(slope[2]) - float(slope[0]))
    on_slope = float(slope[1]) - decade * (float(below[1]) - float(slope[0]))
    assert float(below[2]) > on_slope


@pytest.mark.parametrize(("intensity", "rate"), [(1e-300, 1e300), (5.0, 5.0), (1e18, 1e-9)])
def test_no_dot_is_too_far_out_to_be_drawn(intensity: float, rate: float) -> None:
    svg = roofline_svg(RooflineChart("c", [], [], [Dot("d", intensity, rate, 0.5, False)]))
    assert "nan" not in svg
    assert "inf" not in svg
    assert len(svg) < 20_000
    assert json.dumps(svg)
