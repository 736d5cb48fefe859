"""Calibrating on the command line: fit, keep, use again, and what is refused."""

from __future__ import annotations

import json
import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.contract import check_report
from cli.priced import product, write_measured
from cli.running import Run
from sidelight.analysis.operator_calls import OperatorCalls
from sidelight.hardware.parameters import Parameters
from sidelight.hardware.prediction import predict_call
from sidelight.hardware.setup import Setup
from traces.chrome import Event, operator

TRUE = Parameters(kernel_start_ns=31_000, efficiency={"Tensor bf16": 0.55, "DMA float32": 0.75})


def kernels() -> list[Event]:
    def sum_of(rows: int) -> Event:
        inputs: dict[str, Any] = {"Input Dims": [[rows, 4096]] * 2, "Input type": ["float"] * 2}
        return operator("aten::add", 0, 5, **inputs)

    return [
        *(product(0, rows) for rows in (4096, 8192, 12288, 16384)),
        *(sum_of(rows) for rows in (1, 2, 3, 4096, 8192, 12288)),
    ]


def true_ns(event: Event) -> int:
    call = OperatorCalls({}).call(event["name"], json.dumps(event["args"]))
    prediction = predict_call(call, replace(Setup(), parameters=TRUE))
    assert prediction is not None
    return prediction.duration_ns


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """A trace of kernels that took what the true parameters say."""
    return write_measured(tmp_path / "trace.json", [(each, true_ns(each)) for each in kernels()])


@pytest.fixture
def fitted(run: Run, trace: Path, tmp_path: Path) -> dict[str, Any]:
    """The document of fitting to it, as ``mine``."""
    done = run(
        *("open", trace, "--device", "trn2", "--calibrate", "mine"),
        *("--store", tmp_path / "store", "--json"),
    )
    assert done.status == 0, done.stderr
    return json.loads(done.stdout)


def test_a_fit_is_found_kept_and_used_again(
    run: Run, trace: Path, fitted: dict[str, Any], tmp_path: Path
) -> None:
    check_report(fitted)
    assert fitted["predicted_ns"] == pytest.approx(fitted["device_time_ns"], rel=0.01)
    assert fitted["pricing"]["calibration"] == "mine"
    parameters = {each["name"]: each["value"] for each in fitted["pricing"]["parameters"]}
    assert parameters["kernel_start_ns"] == pytest.approx(31_000, rel=0.01)
    assert parameters["efficiency of Tensor bf16"] == pytest.approx(0.55, rel=0.01)
    assert parameters["efficiency of DMA float32"] == pytest.approx(0.75, rel=0.01)

    path = tmp_path / "store" / "calibrations" / "mine.json"
    kept = json.loads(path.read_text())
    assert (kept["name"], kept["chip"], kept["lnc"]) == ("mine", "trn2", 2)
    assert kept["measured_on"] == "cuda"
    store = ("--store", tmp_path / "store", "--json")
    again = json.loads(run("open", trace, "--calibration", "mine", *store).stdout)
    assert again["predicted_ns"] == fitted["predicted_ns"]
    assert again["pricing"]["errors"] == []  # those are of what it was fitted to
    uncalibrated = json.loads(run("open", trace, "--device", "trn2", *store).stdout)
    assert uncalibrated["pricing"]["calibration"] is None
    assert uncalibrated["predicted_ns"] < 0.8 * fitted["predicted_ns"]


def test_the_device_that_was_measured_is_told_wherever_its_rates_are_used(
    run: Run, trace: Path, fitted: dict[str, Any], tmp_path: Path
) -> None:
    def warnings(document: dict[str, Any]) -> list[str]:
        code = "calibrated_on_another_device"
        return [note["message"] for note in document["quality"] if note["code"] == code]

    store = ("--store", tmp_path / "store")
    again = json.loads(run("open", trace, "--calibration", "mine", *store, "--json").stdout)
    for document in (fitted, again):
        assert document["pricing"]["measured_on"] == "cuda"
        (message,) = warnings(document)
        assert message.startswith("The fit mine is of times that were measured on cuda,")
    told = " ".join(run("open", trace, "--calibration", "mine", *store).stdout.split())
    assert "calibrated by mine, measured on cuda" in told
    uncalibrated = run("open", trace, "--device", "trn2", *store, "--json").stdout
    assert warnings(json.loads(uncalibrated)) == []


