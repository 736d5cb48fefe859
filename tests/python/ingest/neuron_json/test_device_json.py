"""Device profiles as JSON: every row where it belongs, whatever the order and the faults."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from sidelight.ingest.neuron_json import device_profile as reader
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category
from support.neuron_json import (
    Row,
    device_profile,
    instruction,
    matmul,
    transfer,
    write_json,
)


def read(tmp_path: Path, instructions: Sequence[Row], *transfers: Row, **lists: Any) -> Profile:
    path = write_json(tmp_path / "p.json", device_profile(instructions, transfers, **lists))
    assert reader.detect(path)
    return reader.read(path)


def rows(profile: Profile) -> list[tuple[Any, ...]]:
    """(track, category, name, start, duration) of every row, by start."""
    events = profile.events
    found = [
        (
            profile.tracks[int(events["track"][row])].name,
            Category(events["category"][row]),
            profile.strings[int(events["name"][row])],
            int(events["start_ns"][row]),
            int(events["duration_ns"][row]),
        )
        for row in range(len(events))
    ]
    return sorted(found, key=lambda each: (each[3], each[0]))


def work(profile: Profile, column: str) -> list[int]:
    """A column of the work table, by the rows' start."""
    starts = profile.events["start_ns"][profile.work["event"]]
    values = zip(starts.tolist(), profile.work[column].tolist(), strict=True)
    return [value for _, value in sorted(values)]


def codes(profile: Profile) -> dict[str, int]:
    return {note.code: note.count for note in profile.manifest.quality}


def test_rows_are_on_the_tracks_of_their_engines_and_queues(tmp_path: Path) -> None:
    profile = read(
        tmp_path,
        [
            instruction(100, 50, opcode="ACTIVATE", subgroup="Scalar"),
            instruction(200, 30, opcode="EVENT_SEMAPHORE", subgroup="Scalar"),
            instruction(240, 5, opcode="EVENT_SEMAPHORE_RANGE_CLEAR", subgroup="Scalar"),
            matmul(300, 64, 10, subgraph="sg01"),
        ],
        transfer(400, 10),
        transfer(500, 10, dma_queue="7", queue_type="instruction", subgraph="sg01", variable="w1"),
    )
    work_row, other = Category.ENGINE_WORK, Category.OTHER
    assert rows(profile) == [
        ("NeuronCore 2, core 0: Scalar Engine", work_row, "ACTIVATE", 0, 50),
        ("NeuronCore 2, core 0: Scalar Engine", other, "EVENT_SEMAPHORE", 100, 30),
        ("NeuronCore 2, core 0: Scalar Engine", work_row, "EVENT_SEMAPHORE_RANGE_CLEAR", 140, 5),
        ("NeuronCore 2, core 1: Tensor Engine", work_row, "MATMUL", 200, 64),
        ("NeuronCore 2, core 0: qSyncDynamicHW", work_row, "software dynamic DMA", 300, 10),
        ("NeuronCore 2, core 1: queue 7", work_row, "w1", 400, 10),
    ]
    assert {(track.engine, track.pid) for track in profile.tracks} == {
        ("scalar", "NeuronCore 2"),
        ("tensor", "NeuronCore 2"),
        ("dma", "NeuronCore 2"),
    }
    assert profile.manifest.start_unix_ns == 100
    assert work(profile, "moved_bytes") == [-1, -1, -1, 4096, 4096]
    assert codes(profile)["dma_names_unknown"] == 1


def test_flops_and_bytes(tmp_path: Path) -> None:
    profile = read(
        tmp_path,
        [
            matmul(0, 10, 2_097_152),
            matmul(20, 10, 128 * 128 * 64, instruction_type="TRANSPOSE"),
            instruction(
                40, 10, opcode="LDWEIGHTS", subgroup="Tensor", instruction_type="TRANSPOSE"
            ),
            instruction(60, 10, opcode="DMA_DIRECT2D", hbm_read_bytes=4096, hbm_write_bytes="8192"),
            matmul(80, 10, 1 << 62),
        ],
    )
    assert work(profile, "flops") == [4_194_304, 2_097_152, -1, -1, -1]
    assert work(profile, "transpose_flops") == [0, 2_097_152, -1, -1, -1]
    assert work(profile, "hbm_read_bytes") == [-1, -1, -1, 4096, -1]
    assert work(profile, "hbm_write_bytes") == [-1, -1, -1, 8192, -1]


