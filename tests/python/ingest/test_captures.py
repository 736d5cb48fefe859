"""NEFFs and NTFFs: what is told of them, how they find each other, and what is said of the rest."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from sidelight import ingest
from sidelight.ingest.binaries import neff_contents
from sidelight.ingest.binaries.captures import NEFF_FORMAT, NTFF_FORMAT
from sidelight.ingest.binaries.neff import read_neff_identity
from sidelight.ingest.binaries.neff_contents import Tensor, read_contents
from sidelight.ingest.binaries.ntff import read_ntff_identity
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category
from traces.neuron_binaries import CONTENTS, UUID, archive, neff, ntff, subgraph, written

FOLDER = Path(__file__).parents[3].parent / "shared" / "traces" / "neuron" / "kernel-fusion"
PAIRS = [
    (path, path.with_name(f"{path.stem}_exec_2.ntff")) for path in sorted(FOLDER.glob("*.neff"))
]
OTHER_UUID = b"\xee" * 16

needs_samples = pytest.mark.skipif(
    not PAIRS, reason="the folder of public captures is not beside the checkout"
)


def codes(profile: Profile) -> set[str]:
    return {note.code for note in profile.manifest.quality}


def refused(act: Callable[[Path], object], path: Path) -> UnreadableInputError:
    with pytest.raises(UnreadableInputError) as raised:
        act(path)
    assert str(path) in raised.value.message
    return raised.value


def test_a_neff_is_told_by_its_header_and_archive(tmp_path: Path) -> None:
    path = written(tmp_path / "step.neff", neff())
    identity = read_neff_identity(path)
    assert (identity.name, identity.uuid, identity.lnc) == ("step.neff", UUID.hex(), 2)
    contents = read_contents(path, identity)
    assert (contents.compiler_version, contents.target) == ("2.23.1+abc", "cayman")
    assert contents.subgraphs == ["sg00", "sg01"]
    assert contents.tensors == [
        Tensor("q", "input", "bfloat16", (128, 64)),
        Tensor("out", "output", "float32", ()),
    ]
    assert contents.has_kernel_debug_info is False


def test_kernel_debug_information_is_found_wherever_it_lies(tmp_path: Path) -> None:
    data = archive({**CONTENTS, "sg00/kernel_debug_info.json": b"[" * 2000})
    path = written(tmp_path / "step.neff", neff(data))
    assert read_contents(path, read_neff_identity(path)).has_kernel_debug_info is True


@pytest.mark.parametrize(
    "data",
    [
        archive()[:-100],
        archive()[:200] + b"\x00" * 300,
        b"\x1f\x8b" + b"\xff" * 100,
        gzip.compress(b"\xff" * 4096),
        gzip.compress(b"info.json".ljust(124, b"\0") + b"-0000000001\0" + b"0" * 376),
        b"not gzip",
        b"",
    ],
    ids=["cut", "torn", "no deflate", "no tar", "negative size", "plain", "none"],
)
def test_what_is_left_of_a_broken_archive_is_told(tmp_path: Path, data: bytes) -> None:
    path = written(tmp_path / "step.neff", neff(data))
    assert read_contents(path, read_neff_identity(path)).has_kernel_debug_info is None


def test_an_archive_is_unpacked_within_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neff_contents, "LARGEST_ARCHIVE_BYTES", 1 << 20)
    data = archive({"weights.npy": b"\0" * (2 << 20), **CONTENTS})
    path = written(tmp_path / "step.neff", neff(data))
    contents = read_contents(path, read_neff_identity(path))
    assert contents.has_kernel_debug_info is None
    assert contents.compiler_version == ""  # it lies behind the bound


def test_an_ntff_is_told_by_its_description(tmp_path: Path) -> None:
    identity = read_ntff_identity(written(tmp_path / "step.ntff", ntff()))
    assert (identity.version, identity.neff_name) == (6, "step.neff")
    assert identity.neff_uuids == (UUID.hex(),)
    assert (identity.instance_type, identity.instance_id) == ("trn2.3xlarge", "i-0123456789")
    assert (identity.subgraphs, identity.physical_cores) == (("sg00", "sg01"), (4, 5))
    assert identity.total_time_ps == 1_234_567_890


def test_a_capture_beside_its_program_becomes_a_profile(tmp_path: Path) -> None:
    written(tmp_path / "another.neff", neff(uuid=OTHER_UUID))
    program = written(tmp_path / "x.neff", neff())
    capture = written(tmp_path / "y.ntff", ntff())
    for path in (capture, program):
        profile = ingest.read(path)
        events, manifest = profile.events, profile.manifest
        assert events["category"].tolist() == [Category.DEVICE]
        assert events["duration_ns"].tolist() == [1_234_567]
        assert [profile.strings[code] for code in events["name"]] == ["step.neff"]
        assert manifest.inputs == [str(capture), str(program)]
        assert (manifest.format, manifest.device, manifest.host) == (
            "ntff",
            "neuron",
            "i-0123456789",
        )
        assert manifest.versions == {"ntff": "6", "neuronx-cc": "2.23.1+abc"}
        assert manifest.core is not None
        assert (manifest.core.instance_type, manifest.core.physical_cores) == ("trn2.3xlarge", 2)
        assert codes(profile) == {"total_time_only", "program", "no_kernel_debug_info"}
        told = "\n".join(note.message for note in manifest.quality)
        assert f"-n {program} -s {capture}" in told
        assert "inputs q bfloat16[128, 64]; outputs out float32[]" in told
        tensors = profile.tensors
        assert [
            [profile.strings[code] for code in tensors[name].tolist()]
            for name in ("name", "use", "dtype", "shape")
        ] == [["q", "out"], ["input", "output"], ["bfloat16", "float32"], ["[128, 64]", "[]"]]
        assert tensors["size_bytes"].tolist() == [-1, -1]


def test_where_neurons_tool_is_installed_it_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = written(tmp_path / "neuron-explorer", b"")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    capture = written(tmp_path / "step.ntff", ntff())
    [note] = [
        each for each in ingest.read(capture).manifest.quality if each.code == "total_time_only"
    ]
    assert f"`sidelight open --run-explorer {capture}`" in note.message


def test_a_capture_without_its_program_still_has_its_time(tmp_path: Path) -> None:
    written(tmp_path / "step.neff", neff(uuid=OTHER_UUID))
    profile = ingest.read(written(tmp_path / "step.ntff", ntff()))
    assert int(profile.events["duration_ns"].sum()) == 1_234_567
    assert codes(profile) == {"total_time_only", "no_neff"}


def test_links_beside_a_capture_are_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    program = written(elsewhere / "step.neff", neff())
    here = tmp_path / "here"
    here.mkdir()
    (here / "step.neff").symlink_to(program)
    assert "no_neff" in codes(ingest.read(written(here / "step.ntff", ntff())))


def test_a_program_alone_is_described(tmp_path: Path) -> None:
    written(tmp_path / "other.ntff", ntff(uuids=[OTHER_UUID]))
    written(tmp_path / "empty.ntff", b"")
    error = refused(ingest.read, written(tmp_path / "step.neff", neff()))
    assert error.code == "program_alone"
    assert (
        "step.neff; compiler 2.23.1+abc; for Trainium2 (cayman); LNC 2; inputs q" in error.message
    )


def test_of_several_captures_one_has_to_be_chosen(tmp_path: Path) -> None:
    written(tmp_path / "exec_1.ntff", ntff())
    written(tmp_path / "exec_2.ntff", ntff())
    error = refused(ingest.read, written(tmp_path / "step.neff", neff()))
    assert error.code == "several_captures"
    assert "exec_1.ntff, exec_2.ntff" in error.message


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty_ntff"),
        (ntff(version=7), "unknown_ntff_version"),
        (ntff()[:100], "broken_ntff"),
        (ntff()[:200], "broken_ntff"),
        (ntff(description_bytes=0), "broken_ntff"),
        (ntff(description_bytes=(1 << 56) - 1), "broken_ntff"),
        (ntff(description_bytes=90), "broken_ntff"),
        (ntff(uuids=[]), "broken_ntff"),
        (ntff(uuids=[b"short"]), "broken_ntff"),
        # What is not as in every capture that is known is no time that can be shown.
        (ntff(uuids=[UUID, OTHER_UUID]), "needs_neuron_explorer"),
        (ntff(subgraphs=[]), "needs_neuron_explorer"),
        (ntff(subgraphs=[subgraph(b"sg00", 4, None)]), "needs_neuron_explorer"),
        (ntff(subgraphs=[subgraph(b"sg00", 4, 0)]), "needs_neuron_explorer"),
        (ntff(subgraphs=[subgraph(b"sg00", 4, 1 << 63)]), "needs_neuron_explorer"),
        (ntff(subgraphs=[subgraph(b"sg00", 4, 1000, [])]), "needs_neuron_explorer"),
        (ntff(subgraphs=[subgraph(b"sg00", 4, 1000, [(200, 57)])]), "needs_neuron_explorer"),
    ],
)
def test_ntffs_that_cannot_be_told(tmp_path: Path, content: bytes, code: str) -> None:
    assert refused(ingest.read, written(tmp_path / "step.ntff", content)).code == code


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b"\x02" + b"\0" * 90, "broken_neff"),
        (neff(package_version=0), "broken_neff"),
        (neff(data_bytes=1 << 40), "broken_neff"),
        (neff(lnc=0), "program_alone"),
    ],
)
def test_neffs_that_cannot_be_opened(tmp_path: Path, content: bytes, code: str) -> None:
    assert refused(ingest.read, written(tmp_path / "step.neff", content)).code == code


def test_both_are_known_by_what_they_begin_with(tmp_path: Path) -> None:
    program = written(tmp_path / "program", neff())
    capture = written(tmp_path / "capture", ntff())
    text = written(tmp_path / "trace.json", b'{"traceEvents": []}')
    found = [
        (NEFF_FORMAT.detect(path), NTFF_FORMAT.detect(path))
        for path in (program, capture, text, tmp_path, tmp_path / "absent.neff")
    ]
    assert found == [(True, False), (False, True)] + 3 * [(False, False)]


@pytest.mark.parametrize("name", ["ntrace.pb", "trace_info.pb", "cpu_util.pb", "host_mem.pb"])
def test_what_only_neurons_tools_read_is_said_with_the_command(tmp_path: Path, name: str) -> None:
    error = refused(ingest.read, written(tmp_path / name, b"\x0a\x04\x40\x05\x5a\x00"))
    assert error.code == "needs_neuron_explorer"
    assert f"neuron-explorer view --ingest-only -d {tmp_path}" in error.message


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    is_neff=st.booleans(),
    at=st.integers(0, 1 << 16),
    length=st.integers(0, 40),
    put=st.binary(max_size=40),
)
def test_damaged_files_are_read_or_explained(
    tmp_path: Path, is_neff: bool, at: int, length: int, put: bytes
) -> None:
    content = neff() if is_neff else ntff()
    at %= len(content)
    path = tmp_path / ("damaged.neff" if is_neff else "damaged.ntff")
    path.write_bytes(content[:at] + put + content[at + length :])
    message = str(path)
    try:
        profile = ingest.read(path)
    except UnreadableInputError as error:
        message = error.message
    else:
        assert int(profile.events["duration_ns"].sum()) > 0
    assert str(path) in message


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(at=st.integers(0, 1 << 16), put=st.binary(min_size=1, max_size=600))
def test_damaged_archives_do_no_harm(tmp_path: Path, at: int, put: bytes) -> None:
    unpacked = zlib.decompress(archive(), wbits=31)
    at %= len(unpacked)
    data = gzip.compress(unpacked[:at] + put + unpacked[at + len(put) :], 1)
    path = written(tmp_path / "step.neff", neff(data))
    contents = read_contents(path, read_neff_identity(path))
    assert len(contents.tensors) <= 3


@needs_samples
@pytest.mark.parametrize(("program", "capture"), PAIRS, ids=lambda path: path.stem[10:24])
def test_real_captures_say_what_the_vendors_tool_says(program: Path, capture: Path) -> None:
    vendors = json.loads(
        next(FOLDER.glob(f"{program.stem.rpartition('_')[0]}_json_*.json")).read_text()
    )
    identity, told = read_neff_identity(program), read_ntff_identity(capture)
    header, metadata = vendors["neff_header"][0], vendors["metadata"][0]
    assert identity.uuid == told.neff_uuids[0] == header["uuid"]
    assert identity.name == header["network_name"]
    assert identity.lnc == int(header["number_of_neuroncores_per_lnc"])
    assert told.total_time_ps is not None
    assert abs(told.total_time_ps - vendors["summary"][0]["total_time"] * 1e12) <= 1
    profile = ingest.read(capture)
    assert profile.manifest.inputs == [str(capture), str(program)]
    assert int(profile.events["duration_ns"][0]) == metadata["last_hw_timestamp"]
    contents = read_contents(program, identity)
    assert contents.compiler_version.startswith("2.23.")
    assert [(each.name, each.kind) for each in contents.tensors] == [
        ("k_ref", "input"),
        ("kernel_out", "output"),
        ("q_ref", "input"),
        ("v_ref", "input"),
    ]
