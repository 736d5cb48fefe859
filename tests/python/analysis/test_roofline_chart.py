"""The roofline chart: dots against plain walks over the events, and figures worked out by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product as pairs
from pathlib import Path

import pytest

from cli.priced import product, write_measured, write_program
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.explain import explain_lines
from sidelight.analysis.line_roofline import line_roofline
from sidelight.analysis.lines import line_report
from sidelight.analysis.pricing import price
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.analysis.roofline.chart import RooflineChart, RooflineLevel, roofline_chart
from sidelight.analysis.roofline.dots import RooflineDot
from sidelight.ingest.building import ProfileBuilder, new_manifest
from sidelight.profile.manifest import CoreFigures, Track, TrackEngine
from sidelight.profile.model import Profile
from sidelight.profile.tables import Category
from support.fake_runs import fake_run

TRACES = Path(__file__).parents[4] / "shared" / "traces" / "torch"

NETWORK = """\
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.norm = nn.Linear(256, 512), nn.LayerNorm(512)

    def forward(self, x):
        x = self.norm(self.up(x))
        return torch.nn.functional.gelu(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = Layer(), nn.Linear(512, 8)

    def forward(self, x):
        return self.last(self.first(x))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    loss = net(torch.randn(64, 256)).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""
LAYER_LINE, GELU_LINE, NET_LINE = 11, 12, 21


@pytest.fixture(scope="module")
def predicted(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    directory = tmp_path_factory.mktemp("roofline")
    (directory / "net.py").write_text(NETWORK)
    return fake_run(directory / "store", directory / "net.py", cwd=directory).profile


def chart_of(profile: Profile) -> RooflineChart:
    chart = roofline_chart(profile)
    assert chart is not None
    return chart


@dataclass
class Walked:
    """What a walk over the events finds of one key."""

    device_ns: int = 0
    predicted_ns: int = 0
    flops: int = 0
    hbm_bytes: int = 0


@dataclass
class Walk:
    """Sums of events whose kernels are whole, by operator and by line, event by event."""

    operators: defaultdict[str, Walked] = field(default_factory=lambda: defaultdict(Walked))
    lines: defaultdict[str, Walked] = field(default_factory=lambda: defaultdict(Walked))
    unpriced_ns: int = 0


def plain_walk(profile: Profile) -> Walk:
    events: dict[str, list[int]] = {name: profile.events[name].tolist() for name in profile.events}
    prices: dict[str, list[int]] = {name: profile.prices[name].tolist() for name in profile.prices}
    is_predicted = profile.manifest.time_kind == "predicted"
    walk = Walk()

    def found(row: int, line_of: int) -> list[Walked]:
        operator = profile.strings[events["name"][events["operator"][row]]]
        return [walk.operators[operator], walk.lines[line_name(profile, line_of)]]

    for row in range(len(profile.events)):
        if events["step"][row] < 0:
            continue
        number = events["price"][row]
        if number >= 0:
            assert prices["parts"][number] == 1
            for sums in found(row, events["stack"][row]):
                sums.predicted_ns += events["predicted_ns"][row]
                sums.flops += prices["flops"][number]
                sums.hbm_bytes += prices["hbm_bytes"][number]
        if events["device_ns"][row]:
            paying = row if is_predicted else events["operator"][row]
            while paying >= 0 and events["price"][paying] == -1:
                paying = events["parent"][paying]
            if paying < 0 or events["price"][paying] < 0:
                walk.unpriced_ns += events["device_ns"][row]
            else:
                of_operator, _ = found(paying, -1)
                of_line = walk.lines[line_name(profile, events["stack"][row])]
                of_operator.device_ns += events["device_ns"][row]
                of_line.device_ns += events["device_ns"][row]
    return walk


def line_name(profile: Profile, stack: int) -> str:
    if stack < 0:
        return "on no line"
    frame = int(profile.stacks["frame"][stack])
    path = profile.files[int(profile.frames["file"][frame])].path
    return f"{Path(path).name}:{int(profile.frames['line'][frame])}"


def check_against(level: RooflineLevel, walked: Mapping[str, Walked]) -> None:
    assert {
        dot.name: Walked(dot.device_ns, dot.predicted_ns or 0, dot.flops or 0, dot.hbm_bytes or 0)
        for dot in level.dots
    } == {name: sums for name, sums in walked.items() if sums.device_ns}


def check_conservation(chart: RooflineChart, profile: Profile) -> None:
    assert chart.device_ns == line_report(profile, "").device_time_ns
    for level in (chart.operators, chart.lines, chart.modules):
        assert sum(dot.device_ns for dot in level.dots) + level.unpriced_ns == chart.device_ns
        assert level.unpriced_ns >= 0
        times = [dot.device_ns for dot in level.dots]
        assert times == sorted(times, reverse=True)
        off_chart = [
            dot.device_ns for dot in level.dots if not dot.hbm_bytes or (dot.flops or 0) <= 0
        ]
        assert (level.off_chart_dots, level.off_chart_ns) == (len(off_chart), sum(off_chart))


def test_dots_of_a_predicted_run_are_those_of_a_plain_walk(predicted: Profile) -> None:
    chart, walk = chart_of(predicted), plain_walk(predicted)
    check_conservation(chart, predicted)
    check_against(chart.operators, walk.operators)
    check_against(chart.lines, walk.lines)
    assert chart.lines.unpriced_ns == walk.unpriced_ns == 0
    by_module = {dot.name: dot for dot in chart.modules.dots}
    assert set(by_module) == {"Net", "Net/Layer", "in no module"}
    lines = {dot.line: dot for dot in chart.lines.dots}
    assert by_module["Net"].device_ns == lines[NET_LINE].device_ns
    of_layer = [lines[LAYER_LINE], lines[GELU_LINE]]
    assert by_module["Net/Layer"].flops == sum(dot.flops or 0 for dot in of_layer)
    assert by_module["Net/Layer"].line == LAYER_LINE - 1
    assert {dot.time_kind for dot in chart.lines.dots} == {"predicted"}


def test_an_operator_is_where_most_of_its_device_time_is(predicted: Profile) -> None:
    events = predicted.events
    times: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in range(len(events)):
        if events["step"][row] >= 0 and events["device_ns"][row]:
            name = predicted.strings[events["name"][events["operator"][row]]]
            time_ns = int(events["device_ns"][row])
            times[name][line_name(predicted, events["stack"][row])] += time_ns
    dots = chart_of(predicted).operators.dots
    assert any(len(of_lines) > 1 for of_lines in times.values())
    assert any(dot.line == LAYER_LINE for dot in dots)
    for dot in dots:
        assert dot.file is not None
        on_line_ns = times[dot.name][f"{Path(dot.file).name}:{dot.line}"]
        assert on_line_ns == max(times[dot.name].values())


def test_a_line_has_the_numbers_that_its_explanation_has(predicted: Profile) -> None:
    chart, pricing = chart_of(predicted), predicted.manifest.pricing
    assert pricing is not None
    explained = explain_lines(predicted)
    assert len(chart.lines.dots) > 5
    for dot in chart.lines.dots:
        assert dot.file is not None
        assert dot.line is not None
        line = line_roofline(explained[dot.file, dot.line], pricing)
        assert line is not None
        for name in ("dtype", "flops", "hbm_bytes", "intensity", "ridge_point", "bound"):
            assert getattr(dot, name) == getattr(line, name), (dot.name, name)
        for name in ("attainable_flops_per_s", "achieved_flops_per_s", "times_faster_at_roof"):
            assert getattr(dot, name) == pytest.approx(getattr(line, name)), (dot.name, name)


def test_how_much_faster_is_the_time_by_the_time_at_the_roof(predicted: Profile) -> None:
    chart = chart_of(predicted)
    assert chart.roofs is not None
    rates = {roof.dtype: roof.flops_per_s for roof in chart.roofs.compute}
    (hbm,) = [roof.bytes_per_s for roof in chart.roofs.memory if roof.memory == "HBM"]
    for dot in (*chart.operators.dots, *chart.modules.dots):
        assert dot.dtype is not None
        assert dot.flops is not None
        assert dot.hbm_bytes is not None
        least_ns = max(dot.flops / rates[dot.dtype], dot.hbm_bytes / hbm) * 1e9
        assert dot.roof_ns == pytest.approx(least_ns)
        assert dot.times_faster_at_roof == pytest.approx(dot.time_ns / least_ns)


def test_roofs_are_the_chips_with_ridge_points_and_sources(predicted: Profile) -> None:
    roofs = chart_of(predicted).roofs
    assert roofs is not None
    assert roofs.core == "trn2, LNC 2"
    # A quarter of a chip of 667 TFLOP/s, 2.9 TB/s of HBM, 3.5 TB/s of DMA and 1.28 TB/s of links.
    (bf16,) = [roof for roof in roofs.compute if roof.dtype == "bf16"]
    assert bf16.flops_per_s == pytest.approx(667e12 / 4)
    assert bf16.ridge_points == pytest.approx(
        {"HBM": 667 / 2.9, "DMA": 667 / 3.5, "NeuronLink": 667 / 1.28}
    )
    assert all(roof.source.startswith("AWS Neuron SDK") for roof in (*roofs.compute, *roofs.memory))


def test_times_of_another_device_are_the_area_but_not_the_rate(tmp_path: Path) -> None:
    profile = attribute(ingest.read(write_program(tmp_path / "run")))
    price(profile, PricingRequest("trn2", lnc=2))
    chart, walk = chart_of(profile), plain_walk(profile)
    check_conservation(chart, profile)
    check_against(chart.operators, walk.operators)
    check_against(chart.lines, walk.lines)
    assert chart.lines.unpriced_ns == walk.unpriced_ns > 0
    for dot in chart.operators.dots:
        assert (dot.time_kind, dot.rate_kind) == ("measured", "predicted")
        assert dot.time_ns == dot.predicted_ns != dot.device_ns


def test_times_of_a_neuron_device_are_the_rate(tmp_path: Path) -> None:
    kernels = [(product(0), 90_000), (product(0), 110_000)]
    profile = attribute(ingest.read(write_measured(tmp_path / "run.json", kernels)))
    profile.manifest.device = "neuron"
    price(profile, PricingRequest("trn2", lnc=2))
    chart = chart_of(profile)
    check_conservation(chart, profile)
    (dot,) = chart.operators.dots
    assert (dot.device_ns, dot.time_ns, dot.rate_kind) == (200_000, 200_000, "measured")
    flops = 2 * 2 * 4096 * 1024 * 2048
    assert dot.achieved_flops_per_s == pytest.approx(flops / 200e-6)
    assert dot.times_faster_at_roof == pytest.approx(200e-6 / (flops / (667e12 / 4)))


def core_profile(cores: Sequence[str] = ("nc0",)) -> Profile:
    """A product of two lines, one that turns data round, and what starts a transfer: on each core
    at once."""
    builder = ProfileBuilder()
    one, two = (builder.stacks.code((-1, builder.frame("/src/k.py", n, "k"))) for n in (3, 4))
    rows: list[tuple[TrackEngine, str, int, int, dict[str, int], list[int]]] = [
        ("tensor", "MATMUL", 0, 100, {"flops": 7001, "transpose_flops": 0}, [one, two, one]),
        ("tensor", "MATMUL", 100, 100, {"flops": 2000, "transpose_flops": 2000}, [two]),
        ("vector", "COPY", 200, 100, {}, [two]),
        ("sync", "DMA", 300, 50, {"hbm_read_bytes": 60, "hbm_write_bytes": 40}, [one]),
        ("gpsimd", "IOTA", 350, 50, {}, []),
    ]
    for core, (engine, name, start_ns, duration_ns, work, origins) in pairs(cores, rows):
        builder.add_rows(
            {
                "track": [builder.tracks.code(Track("device", engine, core, engine, engine))],
                "category": [Category.ENGINE_WORK],
                "name": [builder.strings.code(name)],
                "start_ns": [start_ns],
                "duration_ns": [duration_ns],
            },
            work={column: [value] for column, value in work.items()} or {"flops": [-1]},
            origins=[origins],
        )
    manifest = new_manifest("core", "test", [])
    manifest.device = "neuron"
    manifest.core = CoreFigures(
        instance_type="trn2.3xlarge",
        physical_cores=2,
        tensor_rows=10,
        tensor_columns=5,
        tensor_clock_hz=1e9,
        hbm_bytes_per_s=2e9,
    )
    return attribute(builder.build(manifest, "it"))


def test_work_of_engines_is_divided_over_its_lines_and_held_against_the_cores_own_figures() -> None:
    profile = core_profile()
    chart = chart_of(profile)
    check_conservation(chart, profile)
    lines = {dot.line: dot for dot in chart.lines.dots}
    # Of an odd product the first line has one more; what only turns data round is no useful work.
    assert {line: dot.flops for line, dot in lines.items()} == {3: 3501, 4: 3500}
    assert {line: dot.device_ns for line, dot in lines.items()} == {3: 100, 4: 250}
    assert {line: dot.hbm_bytes for line, dot in lines.items()} == {3: 100, 4: None}
    assert {line: dot.attribution for line, dot in lines.items()} == {3: "mixed", 4: "mixed"}
    assert chart.lines.unpriced_ns == 50  # the row of no line tells nothing of its work
    # 2 cores x 2 x 10 x 5 x 1e9 = 2e11 FLOP/s, and 2e9 bytes/s.
    assert lines[3].ridge_point == pytest.approx(100)
    assert lines[3].bound == "memory"  # 35 FLOP/byte
    assert lines[3].roof_ns == pytest.approx(100 / 2)
    assert lines[3].times_faster_at_roof == pytest.approx(100 / 50)
    assert lines[3].achieved_flops_per_s == pytest.approx(3501 / 100e-9)
    # How much the other moves is not known: neither is where it lies.
    assert (lines[4].intensity, lines[4].bound, lines[4].times_faster_at_roof) == (None,) * 3
    operators = {dot.name: (dot.device_ns, dot.flops) for dot in chart.operators.dots}
    assert operators == {"MATMUL": (200, 7001), "DMA": (50, None)}
    assert chart.operators.unpriced_ns == 150
    assert chart.roofs is not None
    assert {roof.dtype: roof.flops_per_s for roof in chart.roofs.compute}["bf16"] == 2e11


def test_work_of_two_cores_is_no_nearer_to_the_roof_than_that_of_one() -> None:
    one, two = (chart_of(core_profile(cores)) for cores in (["nc0"], ["nc0", "nc1"]))
    assert one.roofs == two.roofs
    for alone, both in zip(one.lines.dots, two.lines.dots, strict=True):
        assert both.device_ns == 2 * alone.device_ns
        assert both.achieved_flops_per_s == pytest.approx(alone.achieved_flops_per_s)
        assert both.times_faster_at_roof == (
            alone.times_faster_at_roof and pytest.approx(alone.times_faster_at_roof, rel=0.01)
        )


def executed_profile() -> Profile:
    """Two operators of one line, an execution of each, and what a core's engines did in them."""
    builder = ProfileBuilder()
    launching = builder.frame("/src/train.py", 7, "main")
    kernel = builder.stacks.code((-1, builder.frame("/src/k.py", 3, "k")))
    thread = builder.tracks.code(Track("host", "main", "1", "1"))
    queue = builder.tracks.code(Track("device", "NeuronCore 0", "nc0", "0"))
    rows: list[tuple[int, Category, str, int, int, int, int]] = [
        (thread, Category.LINE, "line", 0, 500, -1, launching),
        (thread, Category.OPERATOR, "aten::mm", 10, 10, 1, -1),
        (thread, Category.OPERATOR, "aten::gelu", 30, 10, 2, -1),
        (queue, Category.DEVICE, "nc_exec_running", 100, 100, 1, -1),
        (queue, Category.DEVICE, "nc_exec_running", 300, 100, 2, -1),
    ]
    columns = list(zip(*rows, strict=True))
    builder.add_rows(
        {
            "track": columns[0],
            "category": columns[1],
            "name": [builder.strings.code(name) for name in columns[2]],
            "start_ns": columns[3],
            "duration_ns": columns[4],
            "external_id": columns[5],
            "frame": columns[6],
        }
    )
    work: list[tuple[TrackEngine, int, int, dict[str, int], list[int]]] = [
        ("tensor", 110, 50, {"flops": 4000, "transpose_flops": 0}, []),
        ("sync", 170, 20, {"hbm_read_bytes": 100, "hbm_write_bytes": 0}, []),
        ("tensor", 250, 10, {"flops": 500, "transpose_flops": 0}, []),  # in no execution
        ("tensor", 310, 20, {"flops": 1000, "transpose_flops": 0}, [kernel]),
    ]
    for engine, start_ns, duration_ns, known, origins in work:
        builder.add_rows(
            {
                "track": [builder.tracks.code(Track("device", engine, "nc0", engine, engine))],
                "category": [Category.ENGINE_WORK],
                "name": [builder.strings.code("MATMUL")],
                "start_ns": [start_ns],
                "duration_ns": [duration_ns],
            },
            work={column: [value] for column, value in known.items()},
            origins=[origins],
        )
    manifest = new_manifest("session", "test", [])
    manifest.device, manifest.line_level = "neuron", "line"
    return attribute(builder.build(manifest, "it"))


def test_what_runs_in_an_execution_is_of_the_operator_that_launched_it() -> None:
    profile = executed_profile()
    chart = chart_of(profile)
    check_conservation(chart, profile)
    assert {dot.name: (dot.device_ns, dot.flops) for dot in chart.operators.dots} == {
        "aten::mm": (100, 4000),
        "aten::gelu": (100, 1000),
    }
    # An instruction's line has the 20 ns in which it ran, and the one that launched the rest.
    assert {dot.name: (dot.device_ns, dot.flops, dot.hbm_bytes) for dot in chart.lines.dots} == {
        "k.py:3": (20, 1000, None),
        "train.py:7": (180, 4000, 100),
    }
    assert chart.whole is not None
    assert (chart.whole.device_ns, chart.whole.flops) == (200, 5000)


def test_a_pricing_that_finds_no_kernel_hides_no_work_of_engines() -> None:
    profile = core_profile()
    alone = chart_of(profile)
    price(profile, PricingRequest("trn2", lnc=2))
    assert chart_of(profile) == alone


def test_a_profile_without_work_has_no_chart(tmp_path: Path) -> None:
    assert roofline_chart(attribute(ingest.read(write_program(tmp_path / "run")))) is None


TRACES_WITH_SHAPES = [
    path
    for path in sorted(TRACES.glob("*.json.gz"))
    if "bert" in path.name or "rank-34" in path.name or "mi250" in path.name
]


@pytest.mark.skipif(not TRACES_WITH_SHAPES, reason="needs the shared traces")
@pytest.mark.parametrize("path", TRACES_WITH_SHAPES, ids=lambda path: path.name)
def test_real_traces_are_as_a_plain_walk_finds_them(path: Path) -> None:
    profile = attribute(ingest.read(path))
    price(profile, PricingRequest("trn2", lnc=2))
    chart, walk = chart_of(profile), plain_walk(profile)
    check_conservation(chart, profile)
    check_against(chart.operators, walk.operators)
    by_name: Counter[str] = Counter()
    for dot in chart.lines.dots:
        by_name[dot.name] += dot.device_ns
    assert by_name == {
        name: sums.device_ns
        for name, sums in walk.lines.items()
        if sums.device_ns and sums.predicted_ns
    }


def test_dots_are_sorted_and_unknown_is_none() -> None:
    chart = chart_of(core_profile())
    dots: list[RooflineDot] = chart.operators.dots
    assert [dot.dtype for dot in dots] == [None, None]
    assert [dot.predicted_ns for dot in dots] == [None, None]
