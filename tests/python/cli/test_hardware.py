"""``sidelight hardware``: the document, the tables, and what a chip does not have."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest

from cli.contract import ERROR, Json, check
from cli.running import Run
from sidelight.hardware.chips import CHIP_NAMES, chip

WIDTHS = (40, 60, 80, 100, 200)

NUMBER: Json = {"type": "number", "exclusiveMinimum": 0}
TEXT: Json = {"type": "string", "minLength": 1}
BY_DTYPE: Json = {
    "type": "object",
    "required": ["bf16", "fp16", "tf32", "fp32", "fp8"],
    "additionalProperties": NUMBER,
}
FIGURE: Json = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^(chip|core)_[a-z0-9_]+$"},
        "value": NUMBER,
        "unit": TEXT,
        "source": TEXT,
        "why": {"type": "string"},
        "others": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"value": NUMBER, "source": TEXT},
                "required": ["value", "source"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["name", "value", "unit", "source", "why", "others"],
    "additionalProperties": False,
}
CORE: Json = {
    "type": "object",
    "properties": {
        "chip": {"enum": list(CHIP_NAMES)},
        "tensor_flops_per_s": BY_DTYPE,
        "ridge_points_flop_per_byte": BY_DTYPE,
    },
    "required": ["chip", "tensor_flops_per_s", "ridge_points_flop_per_byte"],
    "additionalProperties": NUMBER,
}
DOCUMENT: Json = {
    "type": "object",
    "properties": {
        "chips": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"enum": list(CHIP_NAMES)},
                    "title": TEXT,
                    "physical_cores": {"enum": [2, 8]},
                    "lnc_choices": {"enum": [[1], [1, 2]]},
                    "default_lnc": {"enum": [1, 2]},
                    "figures": {"type": "array", "items": FIGURE, "minItems": 20},
                    "logical_cores": {"type": "array", "items": CORE, "minItems": 1},
                },
                "required": ["name", "title", "physical_cores", "figures", "logical_cores"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["chips"],
    "additionalProperties": False,
}


def document_of(run: Run, *arguments: str) -> Json:
    done = run("hardware", "--json", *arguments)
    assert (done.status, done.stderr) == (0, "")
    document: Json = json.loads(done.stdout)
    jsonschema.validate(document, DOCUMENT)
    return document


def cores_in(document: Json) -> list[tuple[str, int]]:
    return [
        (core["chip"], core["lnc"]) for each in document["chips"] for core in each["logical_cores"]
    ]


def text_of(run: Run, *arguments: str) -> str:
    done = run("hardware", *arguments)
    assert (done.status, done.stderr) == (0, "")
    return done.stdout


def cells_of(text: str, label: str) -> list[str]:
    """What stands beside a label, split where two spaces or more are."""
    (row,) = re.findall(rf"^ *{re.escape(label)}  +(.*)$", text, re.MULTILINE)
    return re.split(r" {2,}", row)


def headings_of(text: str) -> list[str]:
    """The logical cores that a table has columns for."""
    (row,) = re.findall(r"^ {2,}(\w{4}\b.*)\nphysical cores ", text, re.MULTILINE)
    return re.split(r" {2,}", row)


def test_the_document_holds_everything(run: Run) -> None:
    document = document_of(run)
    assert cores_in(document) == [
        *[("trn1", 1), ("trn2", 1), ("trn2", 2), ("trn3", 1), ("trn3", 2), ("inf2", 1)]
    ]
    trainium2 = document["chips"][1]
    pair = trainium2["logical_cores"][1]
    assert pair["tensor_flops_per_s"]["bf16"] == 166.75e12
    assert pair["hbm_bytes"] == 25_769_803_776
    assert pair["ridge_points_flop_per_byte"]["bf16"] == 230
    (peak,) = [each for each in trainium2["figures"] if each["name"] == "core_peak_bf16"]
    assert (peak["value"], peak["unit"]) == (83.375, "TFLOP/s")
    assert peak["source"].endswith("derived: 667 TFLOP/s of the chip / 8 cores")
    assert [other["value"] for other in peak["others"]] == [79, 78.64]


@pytest.mark.parametrize(
    ("arguments", "cores"),
    [
        ("--device trn2", [("trn2", 1), ("trn2", 2)]),
        ("--device trn3 --lnc 2", [("trn3", 2)]),
        ("--device inf2 --lnc 1", [("inf2", 1)]),
        ("--lnc 1", [("trn1", 1), ("trn2", 1), ("trn3", 1), ("inf2", 1)]),
        ("--lnc 2", [("trn2", 2), ("trn3", 2)]),
    ],
)
def test_the_document_holds_what_was_asked_for(
    run: Run, arguments: str, cores: list[tuple[str, int]]
) -> None:
    assert cores_in(document_of(run, *arguments.split())) == cores


def test_all_chips_side_by_side(run: Run) -> None:
    text = text_of(run)
    assert headings_of(text) == ["trn1", "trn2, LNC 2", "trn3, LNC 2", "inf2"]
    assert cells_of(text, "physical cores") == ["1 of 2", "2 of 8", "2 of 8", "1 of 2"]
    assert cells_of(text, "HBM") == ["16 GiB", "24 GiB", "36 GiB", "16 GiB"]
    assert cells_of(text, "HBM bandwidth") == ["410 GB/s", "725 GB/s", "1.225 TB/s", "410 GB/s"]
    assert cells_of(text, "Scalar, GpSimd") == ["1.4", "1.2", "1.2", "1.4"]
    peaks, _, ridges = text.partition("ridge point, FLOP/byte")
    assert cells_of(peaks, "bf16, fp16, tf32") == ["95", "166.75", "167.75", "95"]
    assert cells_of(peaks, "mxfp8, mxfp4") == ["-", "-", "629.25", "-"]
    assert cells_of(ridges, "bf16, fp16, tf32") == ["232", "230", "137", "232"]
    assert cells_of(ridges, "fp32") == ["57.9", "62.4", "37.3", "57.9"]
    assert len(text.splitlines()) < 30, "it fits on one screen"


def test_the_chips_that_can_have_a_configuration(run: Run) -> None:
    assert headings_of(text_of(run, "--lnc", "2")) == ["trn2, LNC 2", "trn3, LNC 2"]


def test_a_chip_with_its_sources(run: Run) -> None:
    text = text_of(run, "--device", "trn2")
    assert text.startswith(
        "Trainium2 (trn2): 8 physical cores; by default 2 of them make a logical core\n"
    )
    for section in ("One chip", "One physical core", "One logical core", "Sources"):
        assert f"\n\n{section}\n" in text
    chip_page, guide = (
        re.findall(rf"^(\[\d\]) [^[]*{page}$", text, re.MULTILINE)[0]
        for page in ("neuron-hardware/trainium2.rst", "architecture/trainium2_arch.rst")
    )
    whole, _, one = text.partition("One physical core")
    assert cells_of(whole, "dense peak bf16, fp16, tf32") == ["667 TFLOP/s", chip_page]
    assert cells_of(whole, "HBM bandwidth") == ["2.9 TB/s", chip_page]
    assert f"    elsewhere 3 TB/s {guide}\n    The chip's page is used" in whole
    assert cells_of(one, "dense peak bf16, fp16, tf32") == ["83.375 TFLOP/s", chip_page]
    assert f"    elsewhere 79 TFLOP/s {guide}\n" in one
    assert cells_of(one, "half width speedup of Vector") == ["2 times", guide]


@pytest.mark.parametrize("name", CHIP_NAMES)
def test_a_chip_shows_every_figure_and_names_every_page(run: Run, name: str) -> None:
    words = " ".join(text_of(run, "--device", name).split())
    pages: set[str] = set()
    for figure in chip(name).figures:
        assert f"{figure.value:g} {figure.unit} [" in words
        assert figure.why in words
        for source in (figure.source, *(source for _, source in figure.others)):
            page, _, remark = source.partition(": ")
            pages.add(page)
            assert page in words
            assert remark in words
        for value, _ in figure.others:
            assert f"elsewhere {value:g} {figure.unit} [" in words
    assert set(re.findall(r"\[(\d)\]", words)) == {str(n) for n in range(1, len(pages) + 1)}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("device", [None, *CHIP_NAMES])
def test_no_row_is_wider_than_the_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, width: int, device: str | None
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = text_of(run, *(["--device", device] if device else []))
    assert max(map(len, text.splitlines())) <= width
    assert text.isascii(), "any terminal shows it"
    for name in [device] if device else CHIP_NAMES:
        assert name in text


@pytest.mark.parametrize("device", ["trn1", "inf2"])
def test_a_configuration_that_the_chip_does_not_have(run: Run, device: str) -> None:
    sentence = f"{device} has no LNC 2: a logical core is a physical core there. Leave `--lnc` out."
    done = run("hardware", "--device", device, "--lnc", "2")
    assert (done.status, done.stdout, done.stderr) == (2, "", f"sidelight: {sentence}\n")
    done = run("hardware", "--device", device, "--lnc", "2", "--json")
    assert (done.status, done.stderr) == (2, "")
    document = json.loads(done.stdout)
    check(document, ERROR)
    assert document["error"] == {"code": "no_such_lnc", "message": sentence}