def test_the_times_of_a_chip_are_its_own(run: Run, trace: Path, tmp_path: Path) -> None:
    recorded = json.loads(trace.read_text())
    recorded["traceEvents"].append(
        {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "Neuron"}}
    )
    on_chip = tmp_path / "neuron.json"
    on_chip.write_text(json.dumps(recorded))
    opening = ("--device", "trn2", "--calibrate", "chips", "--store", tmp_path / "store")
    document = json.loads(run("open", on_chip, *opening, "--json").stdout)
    assert document["device"] == document["pricing"]["measured_on"] == "neuron"
    codes = {note["code"] for note in document["quality"]}
    assert not {"calibrated_on_another_device", "memory_not_estimated"} & codes


def test_errors_by_operator_are_those_of_a_plain_recomputation(run: Run, tmp_path: Path) -> None:
    factors = (0.5, 1, 1.5, 2, 0.8, 1, 1.2, 1, 0.9, 1.3)
    measured = [
        (event, round(true_ns(event) * factor))
        for event, factor in zip(kernels(), factors, strict=True)
    ]
    trace = write_measured(tmp_path / "noisy.json", measured)
    store = ("--store", tmp_path / "store")
    opening = ("--device", "trn2", "--calibrate", "noisy")
    document = json.loads(run("open", trace, *opening, *store, "--json").stdout)
    calibration = json.loads((tmp_path / "store" / "calibrations" / "noisy.json").read_text())
    assert document["pricing"]["errors"] == calibration["errors"]
    fit = Parameters(
        kernel_start_ns=calibration["kernel_start_ns"], efficiency=calibration["efficiency"]
    )
    for error in document["pricing"]["errors"]:
        ratios: list[float] = []
        for event, measured_ns in measured:
            if event["name"] == error["operator"]:
                call = OperatorCalls({}).call(event["name"], json.dumps(event["args"]))
                prediction = predict_call(call, replace(Setup(), parameters=fit))
                assert prediction is not None
                ratios.append(prediction.duration_ns / measured_ns)
        assert error["kernels"] == len(ratios)
        assert error["median_ratio"] == pytest.approx(statistics.median(ratios))
        off = [abs(ratio - 1) for ratio in ratios]
        ninth = statistics.quantiles(off, n=10, method="inclusive")[8]
        assert error["p90_error"] == pytest.approx(ninth)
    told = " ".join(run("open", trace, *opening, *store).stdout.split())
    assert "The fit noisy: predicted over measured, in the median: aten::mm" in told


def test_a_fit_brings_its_core_and_its_cast(run: Run, trace: Path, tmp_path: Path) -> None:
    store = ("--store", tmp_path / "store", "--json")
    opening = ("--device", "trn2", "--lnc", "1", "--auto-cast", "none", "--calibrate", "one")
    fitted = json.loads(run("open", trace, *opening, *store).stdout)
    again = json.loads(run("open", trace, "--calibration", "one", *store).stdout)
    assert again["pricing"] == {**fitted["pricing"], "errors": []}
    assert again["pricing"]["lnc"] == 1
    assert again["pricing"]["auto_cast"] == "none"