def test_a_wait_is_believed_back_to_the_start_of_the_row_before(tmp_path: Path) -> None:
    profile = read(
        tmp_path,
        [
            instruction(1000, 10, evt_wait_time=0),  # nothing is before it
            instruction(1100, 50, evt_wait_time=100),
            instruction(1120, 10, evt_wait_time=21),
            instruction(1130, 10, evt_wait_time=0, subgroup="Scalar"),
            instruction(1200, 10, evt_wait_time=80),
            instruction(1300, 10, evt_wait_time=29860),
        ],
    )
    assert work(profile, "wait_ns") == [-1, 100, -1, -1, 80, -1]


def test_source_lines_of_kernels_and_of_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "here.py").write_text("")
    profile = read(
        tmp_path,
        [
            instruction(0, 10, nki_source_location="kernels/norm.py:42"),
            instruction(10, 10, nki_source_location=["a.py:1", "b.py:2", "a.py:1"]),
            instruction(20, 10, nki_source_location='["a.py:1", "c.py:3:7"]'),
            instruction(30, 10, bir_debug_info_source_location="model.py:9"),
            instruction(40, 10, nki_source_location="no place", bir_debug_info_source_location=""),
            instruction(
                50, 10, nki_source_location="C:\\k.py:5", bir_debug_info_source_location="x:1"
            ),
            instruction(60, 10, nki_source_location="['here.py:4', e.py:5]"),
        ],
    )
    named: list[list[str]] = [[] for _ in range(7)]
    for event, stack in zip(
        *(profile.origins[name].tolist() for name in ("event", "stack")), strict=True
    ):
        assert profile.stacks["parent"][stack] == -1
        frame = profile.stacks["frame"][stack]
        file = profile.files[profile.frames["file"][frame]].path
        named[profile.events["start_ns"][event] // 10].append(
            f"{file}:{profile.frames['line'][frame]}"
        )
    assert named == [
        ["kernels/norm.py:42"],
        ["a.py:1", "b.py:2"],
        ["a.py:1", "c.py:3"],
        ["model.py:9"],
        [],
        ["C:\\k.py:5"],
        [f"{tmp_path / 'here.py'}:4", "e.py:5"],
    ]
    assert profile.manifest.line_level == "line"
    assert "no_stacks" not in codes(profile)


def test_layers_and_hlo_instructions_name_what_belongs_to_them(tmp_path: Path) -> None:
    layers = [
        {"name": "/sg00", "fully_qualified_subgraph": "/sg00", "start": 0, "end": 90},
        {"name": "/sg00/layer_1/mlp", "fully_qualified_subgraph": "/sg00", "start": 5, "end": 80},
        {"name": "/sg00/gone", "fully_qualified_subgraph": "/sg00"},
    ]
    profile = read(
        tmp_path,
        [
            instruction(10, 5, layer="layer_1/mlp"),
            instruction(20, 5, layer="layer_1/mlp", hlo_name="dot.1"),
            instruction(30, 5, layer="Unknown"),
            instruction(60, 9, hlo_name="dot.1"),
        ],
        layer_summary=layers,
    )
    operators = {
        profile.strings[int(profile.events["name"][row])]: (
            int(profile.events["start_ns"][row]),
            int(profile.events["duration_ns"][row]),
            int(profile.events["external_id"][row]),
        )
        for row in range(len(profile.events))
        if profile.events["category"][row] == Category.COMPILED_OPERATOR
    }
    layer, dot = operators["/sg00/layer_1/mlp"][2], operators["dot.1"][2]
    assert operators == {
        "/sg00": (0, 90, -1),
        "/sg00/layer_1/mlp": (5, 75, layer),
        "dot.1": (20, 49, dot),
    }
    is_work = profile.events["category"] == Category.ENGINE_WORK
    assert profile.events["external_id"][is_work].tolist() == [layer, dot, -1, dot]
    assert min(layer, dot) >= 0
    assert layer != dot


