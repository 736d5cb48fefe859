"""Tables against plain walks, and what a scrolled, sorted and filtered one shows."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import pandas
import pytest
from hypothesis import given, settings, strategies as st
from oracle import Oracle, Row as OracleRow
from profiles import Event, Steps, make_profile, recordings
from test_oracle import BOUNDED

from cli.recorded import training_profile
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.modules.tree import Modules
from sidelight.analysis.tables.every import Tables, tables_of
from sidelight.analysis.tables.table import Column, Row, Table, number, text
from sidelight.analysis.tables.windows import Arranged, Filter, Order, Sorting
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.tables import TENSOR_COLUMNS, Category, Table as Columns

TRACES = Path(__file__).parents[4] / "shared" / "traces"


def made_tables(profile: Profile) -> Tables:
    return tables_of(profile, None, line_report(profile, ""), Modules(profile))


def values(table: Table, column: str) -> dict[str, object]:
    return {str(row["name"]): row[column] for row in table.rows}


def total(table: Table) -> int:
    return sum(cell for row in table.rows if isinstance(cell := row["self_ns"], int))


def check(tables: Tables, profile: Profile) -> None:
    """What must be so in every profile."""
    report = line_report(profile, "")
    for table in (tables.operators, tables.lines, tables.modules):
        assert total(table) == report.device_time_ns
    for table in (tables.operators, tables.lines, tables.modules, tables.kernels):
        names = {column.name for column in table.columns}
        times = [row["self_ns"] for row in table.rows]
        assert times == sorted(times, key=lambda cell: -(cell if isinstance(cell, int) else 0))
        for row in table.rows:
            assert set(row) == names
    lines = {(line.file, line.line): line for line in report.lines}
    for row in tables.lines.rows:
        if row["file"] is not None:
            line = lines.pop((str(row["file"]), int(str(row["line"]))))
            for name in ("self_ns", "total_ns", "forward_ns", "backward_ns", "count", "host_ns"):
                assert row[name] == getattr(line, name)
    assert not lines


@settings(BOUNDED, max_examples=100)
@given(recordings())
def test_operators_and_kernels_are_as_the_oracle_says(
    recording: tuple[list[Event], Steps],
) -> None:
    profile = make_profile(*recording)
    oracle = Oracle(profile)
    own: Counter[str] = Counter()
    with_callees: Counter[str] = Counter()
    kernels: Counter[str] = Counter()
    lines: dict[object, Counter[str]] = {}
    for row in oracle.rows:
        device_ns = len(oracle.device_instants(row) or ())
        if not device_ns or oracle.step(row) < 0:
            continue
        own[oracle.operator_name(row)] += device_ns
        for file, line in oracle.chain(oracle.cause(row))[:1]:
            on_lines = lines.setdefault(oracle.operator_name(row), Counter())
            on_lines[f"{Path(file).name}:{line}"] += device_ns
        with_callees.update(dict.fromkeys(callers(oracle, row), device_ns))
        if row.category != Category.OPERATOR:
            kernels[row.name] += device_ns
    tables = made_tables(attribute(profile))
    check(tables, profile)
    assert {k: v for k, v in values(tables.operators, "self_ns").items() if v} == own
    assert values(tables.operators, "total_ns") == with_callees
    assert {k: v for k, v in values(tables.kernels, "self_ns").items() if v} == kernels
    for name, main_line in values(tables.operators, "main_line").items():
        on_lines = lines.get(name, Counter[str]())
        most_ns = max(on_lines.values(), default=0)
        assert on_lines[str(main_line)] == most_ns
        assert (main_line is None) == (most_ns == 0)


def callers(oracle: Oracle, row: OracleRow) -> set[str]:
    """The operators that a row of device time ran in or under, by name."""
    found = {oracle.operator_name(row)}
    above = oracle.ancestry(oracle.cause(row))
    if above and found == {row.name} and row.category != Category.OPERATOR:
        innermost = next((o for o in above if oracle.encloses(o)), None)
        if innermost is None or innermost.category != Category.OPERATOR:
            return found  # it counts under its own name, in no operator
    return found | {other.name for other in above if other.category == Category.OPERATOR}


def test_numbers_of_a_training_run_by_hand() -> None:
    profile = training_profile(steps=2)
    tables = made_tables(profile)
    check(tables, profile)
    linear = next(row for row in tables.operators.rows if row["name"] == "aten::linear")
    assert linear["self_ns"] == 2 * (310_000 + 290_000)
    assert linear["count"] == 4
    assert linear["mean_ns"] == 300_000
    assert linear["flops"] is None, "nothing was priced: unknown, not 0"
    line = next(row for row in tables.lines.rows if row["name"] == "model.py:26")
    assert line["source"] == "hidden = torch.nn.functional.gelu(hidden)"
    assert (line["self_ns"], line["count"]) == (2 * (88_000 + 121_000), 2)
    assert tables.kernels.rows == [], "where the CPU is the device there are no kernels"
    assert tables.tensors.rows == []
    assert {table.time_kind for table in (tables.lines, tables.operators)} == {"measured"}


def test_instructions_are_told_apart_by_engine_with_what_they_did() -> None:
    builder = ProfileBuilder()
    rows = [
        ("MATMUL", "tensor", 100, 500),
        ("MATMUL", "tensor", 300, 700),
        ("COPY", "vector", 50, -1),
    ]
    from sidelight.profile.manifest import Track

    for at, (name, engine, duration_ns, flops) in enumerate(rows):
        track = Track("device", engine, "nc0", engine, engine)  # type: ignore[arg-type]
        builder.add_rows(
            {
                "track": [builder.tracks.code(track)],
                "category": [Category.ENGINE_WORK],
                "name": [builder.strings.code(name)],
                "start_ns": [1000 * at],
                "duration_ns": [duration_ns],
            },
            work={"flops": [flops]},
        )
    profile = attribute(builder.build(new_manifest("core", "test", []), "it"))
    tables = made_tables(profile)
    check(tables, profile)
    product, copy = tables.kernels.rows
    assert (product["name"], product["engine"], product["flops"]) == ("MATMUL", "tensor", 1200)
    assert (product["least_ns"], product["most_ns"], product["mean_ns"]) == (100, 300, 200)
    assert (copy["name"], copy["engine"], copy["flops"], copy["hbm_bytes"]) == (
        "COPY",
        "vector",
        None,
        None,
    )


def test_tensors_are_sorted_by_size_and_tell_how_often_they_were_loaded() -> None:
    profile = training_profile(steps=1)
    profile.strings = [*profile.strings, "small", "large", "[2]"]
    small, large, shape = (len(profile.strings) - n for n in (3, 2, 1))
    profile.tensors = Columns.of(
        TENSOR_COLUMNS,
        {
            "name": [small, large],
            "shape": [shape, -1],
            "size_bytes": [100, 4000],
            "loaded_bytes": [250, -1],
        },
    )
    first, second = made_tables(profile).tensors.rows
    assert (first["name"], first["size_bytes"], first["times_loaded"]) == ("large", 4000, None)
    assert (second["shape"], second["times_loaded"], second["loads"]) == ("[2]", 2.5, None)


TABLE = Table(
    [
        text("name", "name", "A name."),
        text("kind", "kind", "A kind."),
        number("ns", "time", "ns", "A time.", adds_up=True),
        number("mean", "mean", "ns", "A mean."),
    ],
    [
        {"name": "Alpha", "kind": "x", "ns": 5, "mean": 1.5},
        {"name": "beta", "kind": "y", "ns": None, "mean": 9},
        {"name": "Gamma", "kind": "x", "ns": 7, "mean": None},
        {"name": "delta", "kind": "x", "ns": 7, "mean": 0.5},
    ],
    "measured",
    "exact",
)


def names(order: Order) -> list[object]:
    return [row["name"] for row in Arranged(TABLE, order).rows]


def test_sorting_keeps_the_order_of_equals_and_has_the_unknown_last() -> None:
    assert names(Order()) == ["Alpha", "beta", "Gamma", "delta"]
    assert names(Order(sort=[Sorting("ns")])) == ["Gamma", "delta", "Alpha", "beta"]
    assert names(Order(sort=[Sorting("ns", descending=False)])) == [
        "Alpha",
        "Gamma",
        "delta",
        "beta",
    ]
    by_two = [Sorting("ns"), Sorting("mean", descending=False)]
    assert names(Order(sort=by_two)) == ["delta", "Gamma", "Alpha", "beta"]
    assert names(Order(sort=[Sorting("name", descending=False)])) == [
        "Alpha",
        "beta",
        "delta",
        "Gamma",
    ]


def test_filters_must_all_hold_and_leave_the_unknown_out() -> None:
    assert names(Order(filters=[Filter("name", "contains", "LTA")])) == ["delta"]
    assert names(Order(filters=[Filter("ns", "at_least", 7)])) == ["Gamma", "delta"]
    assert names(Order(filters=[Filter("ns", "at_most", 6)])) == ["Alpha"]
    both = [Filter("kind", "equals", "x"), Filter("mean", "at_most", 1)]
    assert names(Order(filters=both)) == ["delta"]
    assert names(Order(filters=[Filter("name", "at_least", 3)])) == []


def test_windows_tell_how_many_there_are_and_the_sum_of_all() -> None:
    shown = Arranged(TABLE, Order(filters=[Filter("kind", "equals", "x")])).page(1, 2)
    assert [row["name"] for row in shown.rows] == ["Gamma", "delta"]
    assert (shown.total, shown.sums) == (3, {"ns": 19})
    assert (shown.time_kind, shown.attribution) == ("measured", "exact")
    assert Arranged(TABLE, Order()).page(10, 5).rows == []
    assert Arranged(TABLE, Order()).page(-3, -1).rows == []
    of_beta = Arranged(TABLE, Order(filters=[Filter("name", "equals", "beta")]))
    assert of_beta.page(0, 1).sums == {"ns": None}


def test_groups_hold_what_adds_up() -> None:
    shown = Arranged(TABLE, Order(group="kind", sort=[Sorting("rows")])).page(0, 9)
    assert shown.rows == [
        {"kind": "x", "rows": 3, "ns": 19},
        {"kind": "y", "rows": 1, "ns": None},
    ]
    assert [column.name for column in shown.columns] == ["kind", "rows", "ns"]
    assert (shown.total, shown.sums) == (2, {"ns": 19, "rows": 4})
    assert shown.groups == ["kind"], "no two rows have a name in common"


def test_other_programs_are_told_in_each_row_how_times_are_known() -> None:
    arranged = Arranged(TABLE, Order(text="beta"))
    assert arranged.labelled(arranged.rows) == (
        ["name", "kind", "ns", "mean", "time_kind"],
        [["beta", "y", None, 9, "measured"]],
    )
    untimed = Table(TABLE.columns[:1], [{"name": "x"}], "measured", "exact")
    assert Arranged(untimed, Order()).labelled(untimed.rows) == (["name"], [["x"]])


def test_a_text_is_looked_for_in_all_columns_of_texts() -> None:
    assert names(Order(text="LTA")) == ["delta"]
    assert names(Order(text="y")) == ["beta"]
    assert names(Order(text="7")) == [], "numbers are no texts"
    assert names(Order(text="a", filters=[Filter("kind", "equals", "y")])) == ["beta"]
    table = Table(TABLE.columns[:1], [{"name": None}, {"name": "none"}], "measured", "exact")
    found = Arranged(table, Order(text="none"))
    assert found.rows == [{"name": "none"}], "what is unknown has no text"
    unknown = Arranged(table, Order(filters=[Filter("name", "equals", None)]))
    assert unknown.rows == [{"name": None}]


def test_shares_of_a_whole_add_up_to_it() -> None:
    share = number("share", "share", "fraction", "A part.", adds_up=True)
    parts: list[Row] = [{"share": 1 / 49} for _ in range(49)]
    table = Table([share], parts, "measured", "exact")
    assert math.fsum(1 / 49 for _ in range(49)) < 1, "each part was rounded"
    assert Arranged(table, Order()).page(0, 0).sums == {"share": 1.0}


@pytest.mark.parametrize(
    "order",
    [
        Order(sort=[Sorting("other")]),
        Order(filters=[Filter("other", "equals", 1)]),
        Order(group="other"),
        Order(group="kind", sort=[Sorting("mean")]),
    ],
)
def test_a_column_that_is_not_there_is_an_error_that_names_those_that_are(order: Order) -> None:
    with pytest.raises(UnreadableInputError, match=r"has no column (other|mean)"):
        Arranged(TABLE, order)


cells = st.none() | st.integers(-5, 5)


@settings(BOUNDED, max_examples=100)
@given(st.lists(cells, max_size=20), st.booleans(), st.integers(0, 22), st.integers(0, 22))
def test_windows_one_after_another_are_the_whole_table(
    drawn: list[int | None], descending: bool, at: int, size: int
) -> None:
    rows: list[Row] = [{"name": str(n), "ns": cell} for n, cell in enumerate(drawn)]
    columns: list[Column] = [text("name", "", ""), number("ns", "", "ns", "")]
    table, sort = Table(columns, rows, "measured", "exact"), [Sorting("ns", descending)]
    arranged = Arranged(table, Order(sort=sort))
    whole = arranged.rows
    known = [row["ns"] for row in whole if row["ns"] is not None]
    assert known == sorted((cell for cell in drawn if cell is not None), reverse=descending)
    assert {row["name"] for row in whole} == {row["name"] for row in rows}
    assert arranged.page(at, size).rows == whole[at : at + size]


PANDAS: Any = pandas  # it carries no types of its own
LETTERS = st.sampled_from(["a", "B", "ab", "C", None])


@settings(BOUNDED, max_examples=100)
@given(
    st.lists(st.tuples(LETTERS, LETTERS, cells, cells), max_size=20),
    st.booleans(),
    st.sampled_from(["", "A", "b"]),
)
def test_what_is_shown_is_what_pandas_says(
    drawn: list[tuple[str | None, str | None, int | None, int | None]],
    descending: bool,
    looked_for: str,
) -> None:
    columns = [
        text("name", "", ""),
        text("kind", "", ""),
        number("ns", "", "ns", "", adds_up=True),
        number("mean", "", "ns", ""),
    ]
    names = [column.name for column in columns]
    rows: list[Row] = [dict(zip(names, row, strict=True)) for row in drawn]
    table = Table(columns, rows, "measured", "exact")
    frame: Any = PANDAS.DataFrame(drawn, columns=names).astype(
        {"name": "string", "kind": "string", "ns": "Int64", "mean": "Int64"}
    )
    if looked_for:
        holds = [
            frame[name].str.contains(looked_for, case=False, regex=False) for name in names[:2]
        ]
        frame = frame[holds[0].fillna(False) | holds[1].fillna(False)]
    shown = Arranged(table, Order([Sorting("mean", descending)], text=looked_for)).page(0, 99)
    expected = frame.sort_values(
        "mean", ascending=not descending, na_position="last", kind="stable"
    )
    assert [list(row.values()) for row in shown.rows] == plain(expected)
    assert shown.total == len(frame)
    assert shown.sums["ns"] == (int(frame["ns"].sum()) if frame["ns"].notna().any() else None)
    groups = Arranged(table, Order(text=looked_for, group="kind")).rows
    by_kind = frame.groupby("kind", sort=False, dropna=False)
    sums = by_kind["ns"].sum(min_count=1)
    assert [[row["kind"], row["rows"], row["ns"]] for row in groups] == plain(
        PANDAS.DataFrame({"rows": by_kind.size(), "ns": sums}).reset_index()
    )


def plain(frame: Any) -> list[list[object]]:
    """A frame's rows, with None for what is unknown."""
    return frame.astype(object).where(frame.notna(), None).to_numpy().tolist()


REAL = [
    *sorted((TRACES / "torch").glob("*critical_path*.gz")),
    *sorted((TRACES / "torch").glob("*torch_compile*.gz")),
    *sorted((TRACES / "neuron" / "kernel-fusion").glob("*fused_bf16*full.json")),
]


@pytest.mark.skipif(not REAL, reason="needs the shared traces")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_tables_of_real_recordings_add_up(path: Path) -> None:
    profile = attribute(ingest.read(path))
    tables = made_tables(profile)
    check(tables, profile)
    if profile.manifest.device != "cpu":
        assert total(tables.kernels) == line_report(profile, "").device_time_ns
        assert tables.kernels.rows
