"""``sidelight compare``: the document, and what a person sees."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console
from torch.profiler import ProfilerActivity, profile

from cli.contract import COMPARISON, check
from cli.recorded import MODEL, MODEL_PATH, TRAIN_PATH, Recording, training_profile
from cli.running import Run
from sidelight.analysis.compare import Side, compare
from sidelight.analysis.comparison import Comparison
from sidelight.analysis.lines import line_report
from sidelight.cli.comparison_view import render_comparison
from sidelight.profile import units
from sidelight.profile.manifest import Manifest, Pricing, SourceFile
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote
from sidelight.profile.store import Store
from support.comparison import check_comparison

WIDTHS = (40, 60, 80, 100, 200)
FASTER_MODEL = MODEL.replace("        hidden = torch.nn.functional.gelu(hidden)\n", "").replace(
    "self.up(self.norm(x))", "torch.relu(self.up(self.norm(x)))"
)


def faster_profile(name: str = "faster", **manifest: Any) -> Profile:
    """The training run after an edit: one line less, the one above it changed."""
    run = Recording()
    for _ in range(3):
        run.step()
        with run.line(TRAIN_PATH, 7):
            run.operator("aten::randn", 4_100)
            with run.line(MODEL_PATH, 25):
                run.operator("aten::linear", 310_000, 6)
                run.operator("aten::relu", 40_000, 7)
            with run.line(MODEL_PATH, 26):
                run.operator("aten::linear", 290_000, 8)
                run.operator("aten::add", 9_800, 9)
    fields: dict[str, Any] = {"name": name, "format": "capture", "device": "cpu", **manifest}
    train = training_profile().files[0]
    return run.profile(
        Manifest(created="", line_level="line", **fields),
        [train, SourceFile(MODEL_PATH, FASTER_MODEL)],
    )


def shown(base: Profile, new: Profile, width: int = 100, *, colour: bool = False) -> str:
    """The comparison of two profiles, as it is printed."""
    sides = [
        Side(line_report(profile, f"/store/profiles/{number}"), profile.files)
        for number, profile in enumerate((base, new))
    ]
    return printed(compare(*sides), base.files, new.files, width, colour=colour)


def printed(
    comparison: Comparison,
    base_files: Sequence[SourceFile],
    new_files: Sequence[SourceFile],
    width: int = 100,
    *,
    colour: bool = False,
) -> str:
    """A comparison, as it is printed."""
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        markup=False,
        highlight=False,
        emoji=False,
    )
    render_comparison(console, comparison, base_files, new_files)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def row_of(text: str, *among: str) -> list[str]:
    """The words of the row that has these words among its own."""
    rows = [row.split() for row in text.splitlines()]
    (found,) = [row for row in rows if set(among) <= set(row)]
    return found


def test_the_document(run: Run, store: Path) -> None:
    Store(store).add(faster_profile())
    documents: list[dict[str, Any]] = []
    for line in ("compare train faster", "lines train", "lines faster"):
        done = run(*line.split(), "--store", store, "--json")
        assert (done.status, done.stderr) == (0, "")
        documents.append(json.loads(done.stdout))
    check(documents[0], COMPARISON)
    check_comparison(*documents)
    matches = {
        (line["base"]["line"], line["match"])
        for line in documents[0]["lines"]
        if line["base"]["file"] == MODEL_PATH
    }
    assert matches == {
        *((12, "same"), (13, "same"), (14, "same"), (25, "changed"), (26, "removed"), (27, "same"))
    }


@pytest.mark.parametrize("reference", ["id", "directory", "rank"])
def test_profiles_are_named_as_everywhere(run: Run, store: Path, reference: str) -> None:
    stored = Store(store).add(faster_profile("ranked", rank=1, world_size=2))
    name = {"id": stored.id, "directory": str(stored.directory), "rank": "ranked#1"}[reference]
    done = run("compare", name, "train", "--store", store, "--json")
    assert json.loads(done.stdout)["base"]["profile"] == str(stored.directory)


def traced(path: Path, program: Callable[[torch.Tensor], torch.Tensor]) -> Path:
    """A trace of torch.profiler, with shapes."""
    x = torch.ones(64, 64)
    with profile(
        activities=[ProfilerActivity.CPU], record_shapes=True, with_stack=True
    ) as recorded:
        program(x)
    recorded.export_chrome_trace(str(path))
    return path


def test_priced_profiles(run: Run, tmp_path: Path) -> None:
    traces = {
        "base": traced(tmp_path / "base.json", lambda x: (x @ x).relu()),
        "new": traced(tmp_path / "new.json", lambda x: (x @ x @ x).relu()),
    }
    store = ("--store", tmp_path / "store", "--json")
    documents: dict[str, dict[str, Any]] = {}
    for name, lnc in (("base", 1), ("new", 1), ("new", 2)):
        opening = ("--device", "trn2", "--lnc", str(lnc), "--name", f"{name}{lnc}")
        documents[f"{name}{lnc}"] = json.loads(run("open", traces[name], *opening, *store).stdout)
    for new, codes in (("new1", set[str]()), ("new2", {"pricings_differ"})):
        comparison = json.loads(run("compare", "base1", new, *store).stdout)
        check(comparison, COMPARISON)
        check_comparison(comparison, documents["base1"], documents[new])
        assert {note["code"] for note in comparison["quality"]} - {"source_text_unknown"} == codes
        assert comparison["change"]["predicted_ns"]["ratio"] > 1
        assert any(line["change"]["bytes"] for line in comparison["lines"])
    text = run("compare", "base1", "new2", *store[:2]).stdout
    assert re.search(r"^Predicted: ≈[\d.]+ µs a step instead of ≈[\d.]+ µs, ≈", text, re.MULTILINE)
    assert "priced for trn2, LNC 2" in text
    assert "held against the roofs of trn2, LNC 1" in text.replace("\n", " ")
    dots = [
        json.loads(run("summary", name, *store).stdout)["roofline"]["whole"]
        for name in ("base1", "new2")
    ]
    before, now = (units.ratio(dot["times_faster_at_roof"], predicted=True) for dot in dots)
    faster = f"{before}x" if before == now else f"{before}x to {now}x"
    at_roof = text.partition("At the roofline of trn2, LNC 2, faster by\n")[2]
    assert at_roof.splitlines()[0].split("  ")[1:3] == ["all of it", faster]
    assert re.search(r"≈\+[\d.]+ (ns|µs) .* test_comparison\.py:", text)
    alone = run("compare", "base1", "base1", *store[:2]).stdout
    assert len(alone.partition("faster by\n")[2].splitlines()) == 1


def test_names_used_again_are_told_by_their_ids(run: Run, store: Path) -> None:
    assert "`sidelight profiles` lists the ids" in run(
        "compare", "train", "train", "--store", store
    ).stdout.replace("\n  ", " ")
    first = Store(store).resolve("train").id
    Store(store).add(faster_profile("train"))
    done = run("compare", first, "train", "--store", store)
    assert "the same profile" not in done.stdout
    assert done.stdout.startswith("train against train: 654 µs of device time a step instead of")


def test_the_heading_and_the_tables() -> None:
    text = shown(training_profile(), faster_profile())
    heading, step, base, new = text.splitlines()[:4]
    assert heading == (
        "faster against train: 654 µs of device time a step instead of 2.23 ms, 1.58 ms less "
        "(ratio 0.29)"
    )
    assert step == "A step takes 654 µs instead of 2.23 ms, 1.58 ms less (ratio 0.29)."
    assert base == "Base  2.23 ms a step, 4 steps, measured on the CPU: /store/profiles/0"
    assert new == "New   654 µs a step, 3 steps, measured on the CPU: /store/profiles/1"
    changed = row_of(text, "model.py:25")
    assert changed[:8] == ["~", "912", "µs", "350", "µs", "-562", "µs", "0.38"]
    # By the line alone 602 µs backward and 310 µs forward; the norm below it took 181.6 µs more.
    assert changed[8:13] == ["-744", "µs", "3", "to", "2"]
    assert row_of(text, "model.py:26", "-")[:5] == ["-", "209", "µs", "-209", "µs"]
    assert row_of(text, "model.py:26", "840")[:3] == ["840", "µs", "300"]
    assert "~ changed, - removed since base" in text
    assert row_of(text, "AddmmBackward0")[:4] == ["1.14", "ms", "-1.14", "ms"]
    assert row_of(text, "aten::relu")[:4] == ["40.0", "µs", "+40.0", "µs"]
    assert row_of(text, "on", "no", "line")[:4] == ["15.0", "µs", "-15.0", "µs"]


def test_operators_that_hardly_changed_are_counted() -> None:
    text = shown(training_profile(), training_profile())
    assert "aten::linear" not in text
    assert "17 operators changed by 0.1% of the device time or less" in text


@pytest.mark.parametrize("width", WIDTHS)
def test_no_row_is_wider_than_the_terminal(width: int) -> None:
    note = QualityNote("long", "warning", "A message of many words. " * 9 + "日本語" * 40)
    run = Recording()
    path = "/資料/" + "とても" * 30 + "/長い.py"
    with run.line(path, 1):
        run.operator("演算" * 60, 5_000)
    odd = run.profile(
        Manifest(name="n" * 70, created="", format="x", device="cpu", quality=[note]),
        [SourceFile(path, f"\tx = '{'長' * 90}'\n")],
    )
    for text in (shown(odd, training_profile(), width), shown(training_profile(), odd, width)):
        rows = [row for row in text.splitlines() if not row.startswith(("Base", "New"))]
        assert max(map(cell_len, rows)) <= width
        assert all(row == row.rstrip() for row in rows)


@pytest.mark.parametrize("width", WIDTHS)
def test_columns_are_aligned(width: int) -> None:
    text = shown(training_profile(), faster_profile(), width)
    _, lines, *_ = text.split("\n\n")
    places = {
        row.index(place) for row in lines.splitlines() for place in re.findall(r"\S+\.py:", row)
    }
    assert len(places) == 1
    assert lines.splitlines()[0].index("line") in places


def test_wide_terminals_show_more_columns() -> None:
    headings = {
        width: shown(training_profile(), faster_profile(), width).split("\n\n")[1].split("\n")[0]
        for width in WIDTHS
    }
    assert headings[40].split() == ["new", "change", "line"]
    assert headings[60].split() == ["base", "new", "change", "line"]
    assert headings[80].split() == ["base", "new", "change", "ratio", "in", "total", "line"]
    assert headings[100].split() == [*headings[80].split()[:-1], "launches", "line"]


def test_predicted_times_are_marked_and_measured_ones_are_not() -> None:
    predicted = shown(
        training_profile(time_kind="predicted"), faster_profile(time_kind="predicted")
    )
    figures = predicted.replace("/store", "").replace("model.py:", "")
    assert re.findall(r"(?<![≈\d.+-])[+-]?[\d.]+ [nµm]?s\b", figures) == []
    assert "≈2.23 ms" in predicted
    assert "≈-562 µs" in predicted
    assert "(ratio ≈0.29)" in predicted
    assert "≈" not in shown(training_profile(), faster_profile())


def priced(profile: Profile, predicted_ns: Mapping[int, int], of_no_line_ns: int = 0) -> Side:
    """A side with prices for lines of the model, and all others priced at nothing."""
    report = line_report(profile, f"/store/{profile.manifest.name}")
    lines = [
        replace(line, predicted_ns=predicted_ns.get(line.line if line.file == MODEL_PATH else 0, 0))
        for line in report.lines
    ]
    whole_ns = sum(predicted_ns.values()) + of_no_line_ns
    pricing = Pricing(chip="trn2", lnc=2, label="trn2, LNC 2", auto_cast="matmult", hbm_bytes=1)
    report = replace(report, lines=lines, predicted_ns=whole_ns, pricing=pricing)
    return Side(report, profile.files)


def test_measured_and_predicted_compare_by_what_is_predicted_for_both() -> None:
    """60 µs a step in four of base and 40 µs in three of new: 5 and 1 of these are on no line."""
    base = priced(training_profile(), {12: 80_000, 25: 40_000, 27: 100_000}, 20_000)
    new = priced(faster_profile(time_kind="predicted"), {25: 57_000, 26: 60_000}, 3_000)
    text = printed(compare(base, new), base.files, new.files, 200)
    assert " ".join(text.split()).startswith(
        "faster against train: ≈40.0 µs of predicted device time a step instead of ≈60.0 µs, "
        "≈20.0 µs less (ratio ≈0.67) Base "
    )
    assert "So what is predicted for both is compared." in text
    assert "\nPredicted:" not in text
    _, table, operators = text.split("\n\n")
    assert [re.split(r"  +", row.strip(" ~")) for row in table.splitlines()] == [
        ["base", "new", "change", "ratio", "line"],
        ["≈20.0 µs", "≈-20.0 µs", "model.py:12", "variance = x.pow(2).mean(-1, keepdim=True)"],
        [
            *("≈10.0 µs", "≈19.0 µs", "≈+9.00 µs", "≈1.90", "model.py:25"),
            "hidden = torch.relu(self.up(self.norm(x)))",
        ],
        [
            *("≈25.0 µs", "≈20.0 µs", "≈-5.00 µs", "≈0.80", "model.py:26"),
            "return x + self.down(hidden)",
        ],
        ["≈5.00 µs", "≈1.00 µs", "≈-4.00 µs", "≈0.20", "on no line"],
        ["changed since base"],
    ]
    assert operators.startswith("Operators are left out: their times are measured on one side")


def test_what_is_not_known_of_a_line_is_not_subtracted() -> None:
    base = priced(training_profile(), {12: 80_000})
    unpriced = [
        replace(line, predicted_ns=None if line.line == 25 else line.predicted_ns)
        for line in base.report.lines
    ]
    base = Side(replace(base.report, lines=unpriced), base.files)
    new = priced(faster_profile(time_kind="predicted"), {25: 57_000})
    text = printed(compare(base, new), base.files, new.files)
    assert row_of(text, "model.py:25")[:4] == ["~", "≈19.0", "µs", "model.py:25"]


def test_measured_and_predicted_do_not_compare_where_one_has_no_price() -> None:
    measured, predicted = training_profile(), faster_profile(time_kind="predicted")
    text = shown(measured, predicted, 200)
    assert text.splitlines()[0] == (
        "faster against train: one is measured, the other predicted, so that no difference is shown"
    )
    assert "`sidelight open /store/profiles/0 --device trn2` prices" in " ".join(text.split())
    table = text.split("\n\n")[1]
    assert table.split()[:3] == ["base", "new", "line"]
    assert row_of(text, "model.py:25")[:6] == ["~", "912", "µs", "≈350", "µs", "model.py:25"]
    assert not re.search(r"[+-][\d.]+ [nµm]?s", table)
    assert "Operators are left out" in text


def test_the_notes_of_both_sides_are_told() -> None:
    one, two = QualityNote("a", "warning", "Beware."), QualityNote("b", "info", "By the way.")
    more_often = QualityNote("b", "info", "By the way.", 9)
    text = shown(training_profile(quality=[one, two]), faster_profile(quality=[more_often]))
    assert "\n! Base: a\n" in text
    assert "\n· Both: b\n" in text
    assert "Beware" not in text, "it is told where the profile is shown"
    assert "`sidelight summary PROFILE`" in text
    assert "`sidelight summary" not in shown(training_profile(), faster_profile())
    assert "\n! New: a\n" in shown(training_profile(), faster_profile(quality=[one]))


def test_no_device_time() -> None:
    run = Recording()
    with run.line(TRAIN_PATH, 7):
        pass
    empty = run.profile(
        Manifest(name="empty", created="", format="x"), [SourceFile(TRAIN_PATH, "x = 1\n")]
    )
    assert shown(empty, empty).startswith(
        "empty against empty: no device time in the recorded steps of either\n"
    )
    assert "2.23 ms of device time a step instead of 0 ns, 2.23 ms more\n" in shown(
        empty, training_profile()
    )


def test_colour_tells_slower_from_faster() -> None:
    coloured = shown(training_profile(), faster_profile(), colour=True)
    faster = next(row for row in coloured.splitlines() if "model.py:25" in row)
    slower = next(row for row in coloured.splitlines() if "aten::relu" in row)
    assert "\x1b[1;32m" in faster
    assert "\x1b[31m" in slower
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == shown(training_profile(), faster_profile())


def test_what_a_terminal_would_obey_is_shown_instead() -> None:
    evil = "\x1b[31m\x07\x9b2J\u202e\u2028\r"
    run = Recording()
    path = f"/dir{evil}/x.py"
    with run.line(path, 1):
        run.operator(f"op{evil}", 5_000)
    note = QualityNote("a", "info", f"note{evil}")
    manifest = Manifest(
        name=f"name{evil}", created="", format=f"f{evil}", device=f"tpu{evil}", quality=[note]
    )
    text = shown(run.profile(manifest, [SourceFile(path, f"x = '{evil}'\n")]), training_profile())
    assert not set(text) & set("\x1b\x07\x9b\u202e\u2028\r")
    assert text.count("\\x1b[31m") >= 6