def test_counters_become_series(tmp_path: Path) -> None:
    profile = read(
        tmp_path,
        [instruction(50, 10)],
        dma_throughput=[
            {
                "timestamp": at,
                "subgraph": "sg01",
                "transfer_rate": rate,
                "hbm_transfer_rate": 0,
                "uses_hbm": "false",
            }
            for at, rate in ((70, 5), (60, 8_698_575_000))
        ],
        pending_dma=[{"timestamp": 60, "subgraph": "sg00", "value": 3}],
        instruction_usage=[
            {"timestamp": 61, "subgraph": "sg00", "type": "psum", "usage_avg": 0.25},
            {"timestamp": 62, "subgraph": "sg00", "type": "sb", "usage_avg": 1},
            {"timestamp": "soon", "subgraph": "sg00", "type": "sb", "usage_avg": 1},
        ],
        ham=[{"timestamp": 63, "subgraph": "sg00", "k": 4, "n": 8, "type": 1, "duration": 9}],
    )
    series = profile.manifest.series
    found = [
        (series[int(code)].name, series[int(code)].unit, series[int(code)].owner, int(at), value)
        for code, at, value in zip(
            *(profile.samples[name].tolist() for name in ("series", "at_ns", "value")), strict=True
        )
    ]
    first, second = "NeuronCore 2, core 0", "NeuronCore 2, core 1"
    assert sorted(found) == [
        ("DMA throughput", "bytes_per_s", second, 10, 8_698_575_000.0),
        ("DMA throughput", "bytes_per_s", second, 20, 5.0),
        ("PSUM in use", "fraction", first, 11, 0.25),
        ("SBUF in use", "fraction", first, 12, 1.0),
        ("pending DMA", "", first, 10, 3.0),
        ("utilisation limit", "fraction", first, 13, 0.5),
    ]
    assert codes(profile)["samples_left_out"] == 1


def test_what_the_file_says_beside_its_rows(tmp_path: Path) -> None:
    profile = read(
        tmp_path,
        [instruction(5_000, 10)],
        summary=[
            {
                "total_time": 1.5e-4,
                "hardware_flops": 2**53 + 2,
                "nc_idx": "9",
                "compiler_version": "2.23.1+abc",
                "instance_type": "trn2.3xlarge",
                "flag": True,
            }
        ],
        warnings=[{"message": "Missing HLO stats", "category": "Missing Data"}] * 2,
        surprise=[{"a": 1}],
    )
    manifest = profile.manifest
    assert manifest.vendor_metrics == {
        "total_time": 1.5e-4,
        "hardware_flops": 2.0**53 + 2,
        "nc_idx": 9.0,
    }
    assert manifest.versions == {
        "neuron_compiler": "2.23.1+abc",
        "ntff": "6",
        "neff_uuid": "0123abcd",
    }
    core = manifest.core
    assert core is not None
    assert (core.instance_type, core.physical_cores, core.first_ns, core.last_ns) == (
        "trn2.3xlarge",
        2,
        0,
        100_000,
    )
    assert (core.tensor_clock_hz, core.hbm_bytes_per_s) == (2.4e9, 716e9)
    assert manifest.device == "neuron"
    assert manifest.start_unix_ns == 5_000
    assert {code: codes(profile)[code] for code in ("profiler_warning", "unknown_parts")} == {
        "profiler_warning": 2,
        "unknown_parts": 1,
    }


def test_tensors_and_memory_by_use(tmp_path: Path) -> None:
    """Numbers are written as texts, and the list of tensors has the program's nodes in it, too."""
    profile = read(
        tmp_path,
        [instruction(0, 10)],
        neff_node=[
            {"node": "3", "sg_name": "sg00", "variable_name": "", "type": "", "shape": ""},
            {"type": "IN", "format": "NC", "shape": "[128 1024]", "size": "262144"}
            | {"variable_name": "k_ref"},
            {"type": "WEIGHT", "size": "much", "variable_name": "identity"},
        ],
        nc_mem_usage=[
            {"usage_type": "Weights", "amount_bytes": 100, "nd": 0, "nc": 4},
            {"usage_type": "Weights", "amount_bytes": "20", "nd": 0, "nc": 5},
            {"usage_type": "IO", "amount_bytes": 0, "nd": 0, "nc": 4},
            {"usage_type": "Spill", "amount_bytes": None, "nd": 0, "nc": 4},
        ],
    )
    tensors = profile.tensors
    told = [
        tuple(profile.strings[int(code)] if code >= 0 else None for code in of_one)
        for of_one in zip(
            *(tensors[name].tolist() for name in ("name", "use", "dtype", "shape", "layout")),
            strict=True,
        )
    ]
    assert told == [
        ("k_ref", "input", None, "[128, 1024]", "NC"),
        ("identity", "weight", None, None, None),
    ]
    assert tensors["size_bytes"].tolist() == [262144, -1]
    assert profile.manifest.core is not None
    assert profile.manifest.core.hbm_bytes_by_use == {"Weights": 120}