def test_another_fit_takes_the_place_of_the_first(
    run: Run, trace: Path, fitted: dict[str, Any], tmp_path: Path
) -> None:
    twice = write_measured(tmp_path / "twice.json", [(e, 2 * true_ns(e)) for e in kernels()])
    path = tmp_path / "store" / "calibrations" / "mine.json"
    before = json.loads(path.read_bytes())["efficiency"]
    opening = ("--device", "trn2", "--calibrate", "mine", "--store", tmp_path / "store")
    assert run("open", twice, *opening).status == 0
    after = json.loads(path.read_bytes())["efficiency"]
    assert after["Tensor bf16"] < 0.6 * before["Tensor bf16"]
    assert [each.name for each in path.parent.iterdir()] == ["mine.json"]


@pytest.mark.parametrize(
    ("arguments", "status", "code", "words"),
    [
        ("--calibration mine --device trn1", 2, "other_chip", "is of trn2, not of trn1"),
        ("--calibration ../mine", 2, "usage", "names no calibration"),
        ("--calibrate a/b --device trn2", 2, "usage", "names no calibration"),
        ("--calibrate .hidden --device trn2", 2, "usage", "names no calibration"),
        ("--calibrate mine", 2, "usage", "--device"),
        ("--calibration other", 3, "no_such_calibration", "--calibrate other"),
    ],
)
def test_what_is_refused(
    run: Run,
    trace: Path,
    fitted: dict[str, Any],
    tmp_path: Path,
    arguments: str,
    status: int,
    code: str,
    words: str,
) -> None:
    store = ("--store", tmp_path / "store", "--json")
    done = run("open", trace, *arguments.split(), *store)
    assert done.status == status
    error = json.loads(done.stdout)["error"]
    assert error["code"] == code
    assert words in error["message"]


def test_a_cpus_times_are_nothing_to_fit_to(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "cpu.json"
    trace.write_text(json.dumps({"traceEvents": [product(1.0)]}))
    store = ("--store", tmp_path / "store", "--json")
    done = run("open", trace, "--device", "trn2", "--calibrate", "mine", *store)
    assert done.status == 3
    assert json.loads(done.stdout)["error"]["code"] == "nothing_measured"
    assert not (tmp_path / "store" / "calibrations").exists()


@pytest.mark.parametrize(
    "change",
    [
        {"schema": 2},
        {"efficiency": {"Tensor bf16": 0}},
        {"efficiency": {"Tensor bf16": -1.5}},
        {"efficiency": {"Tensor bf16": 1e-300}},
        {"efficiency": {"Tensor bf16": "fast"}},
        {"kernel_start_ns": -1},
        {"kernel_start_ns": 10**30},
        {"lnc": 3},
        {"auto_cast": "some"},
        {"errors": 7},
        None,
    ],
)
def test_a_damaged_fit_is_refused(
    run: Run, trace: Path, fitted: dict[str, Any], tmp_path: Path, change: dict[str, Any] | None
) -> None:
    path = tmp_path / "store" / "calibrations" / "mine.json"
    content = json.dumps({**json.loads(path.read_text()), **change}) if change else "{"
    path.write_text(content)
    done = run("open", trace, "--calibration", "mine", "--store", tmp_path / "store", "--json")
    assert done.status == 3
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "calibration_damaged"
    assert str(path) in error["message"]


def test_a_fit_of_a_chip_that_is_not_known_is_refused(
    run: Run, trace: Path, fitted: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "store" / "calibrations" / "mine.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "chip": "trn\x1b[31m9"}))
    done = run("open", trace, "--calibration", "mine", "--store", tmp_path / "store")
    assert done.status == 2
    assert "trn\\x1b[31m9 is no chip" in done.stderr


def test_a_link_in_the_place_of_the_fits_leads_nowhere(
    run: Run, trace: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "calibrations").symlink_to(elsewhere)
    store = ("--store", tmp_path / "store", "--json")
    done = run("open", trace, "--device", "trn2", "--calibrate", "mine", *store)
    assert done.status == 3
    assert json.loads(done.stdout)["error"]["code"] == "store_unusable"
    assert list(elsewhere.iterdir()) == []
