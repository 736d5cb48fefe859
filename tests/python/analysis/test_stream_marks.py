"""Programs that work on several streams: what a recording says of them, and when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch_runs import Run, at_line, record, torch

from sidelight.analysis.lines import line_report
from sidelight.analysis.predicted_timeline import lay_out_predictions
from sidelight.analysis.pricing import price
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.profile.tables import Category

LARGE = 1 << 24


def mark(text: str) -> None:
    """A row as the capture leaves it."""
    row = torch._C._profiler._RecordFunctionFast(f"sidelight::stream {text}")
    row.__enter__()
    row.__exit__(None, None, None)


def kernels(run: Run) -> dict[str, list[tuple[int, int]]]:
    """Start and end of the device's rows, by stream."""
    profile = run.profile
    # The host of target fake takes what launches are predicted to, however busy this machine is.
    profile.manifest.target = "fake"
    lay_out_predictions(profile, price(profile, PricingRequest("trn1")))
    events = profile.events
    found: dict[str, list[tuple[int, int]]] = {}
    for row in range(len(events)):
        if events["category"][row] == Category.DEVICE and events["duration_ns"][row]:
            start_ns = int(events["start_ns"][row])
            stream = profile.tracks[int(events["track"][row])].tid
            end_ns = start_ns + int(events["duration_ns"][row])
            found.setdefault(stream, []).append((start_ns, end_ns))
    return found


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])


def two_streams(*between: str) -> Any:
    def program() -> None:
        source = torch.ones(LARGE)
        with at_line(10):
            source.relu_()
            for text in between:
                mark(text)
            source.tanh_()

    return program


def test_streams_run_beside_one_another(tmp_path: Path) -> None:
    run = record(two_streams("use 3"), tmp_path)
    found = kernels(run)
    assert set(found) == {"predicted", "3"}
    assert overlap(found["predicted"][-1], found["3"][0])
    names = [track.name for track in run.profile.tracks if track.kind == "device"]
    assert names[0].endswith("predicted")
    assert names[1].endswith("predicted, stream 3")
    report = line_report(run.profile, "")
    assert report.device_busy_ns < report.device_time_ns
    assert sum(line.self_ns for line in report.lines) + report.unattributed_ns == (
        report.device_time_ns
    )


def test_one_stream_runs_in_order(tmp_path: Path) -> None:
    found = kernels(record(two_streams("use 0"), tmp_path))
    (*_, first, second) = found["predicted"]
    assert second[0] >= first[1]


def test_a_stream_that_waits_for_another_begins_when_that_is_done(tmp_path: Path) -> None:
    found = kernels(record(two_streams("record 0 7", "use 3", "hold 3 7"), tmp_path))
    assert found["3"][0][0] == found["predicted"][-1][1]


def test_the_host_waits_for_a_stream_or_a_moment(tmp_path: Path) -> None:
    for number, texts in enumerate((["wait 0"], ["record 0 1", "await 1"])):
        directory = tmp_path / str(number)
        directory.mkdir()
        found = kernels(record(two_streams(*texts, "use 3"), directory))
        launch_ns = 104_000
        assert found["3"][0][0] >= found["predicted"][-1][1] + launch_ns


def test_what_is_no_mark_says_nothing(tmp_path: Path) -> None:
    texts = ("use", "use x", "use -3", "forget 3", "use 3 4 5", "use " + "9" * 400)
    assert set(kernels(record(two_streams(*texts), tmp_path))) == {"predicted"}