def test_a_real_date_is_the_start(tmp_path: Path) -> None:
    metadata = [{"first_ts": "2026-03-10T15:59:25.000000123Z", "first_hw_timestamp": 100}]
    profile = read(tmp_path, [instruction(101, 10)], metadata=metadata)
    # 2026-03-10T15:59:25Z is 1773158365 s since 1970.
    assert profile.manifest.start_unix_ns == 1_773_158_365_000_000_124


def test_cores_without_their_lists(tmp_path: Path) -> None:
    profile = read(
        tmp_path,
        [instruction(0, 1, subgraph="sg00"), instruction(0, 1, subgraph="sg03", subgroup="Odd")],
        transfer(5, 1),
        **dict.fromkeys(("model_info", "neff_header", "metadata", "dma_queues_info", "summary")),
    )
    assert [(track.name, track.pid, track.engine) for track in profile.tracks] == [
        ("NeuronCore 0: Vector Engine", "NeuronCore 0", "vector"),
        ("NeuronCore 0: queue 0", "NeuronCore 0", "dma"),
        ("NeuronCore 3: Odd", "NeuronCore 3", None),
    ]
    assert codes(profile)["unknown_engine"] == 1


def test_values_of_wrong_types(tmp_path: Path) -> None:
    profile = read(
        tmp_path,
        [
            instruction(0, 10),
            instruction(20, 10, opcode=["a", "list"], operands=None),
            {**instruction(40, 10), "timestamp": "40", "duration": "10.0"},
            {**instruction(60, 10), "duration": {}},
            instruction(80, -5),
            instruction(10**30, 10),
        ],
        transfer(90, 1, dma_queue=0),
    )
    assert [(name, start) for _, _, name, start, _ in rows(profile)] == [
        ("TENSOR_TENSOR", 0),
        ("instruction", 20),
        ("TENSOR_TENSOR", 40),
        ("software dynamic DMA", 90),
    ]
    assert codes(profile)["bad_duration"] == 3
    assert codes(profile)["repaired_types"] >= 2


TIMES = st.tuples(st.integers(0, 2_000), st.integers(0, 300))


@settings(max_examples=40, deadline=None)
@given(
    instructions=st.lists(
        st.tuples(
            TIMES,
            st.sampled_from(["Tensor", "Vector", "Scalar", "GpSimd", "Sync"]),
            st.sampled_from(["sg00", "sg01"]),
            st.sampled_from(["DRAIN", "EVENT_SEMAPHORE", "MATMUL"]),
        ),
        min_size=1,
        max_size=30,
    ),
    transfers=st.lists(TIMES, max_size=10),
    seed=st.integers(0, 10_000),
    suffix=st.sampled_from(["json", "json.gz"]),
)
def test_rows_are_those_of_a_plain_walk(
    tmp_path_factory: pytest.TempPathFactory,
    instructions: list[tuple[tuple[int, int], str, str, str]],
    transfers: list[tuple[int, int]],
    seed: int,
    suffix: str,
) -> None:
    document = device_profile(
        [
            instruction(*times, subgroup=engine, subgraph=subgraph, opcode=opcode)
            for times, engine, subgraph, opcode in instructions
        ],
        [transfer(*times) for times in transfers],
    )
    path = write_json(tmp_path_factory.mktemp("p") / f"p.{suffix}", document, seed=seed)
    first = min([times[0] for times, *_ in instructions] + [start for start, _ in transfers])
    expected = [
        (
            f"NeuronCore 2, core {0 if subgraph == 'sg00' else 1}: {engine} Engine",
            Category.OTHER if opcode == "EVENT_SEMAPHORE" else Category.ENGINE_WORK,
            opcode,
            start - first,
            duration,
        )
        for (start, duration), engine, subgraph, opcode in instructions
    ] + [
        (
            "NeuronCore 2, core 0: qSyncDynamicHW",
            Category.ENGINE_WORK,
            "software dynamic DMA",
            start - first,
            duration,
        )
        for start, duration in transfers
    ]
    assert reader.detect(path)
    assert sorted(rows(reader.read(path))) == sorted(expected)


