"""Whatever is in a file: a profile, or an error that says what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sidelight.ingest.neuron_json import device_profile as device, summaries, system_profile
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from support.neuron_json import device_profile, instruction, matmul, transfer

READERS = {"device": device, "system": system_profile, "summary": summaries}

DOCUMENTS: dict[str, dict[str, Any]] = {
    "device": device_profile(
        [
            instruction(0, 5, nki_source_location="a.py:1", hlo_name="dot.1"),
            instruction(7, 5, opcode="EVENT_SEMAPHORE", layer="layer_1"),
            matmul(9, 3, 128, subgraph="sg01"),
        ],
        [transfer(4, 9)],
        layer_summary=[
            {"name": "/sg00/layer_1", "fully_qualified_subgraph": "/sg00", "start": 1, "end": 9}
        ],
        ham=[{"timestamp": 1, "k": 4, "n": 8, "duration": 5, "subgraph": "sg00"}],
        instruction_usage=[{"timestamp": 1, "type": "sb", "usage_avg": 0.5, "subgraph": "sg00"}],
        dma_throughput=[{"timestamp": 1, "transfer_rate": 5, "uses_hbm": "true"}],
        warnings=[{"message": "Look out"}],
    ),
    "system": {
        "trace_event": [
            {"name": "aten::mm", "timestamp": 5, "duration": 3, "type": 99999, "process_id": "1"},
            {
                "name": "nc_exec_running",
                "timestamp": 6,
                "duration": 3,
                "device_core_idx": 0,
                "exec_id": 1,
                "flow_id": ["5"],
                "model_id": 7,
            },
        ],
        "mem_usage": [{"timestamp": 5, "usage": 7}],
        "cpu_util": [{"timestamp": 5, "util": 7, "cpu_id": "1"}],
    },
    "summary": {
        "n_" + "0" * 40: {"total_time": 1.5, "compiler_version": "2", "group": {"a": 1}},
        "s_" + "0" * 40: {"count": {"a": 1}},
    },
}

ODD = st.recursive(
    st.one_of(
        st.integers(-(2**70), 2**70),
        st.sampled_from([0, -1, 2**63 - 1, -(2**63), 2**62, 10**18, 1e300, -0.5]),
        st.text(max_size=5),
        st.sampled_from(["", "-1", "4096", "sg99999999999", "yes", "a.py:0", "[", '["x:1"]']),
        st.booleans(),
        st.none(),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=5,
)


def read(name: str, path: Path) -> Profile | None:
    """The profile, its tables checked; None where an error says why there is none."""
    reader = READERS[name]
    try:
        reader.detect(path)
        profile = reader.read(path)
    except UnreadableInputError as error:
        if str(path) not in error.message:
            raise
        return None
    events = profile.events
    assert (events["duration_ns"] >= 0).all()
    assert (events["start_ns"] >= 0).all()
    assert (events["track"] < len(profile.tracks)).all()
    assert (events["name"] < len(profile.strings)).all()
    assert (profile.work["event"] < len(events)).all()
    assert (profile.origins["stack"] < len(profile.stacks)).all()
    assert np.isfinite([*profile.manifest.vendor_metrics.values()]).all()
    return profile


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_bytes_that_were_changed(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    text = bytearray(json.dumps(DOCUMENTS[name]).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        change = data.draw(st.sampled_from(["cut", "insert", "end"]))
        if change == "end":
            del text[max(place, 1) :]
        elif change == "cut":
            del text[place : place + data.draw(st.integers(1, 30))]
            text = text or bytearray(b"{")
        else:
            text[place:place] = data.draw(st.binary(min_size=1, max_size=4))
    path = tmp_path_factory.mktemp("f") / "changed.json"
    path.write_bytes(text)
    read(name, path)


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_values_that_were_changed(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    document: Any = json.loads(json.dumps(DOCUMENTS[name]))
    target: Any
    key: Any
    for _ in range(data.draw(st.integers(1, 5))):
        member = data.draw(st.sampled_from(sorted(document)))
        target, key = document, member
        if isinstance(document[member], list) and document[member] and data.draw(st.booleans()):
            target = document[member]
            key = data.draw(st.integers(0, len(target) - 1))
        if isinstance(target[key], dict) and target[key] and data.draw(st.booleans()):
            target = target[key]
            key = data.draw(st.sampled_from(sorted(target)))
        target[key] = data.draw(ODD)
    path = tmp_path_factory.mktemp("f") / "changed.json"
    path.write_text(json.dumps(document))
    read(name, path)


def deep(depth: int) -> str:
    return '{"instruction": [{"timestamp": ' + "[" * depth + "]" * depth + "}]}"


def many_members(count: int) -> str:
    return "{" + ",".join(f'"m{number}": []' for number in range(count)) + ', "dma": []}'


def spaces(count: int) -> str:
    return "n_7792fe1daf87c456\n    a" + " " * count + "b\n    c 5\n" + " " * count


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("device", deep(1_000_000)),
        ("device", many_members(20_000)),
        ("summary", spaces(4_000_000)),
    ],
    ids=["deep", "members", "spaces"],
)
def test_what_would_take_hours_if_time_grew_with_the_square(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / "large.json"
    path.write_text(text)
    read(name, path)


def test_names_and_tracks_without_end(tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    rows = [instruction(number, 1, subgroup=f"engine {number}") for number in range(6_000)]
    rows.append(
        instruction(9_000, 1, opcode="\x1b[31m<b>" + "x" * 10_000_000, operands="y" * 10**6)
    )
    path.write_text(json.dumps(device_profile(rows)))
    profile = read("device", path)
    assert profile is not None
    assert len(profile.events) == 6_001
    assert len(profile.tracks) < 5_000
    assert max(map(len, profile.strings)) <= 16_384


def test_cores_and_series_without_end(tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    places = [{"timestamp": 1, "value": 2, "subgraph": f"sg{number}"} for number in range(9_000)]
    rows = [instruction(number, 1, subgraph=f"sg{number}") for number in range(9_000)]
    path.write_text(json.dumps(device_profile(rows, pending_dma=places)))
    profile = read("device", path)
    assert profile is not None
    assert len(profile.events) == 9_000
    assert len(profile.tracks) < 5_000
    assert len(profile.samples) == len(profile.manifest.series) < 500


def test_a_list_of_endless_warnings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    with path.open("w") as file:
        file.write('{"warnings": [{"message": ""}')
        for _ in range(70):
            file.write(',{"message": "' + "x" * (1 << 20) + '"}')
        file.write('], "instruction": []}')
    assert read("device", path) is None
