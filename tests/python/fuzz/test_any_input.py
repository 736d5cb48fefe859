"""Every reader keeps its promise for damaged bytes, odd JSON, and tables of other types."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from fuzz.contract import FACTOR, keeps_its_promise
from fuzz.inputs import INPUTS
from sidelight import ingest
from support.explorer_tables import pa, pq

SETTINGS = settings(
    max_examples=15 * FACTOR,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
WITHOUT_PROFILES = {"neuron_runtime", "neff"}
"""Formats that hold no times, or that only Neuron's own tools can read: people are told so."""

JUNK = st.recursive(
    st.sampled_from(
        [
            *(None, True, "", 0, -1, 0.5, -0.0, 1e308, 2**31, 2**53 + 1, 2**63, -(2**63), 10**30),
            *("NaN", "7", "1e999", "1e999999999", "0x10", "\x1b[31m\x07", "\0"),
            *("../../etc/passwd", "/dev/zero"),
            *("<img src=x onerror=alert(1)>", "x" * 70_000, "\ud800", "\u202e", "[1, [", "None"),
        ]
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)

CHANGES = st.lists(
    st.tuples(
        st.floats(0, 1, exclude_max=True),
        st.sampled_from([0, 0, 1, 2, 8, 300]),
        st.one_of(
            st.binary(max_size=9),
            st.sampled_from([b"\xff" * 8, b"\0" * 8, b'{"ph":', b"]}", b",", b"-", b"NaN"]),
        ),
    ),
    min_size=1,
    max_size=5,
)
"""Place as a part of the file, bytes removed, bytes put there."""


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Path]]:
    """Gives the directory of a format's good input, and what to open in it; written once."""
    written: dict[str, tuple[Path, Path]] = {}

    def input_of(name: str) -> tuple[Path, Path]:
        if name not in written:
            directory = tmp_path_factory.mktemp(name)
            written[name] = (directory, INPUTS[name](directory))
        return written[name]

    return input_of


def files_below(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file())


def check_changed(good: tuple[Path, Path], which: float, change: Callable[[Path], None]) -> None:
    """Change one file of a copy of an input, and open that."""
    directory, opened = good
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "input"
        shutil.copytree(directory, copy)
        files = files_below(copy)
        change(files[int(which * len(files))])
        keeps_its_promise(copy / opened.relative_to(directory), Path(temporary) / "store")


def test_there_is_a_good_input_of_every_format(
    good: Callable[[str], tuple[Path, Path]], tmp_path: Path
) -> None:
    assert [known.name for known in ingest.FORMATS] == list(INPUTS)
    for name in INPUTS:
        _, path = good(name)
        assert ingest.detect(path).name == name
        assert (keeps_its_promise(path, tmp_path / name) > 0) == (name not in WITHOUT_PROFILES)


@pytest.mark.parametrize("name", INPUTS)
def test_any_bytes(name: str, good: Callable[[str], tuple[Path, Path]]) -> None:
    @SETTINGS
    @given(which=st.floats(0, 1, exclude_max=True), changes=CHANGES)
    def check(which: float, changes: list[tuple[float, int, bytes]]) -> None:
        def damage(file: Path) -> None:
            data = file.read_bytes()
            for place, removed, put in changes:
                at = int(place * (len(data) + 1))
                data = data[:at] + put + data[at + removed :]
            file.write_bytes(data)

        check_changed(good(name), which, damage)

    check()


JSON_INPUTS = [
    *("capture", "neuron_profile_json", "neuron_system_json", "neuron_summary"),
    *("torch_trace", "nxdi_report", "vllm_report"),
]


def with_junk(value: Any, junk: list[Any], rng: random.Random, chance: float) -> Any:
    """A document with some of its values, or keys, exchanged."""
    if junk and rng.random() < chance:
        return junk.pop()
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value).items()
        kept = [(key, each) for key, each in members if rng.random() >= chance / 3]
        return {key: with_junk(each, junk, rng, chance) for key, each in kept}
    if isinstance(value, list):
        values = cast("list[Any]", value)
        return [with_junk(each, junk, rng, chance) for each in values]
    return value


@pytest.mark.parametrize("name", JSON_INPUTS)
def test_json_of_any_shape(name: str, good: Callable[[str], tuple[Path, Path]]) -> None:
    @SETTINGS
    @given(
        which=st.floats(0, 1, exclude_max=True),
        junk=st.lists(JUNK, min_size=1, max_size=8),
        seed=st.integers(0, 2**32),
        chance=st.sampled_from([0.003, 0.02, 0.1]),
    )
    def check(which: float, junk: list[Any], seed: int, chance: float) -> None:
        def exchange(file: Path) -> None:
            document = json.loads(file.read_text())
            changed = with_junk(document, list(junk), random.Random(seed), chance)
            file.write_text(json.dumps(changed))

        check_changed(good(name), which, exchange)

    check()


TYPES = [
    *(pa.string(), pa.binary(), pa.bool_(), pa.int8(), pa.uint64(), pa.float16(), pa.null()),
    *(pa.list_(pa.int64()), pa.list_(pa.list_(pa.string())), pa.timestamp("us"), pa.date32()),
    *(pa.struct([("a", pa.int64())]), pa.map_(pa.string(), pa.int32()), pa.decimal128(30, 2)),
    *(pa.dictionary(pa.int8(), pa.string()), pa.duration("s"), pa.large_string()),
]
VALUES: dict[str, list[Any]] = {
    "string": ["", "7", "-1", "nan", "2026-01-01T00:00:00Z", "\x1b[31m", "[1, 2", "9" * 400],
    "int64": [0, -1, 2**63 - 1, -(2**63), 2**62],
    "double": [0.5, float("nan"), float("inf"), -1e300],
}


@SETTINGS
@given(
    which=st.floats(0, 1, exclude_max=True),
    column=st.integers(0, 200),
    kind=st.sampled_from([*TYPES, *VALUES]),
    seed=st.integers(0, 2**32),
)
def test_tables_of_other_types(
    good: Callable[[str], tuple[Path, Path]], which: float, column: int, kind: Any, seed: int
) -> None:
    def exchange(file: Path) -> None:
        table = pq.read_table(file)
        rng, index = random.Random(seed), column % table.num_columns
        if isinstance(kind, str):
            types = {"string": pa.string(), "int64": pa.int64(), "double": pa.float64()}
            values = [rng.choice(VALUES[kind]) for _ in range(len(table))]
            other = pa.array(values, types[kind])
        else:
            other = pa.nulls(len(table), kind)
        changed = table.set_column(index, table.column_names[index], other)
        if rng.random() < 0.3:  # what lies about what it holds: a column that is there twice
            changed = changed.append_column(table.column_names[0], other)
        pq.write_table(changed, file)

    check_changed(good("explorer_parquet"), which, exchange)