def test_a_file_that_was_cut_off_gives_its_whole_rows(tmp_path: Path) -> None:
    document = device_profile([instruction(100 * number, 50) for number in range(20)])
    text = json.dumps(
        {"instruction": document["instruction"], "metadata": document["metadata"]}
    ).encode()
    path = tmp_path / "cut.json"
    end_of_rows = text.index(b'"metadata"')
    for length in (end_of_rows // 2, end_of_rows, len(text) - 3):
        path.write_bytes(text[:length])
        profile = reader.read(path)
        assert len(profile.events) == text[:length].count(b'"fully_qualified_subgraph": "/sg00"}')
        assert codes(profile)["cut_off"] == 1


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b'"evt_wait_time": 29860', b'"evt_wait_time": NaN', "repaired_numbers"),
        (b'"evt_wait_time": 29860', b'"evt_wait_time": -Infinity', "repaired_numbers"),
        (b'"TENSOR_TENSOR"', b'"TENSOR_\xff"', "repaired_text"),
        (b'"TENSOR_TENSOR"', b'"TENSOR_\\x"', "repaired_text"),
        (b'"TENSOR_TENSOR"', b'"TENSOR_\t\n"', None),
        (b'"/sg00"}]', b'"/sg00",},]', "repaired_commas"),
        (b'{"semaphore', b'\xef\xbb\xbf{"semaphore', "repaired_encoding"),
    ],
)
def test_damaged_text_is_repaired(tmp_path: Path, old: bytes, new: bytes, code: str | None) -> None:
    path = write_json(tmp_path / "p.json", device_profile([instruction(0, 5), instruction(7, 2)]))
    text = path.read_bytes()
    assert old in text
    path.write_bytes(text.replace(old, new, 1))
    profile = reader.read(path)
    assert [(start, duration) for *_, start, duration in rows(profile)] == [(0, 5), (7, 2)]
    known = {"no_stacks"}
    assert set(codes(profile)) - known == ({code} if code else set())


def test_a_damaged_gzip_file_gives_what_comes_out(tmp_path: Path) -> None:
    many = [instruction(100 * number, 50, id=number**9 % 10**9) for number in range(2_000)]
    path = write_json(tmp_path / "p.json.gz", device_profile(many))
    packed = path.read_bytes()
    path.write_bytes(packed[: len(packed) // 2])
    assert reader.detect(path)
    profile = reader.read(path)
    assert 200 < len(profile.events) < 2_000
    assert codes(profile)["cut_off"] == 1


def test_what_follows_the_end_is_told(tmp_path: Path) -> None:
    path = write_json(tmp_path / "p.json", device_profile([instruction(0, 1)]))
    path.write_bytes(path.read_bytes() + b"\n" + path.read_bytes())
    assert codes(reader.read(path))["rest_left_out"] == 1


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    path = write_json(tmp_path / "p.json", device_profile([]))
    with pytest.raises(UnreadableInputError, match=r"p\.json holds no events") as caught:
        reader.read(path)
    assert caught.value.code == "no_events"
    path.write_text('{"instruction": [{"timestamp": 5 5}]}')
    with pytest.raises(UnreadableInputError, match=r"p\.json is not a Neuron device") as caught:
        reader.read(path)
    assert caught.value.code == "broken_json"


@pytest.mark.parametrize(
    "text",
    [
        '{"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 1}]}',
        '{"e2e_model": {"latency_ms_p50": 1.0}, "summary": null}',
        '{"trace_event": []}',
        "[]",
        "plain text",
        '{"instruction": "manual"}',
    ],
)
def test_other_files_are_not_its_own(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    assert not reader.detect(path)
    assert not reader.detect(tmp_path)
