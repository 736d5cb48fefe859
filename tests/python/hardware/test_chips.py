"""The chips' figures and their logical cores, against numbers written out by hand."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest

from sidelight.hardware.chips import CHIP_NAMES, DEFAULT_CHIP, Figure, HardwareError, chip
from sidelight.hardware.cores import LogicalCore, logical_core
from support.interpreters import installed_interpreters

PACKAGE = Path(__file__).parents[3] / "pyserver" / "sidelight"

FIGURES = [(name, figure) for name in CHIP_NAMES for figure in chip(name).figures]

EVERY_CORE = [(name, lnc) for name in CHIP_NAMES for lnc in chip(name).lnc_choices]

GIB = 1_073_741_824
MIB = 1_048_576

# bf16, fp16 and tf32 share a peak on every chip. Rates: 1e9 a second; peaks: 1e9 FLOP/s.
BY_HAND = {
    ("trn1", 1): ("trn1", 95_000, 23_750, 95_000, 16 * GIB, 410, 500, 24 * MIB, 2 * MIB, 192),
    ("inf2", 1): ("inf2", 95_000, 23_750, 95_000, 16 * GIB, 410, 500, 24 * MIB, 2 * MIB, 96),
    ("trn2", 1): (
        *("trn2, LNC 1", 83_375, 22_625, 162_375),
        *(12 * GIB, 362.5, 437.5, 28 * MIB, 2 * MIB, 160),
    ),
    ("trn2", 2): (
        *("trn2, LNC 2", 166_750, 45_250, 324_750),
        *(24 * GIB, 725, 875, 56 * MIB, 4 * MIB, 320),
    ),
    ("trn3", 1): (
        *("trn3, LNC 1", 83_875, 22_875, 167_750),
        *(18 * GIB, 612.5, 612.5, 32 * MIB, 2 * MIB, 320),
    ),
    ("trn3", 2): (
        *("trn3, LNC 2", 167_750, 45_750, 335_500),
        *(36 * GIB, 1225, 1225, 64 * MIB, 4 * MIB, 640),
    ),
}


@pytest.mark.parametrize(("name", "lnc"), EVERY_CORE)
def test_a_logical_core(name: str, lnc: int) -> None:
    core = logical_core(name, lnc)
    peaks = core.tensor_flops_per_s
    shown = (
        core.label,
        peaks["bf16"] / 1e9,
        peaks["fp32"] / 1e9,
        peaks["fp8"] / 1e9,
        core.hbm_bytes,
        core.hbm_bytes_per_s / 1e9,
        core.dma_bytes_per_s / 1e9,
        core.sbuf_bytes,
        core.psum_bytes,
        core.neuronlink_bytes_per_s / 1e9,
    )
    assert shown == BY_HAND[name, lnc]
    assert peaks["bf16"] == peaks["fp16"] == peaks["tf32"]
    assert (core.chip, core.lnc, core.physical_cores) == (name, lnc, lnc)
    assert core.dma_engines == 16 * lnc


def test_only_trainium3_has_microscaling_types() -> None:
    with_them = {name for name in CHIP_NAMES if "mxfp8" in logical_core(name).tensor_flops_per_s}
    assert with_them == {"trn3"}
    peaks = logical_core("trn3", 2).tensor_flops_per_s
    assert peaks["mxfp8"] == peaks["mxfp4"] == 629_250e9


@pytest.mark.parametrize(
    ("name", "tensor", "vector", "scalar", "vector_speedup", "scalar_speedup"),
    [
        ("trn1", 2.8e9, 1.12e9, 1.4e9, 1, 1),
        ("inf2", 2.8e9, 1.12e9, 1.4e9, 1, 1),
        ("trn2", 2.4e9, 0.96e9, 1.2e9, 2, 1),
        ("trn3", 2.4e9, 1.2e9, 1.2e9, 2, 2),
    ],
)
def test_the_engines(
    name: str,
    tensor: float,
    vector: float,
    scalar: float,
    vector_speedup: float,
    scalar_speedup: float,
) -> None:
    for lnc in chip(name).lnc_choices:
        core = logical_core(name, lnc)
        assert (core.tensor_hz, core.vector_hz) == (tensor, vector)
        assert (core.scalar_hz, core.gpsimd_hz) == (scalar, scalar)
        assert core.vector_half_width_speedup == vector_speedup
        assert core.scalar_half_width_speedup == scalar_speedup
        assert (core.array_rows, core.array_columns, core.lanes) == (128, 128, 128)


@pytest.mark.parametrize(("name", "lnc"), EVERY_CORE)
def test_the_logical_cores_of_a_chip_make_the_whole_chip(name: str, lnc: int) -> None:
    whole, core = chip(name), logical_core(name, lnc)
    count = whole.physical_cores // lnc
    for dtype, flops_per_s in core.tensor_flops_per_s.items():
        assert count * flops_per_s == whole.figure(f"chip_peak_{dtype}").value * 1e12
    assert count * core.hbm_bytes == whole.figure("chip_hbm_capacity").value * GIB
    assert count * core.hbm_bytes_per_s == pytest.approx(
        whole.figure("chip_hbm_bandwidth").base_value, rel=1e-12
    )
    assert count * core.dma_engines == whole.figure("chip_dma_engines").value


def test_the_defaults() -> None:
    assert DEFAULT_CHIP == "trn2"
    assert logical_core() == logical_core("trn2", 2)
    assert [logical_core(name).lnc for name in CHIP_NAMES] == [1, 2, 2, 1]
    assert [chip(name).title for name in CHIP_NAMES] == [
        *("Trainium1", "Trainium2", "Trainium3", "Inferentia2")
    ]


def test_cores_can_be_keys() -> None:
    cores = {logical_core(name, lnc) for name, lnc in EVERY_CORE}
    assert len(cores) == 6


@pytest.mark.parametrize(("name", "figure"), FIGURES, ids=lambda value: getattr(value, "name", ""))
def test_every_figure_has_its_source(name: str, figure: Figure) -> None:
    pages = json.loads((PACKAGE / "hardware" / "figures.json").read_text("utf-8"))["sources"]
    for source in (figure.source, *(source for _, source in figure.others)):
        page, _, remark = source.partition(": ")
        assert page in pages.values()
        assert remark == remark.strip()
    assert figure.value > 0
    assert figure.value not in [value for value, _ in figure.others]
    if figure.others:
        assert figure.why.endswith("."), "where pages disagree, the choice is explained"
    assert chip(name).figure(figure.name) is figure


def test_what_pages_disagree_about() -> None:
    """Both figures are there: the disagreements that the choice of a peak and a ridge rests on."""

    def printed(name: str, figure: str) -> list[float]:
        found = chip(name).figure(figure)
        return [found.value, *(value for value, _ in found.others)]

    assert printed("trn2", "core_peak_bf16") == [83.375, 79, 78.64]
    assert printed("trn2", "chip_hbm_bandwidth") == [2.9, 2.864, 3]
    assert printed("trn3", "chip_hbm_bandwidth") == [4.9, 4.7]
    assert printed("trn3", "chip_peak_fp8") == [1342, 671]
    assert printed("trn1", "chip_hbm_bandwidth") == [820, 880.47, 800]


@pytest.mark.parametrize("name", CHIP_NAMES)
def test_the_guides_peak_is_that_of_the_array_at_its_clock(name: str) -> None:
    """The reason given for not using it: it is 2 FLOP for each element of the array and cycle."""
    core = logical_core(name)
    array_tflops = 2 * core.array_rows * core.array_columns * core.tensor_hz / 1e12
    (guides, _), (at_clock, _) = chip(name).figure("core_peak_bf16").others
    assert round(array_tflops) == guides
    assert round(array_tflops, 2) == at_clock


@pytest.mark.parametrize(
    ("name", "lnc", "message"),
    [
        ("trn9", None, "trn9 is no chip that Sidelight knows. Choose trn1, trn2, trn3 or inf2."),
        *(
            (
                name,
                2,
                f"{name} has no LNC 2: a logical core is a physical core there. Leave `--lnc` out.",
            )
            for name in ("trn1", "inf2")
        ),
        ("trn2", 3, "trn2 has no LNC 3. Choose 1 or 2."),
    ],
)
def test_what_does_not_exist(name: str, lnc: int | None, message: str) -> None:
    with pytest.raises(HardwareError) as raised:
        logical_core(name, lnc)
    assert str(raised.value) == message
    assert isinstance(raised.value, ValueError)


def test_a_figure_that_does_not_exist() -> None:
    with pytest.raises(HardwareError, match="core_flux of trn2"):
        chip("trn2").figure("core_flux")


# As capture's start-up loads its package, where neither Sidelight nor anything else is installed.
LOAD_ALONE = """
import dataclasses, importlib, json, sys, types
package = types.ModuleType("_sidelight")
package.__path__ = [sys.argv[1]]
sys.modules["_sidelight"] = package
cores = importlib.import_module("_sidelight.hardware.cores")
importlib.import_module("_sidelight.hardware.roofline")
asked = json.loads(sys.argv[2])
print(json.dumps([dataclasses.asdict(cores.logical_core(*each)) for each in asked]))
assert "sidelight" not in sys.modules
"""


@pytest.mark.parametrize("python", installed_interpreters(), ids=str)
def test_it_loads_alone_in_every_interpreter(python: str) -> None:
    done = subprocess.run(
        [python, "-I", "-S", "-c", LOAD_ALONE, str(PACKAGE), json.dumps(EVERY_CORE)],
        capture_output=True,
        text=True,
        check=True,
    )
    ours: list[LogicalCore] = [logical_core(name, lnc) for name, lnc in EVERY_CORE]
    assert json.loads(done.stdout) == [asdict(core) for core in ours]
