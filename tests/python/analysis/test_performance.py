"""Step times, phases of generation and their key figures, worked out by hand and on real runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from cli.recorded import training_profile
from sidelight import ingest
from sidelight.analysis.attribution import attribute
from sidelight.analysis.kpis.calls import calls_of, phase_of_range
from sidelight.analysis.kpis.definitions import DEFINITIONS
from sidelight.analysis.kpis.performance import GenerationFigures, Performance, performance_of
from sidelight.analysis.kpis.spread import Spread, spread_of
from sidelight.analysis.metrics.summary import summarize
from sidelight.profile.manifest import Kpi, Manifest, StepsFrom, Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import EVENT_COLUMNS, STEP_COLUMNS, Category, Table
from support.fake_runs import fake_run, row_names

EXAMPLES = Path(__file__).parents[3] / "examples"
NXDI = sorted((Path(__file__).parents[4] / "shared" / "traces" / "nxdi").glob("*.json"))


def performance(profile: Profile) -> Performance:
    return performance_of(profile, summarize(profile).metrics)


def made(
    steps: Sequence[tuple[int, int]],
    operators: Sequence[tuple[int, str, object]],
    kernels: Sequence[tuple[int, int, int]],
    ranges: Sequence[tuple[str, int, int]] = (),
    steps_from: StepsFrom = "module",
) -> Profile:
    """A run of operators (start, name, dims of what they got) that launched kernels (operator's
    number, start, end), in ranges of the user's."""
    names = [name for _, name, _ in operators]
    signatures = [json.dumps({"Input Dims": dims}) for _, _, dims in operators]
    strings = [*dict.fromkeys([*names, *signatures, *(name for name, _, _ in ranges), "kernel"])]
    rows: list[dict[str, int]] = [
        {
            "category": Category.ANNOTATION,
            "name": strings.index(name),
            "start_ns": start_ns,
            "duration_ns": end_ns - start_ns,
        }
        for name, start_ns, end_ns in ranges
    ]
    for number, (start_ns, name, _) in enumerate(operators):
        rows.append(
            {
                "category": Category.OPERATOR,
                "name": strings.index(name),
                "start_ns": start_ns,
                "duration_ns": 1,
                "external_id": number + 1,
                "signature": strings.index(signatures[number]),
            }
        )
    rows.sort(key=lambda row: (row["start_ns"], -row["duration_ns"]))
    for number, start_ns, end_ns in sorted(kernels, key=lambda kernel: kernel[1]):
        rows.append(
            {
                "track": 1,
                "category": Category.DEVICE,
                "name": strings.index("kernel"),
                "start_ns": start_ns,
                "duration_ns": end_ns - start_ns,
                "external_id": number + 1,
            }
        )
    absent = {"track": 0, "forward_thread": 0, "entry": 0}
    values = {
        column: [row.get(column, absent.get(column, -1)) for row in rows]
        for column in EVENT_COLUMNS
    }
    manifest = Manifest(name="made", created="", format="test", steps_from=steps_from)
    tracks = [Track("host", "main", "1", "1"), Track("device", "stream", "0", "7")]
    bounds = {"start_ns": [s for s, _ in steps], "end_ns": [e for _, e in steps]}
    return attribute(
        Profile(
            manifest=manifest,
            strings=strings,
            tracks=tracks,
            events=Table.of(EVENT_COLUMNS, values),
            steps=Table.of(STEP_COLUMNS, bounds),
        )
    )


def embedding(sequences: int, tokens: int) -> object:
    return [[1000, 8], [sequences, tokens]]


TWO_GENERATIONS = [
    # start of the step, tokens of each of 2 sequences, end of its kernel
    (0, 16, 90),
    (100, 1, 140),
    (200, 1, 230),
    (300, 8, 350),
    (400, 1, 450),
]


def generation(ranges: Sequence[tuple[str, int, int]] = ()) -> Profile:
    return made(
        [(start, start + 99) for start, _, _ in TWO_GENERATIONS],
        [(start + 5, "aten::embedding", embedding(2, n)) for start, n, _ in TWO_GENERATIONS],
        [(n, start + 10, end) for n, (start, _, end) in enumerate(TWO_GENERATIONS)],
        ranges,
    )


def test_generation_by_the_lengths_that_calls_read() -> None:
    found = performance(generation())
    assert found.kind == "inference"
    figures = found.generation
    assert figures is not None
    assert (figures.phases_from, figures.prefill_calls, figures.decode_calls) == ("shapes", 2, 3)
    assert figures.ttft == Spread(
        count=2, mean_ns=70, p10_ns=54, p50_ns=70, p90_ns=86, p99_ns=89.6
    )  # 90 and 50
    latencies = [140 - 90, 230 - 140, 450 - 350]
    assert figures.per_token_latency is not None
    assert figures.per_token_latency.p50_ns == 90
    assert figures.per_token_latency.mean_ns == pytest.approx(sum(latencies) / 3)
    assert figures.end_to_end_latency is not None
    assert figures.end_to_end_latency.mean_ns == (230 + 150) / 2
    assert figures.context_encoding_tokens_per_s == pytest.approx(2 * (16 + 8) / 140e-9)
    assert figures.token_generation_tokens_per_s == pytest.approx(2 * 3 / (sum(latencies) * 1e-9))
    assert found.steps is not None
    assert found.steps.time.p50_ns == 99
    assert found.steps.tokens_per_s is None, "a generated token is no sample"


def test_a_users_ranges_go_before_what_shapes_say() -> None:
    # By the user's word the first two calls are the prompt's, and one range generates two tokens.
    ranges = [("my prefill", 1, 150), ("decode loop", 195, 480), ("decoder", 1, 480)]
    figures = performance(generation(ranges)).generation
    assert figures is not None
    assert figures.phases_from == "ranges"
    assert (figures.prefill_calls, figures.decode_calls) == (1, 3)
    assert figures.ttft is not None
    assert figures.ttft.mean_ns == 140 - 1
    assert figures.per_token_latency is not None
    assert figures.per_token_latency.mean_ns == pytest.approx((450 - 140) / 3)


@pytest.mark.parametrize(
    ("name", "phase"),
    [
        ("prefill", "prefill"),
        ("Model.Prefill_3", "prefill"),
        ("context_encoding_model", "prefill"),
        ("context encoding", "prefill"),
        ("decode", "decode"),
        ("decode_step_7", "decode"),
        ("token_generation_model", "decode"),
        ("decoder", None),
        ("DecodeHead", None),
        ("encode", None),
    ],
)
def test_what_ranges_are_called(name: str, phase: str | None) -> None:
    assert phase_of_range(name) == phase


def test_a_generation_whose_prompt_was_left_out_has_no_ttft() -> None:
    calls = TWO_GENERATIONS[1:3]
    profile = made(
        [(start, start + 99) for start, _, _ in calls],
        [(start + 5, "aten::embedding", embedding(1, 1)) for start, _, _ in calls],
        [(n, start + 10, end) for n, (start, _, end) in enumerate(calls)],
    )
    figures = performance(profile).generation
    assert figures is not None
    assert (figures.ttft, figures.end_to_end_latency) == (None, None)
    assert figures.context_encoding_tokens_per_s is None
    assert figures.per_token_latency is not None
    assert (figures.per_token_latency.count, figures.per_token_latency.mean_ns) == (1, 90)


def test_calls_that_all_read_whole_sequences_generate_nothing() -> None:
    profile = made(
        [(0, 99), (100, 199)],
        [(5, "aten::embedding", embedding(4, 32)), (105, "aten::embedding", embedding(4, 32))],
        [(0, 10, 50), (1, 110, 150)],
    )
    found = performance(profile)
    assert (found.kind, found.generation) == ("inference", None)
    assert found.steps is not None
    assert found.steps.samples_per_s == pytest.approx(4 / 99e-9)
    assert found.steps.tokens_per_s == pytest.approx(4 * 32 / 99e-9)


def test_accumulated_gradients_are_of_all_that_was_read() -> None:
    # Two steps of three micro-batches each; positions are looked up in another table.
    starts = [step + micro for step in (0, 100) for micro in (5, 25, 45)]
    lookups = [
        (start + after, "aten::embedding", dims)
        for start in starts
        for after, dims in ((0, embedding(4, 32)), (5, [[512, 8], [4, 64]]))
        if after == 0 or start % 100 == 5
    ]
    profile = made([(0, 99), (100, 199)], lookups, [(0, 10, 50)], steps_from="optimizer")
    steps = performance(profile).steps
    assert steps is not None
    assert steps.samples_per_s == pytest.approx(3 * 4 / 99e-9)
    assert steps.tokens_per_s == pytest.approx(3 * 4 * 32 / 99e-9)


def test_a_call_that_generates_several_tokens_tells_no_single_ones_latency() -> None:
    starts = (5, 105, 205, 225, 245)  # a prompt, one token, and three in a range of their own
    profile = made(
        [(0, 300)],
        [(start, "aten::embedding", embedding(2, 16 if start == 5 else 1)) for start in starts],
        [(0, 10, 90), (1, 110, 140), (4, 250, 290)],
        [("prefill", 0, 95), ("decode", 100, 150), ("decode", 200, 299)],
        steps_from="run",
    )
    figures = performance(profile).generation
    assert figures is not None
    assert figures.per_token_latency == spread_of(np.array([140 - 90]))
    assert figures.token_generation_tokens_per_s == pytest.approx(2 * 4 / 200e-9)


MICRO_BATCHES = """\
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(100, 8), nn.Embedding(64, 8)
        self.out = nn.Linear(8, 100)

    def read(self, words, places):
        return self.words(words) + self.places(places)

    def forward(self, words, places):
        return self.out(checkpoint(self.read, words, places, use_reentrant=False))


model = Model().to("neuron")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    for micro in range(4):
        words = torch.zeros(2, 16, dtype=torch.long, device="neuron")
        places = torch.zeros(1, 16, dtype=torch.long, device="neuron")
        model(words, places).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
"""


def test_what_a_backward_pass_looks_up_once_more_is_read_once(tmp_path: Path) -> None:
    script = tmp_path / "micro_batches.py"
    script.write_text(MICRO_BATCHES)
    profile = fake_run(tmp_path, script, cwd=tmp_path).profile
    assert row_names(profile).count("aten::embedding") > 3 * 4 * 2, "a checkpoint computes again"
    steps = performance(profile).steps
    assert steps is not None
    assert steps.time.p50_ns is not None
    assert steps.samples_per_s == pytest.approx(4 * 2e9 / steps.time.p50_ns)
    assert steps.tokens_per_s == pytest.approx(4 * 2 * 16e9 / steps.time.p50_ns)


def test_steps_that_read_different_amounts_have_no_rate() -> None:
    profile = made(
        [(0, 99), (100, 199)],
        [(5, "aten::embedding", embedding(4, 32)), (105, "aten::embedding", embedding(4, 16))],
        [(0, 10, 50), (1, 110, 150)],
        steps_from="optimizer",
    )
    found = performance(profile)
    assert found.kind == "training"
    assert found.steps is not None
    assert found.steps.tokens_per_s is None
    assert found.steps.samples_per_s == pytest.approx(4 / 99e-9)


@pytest.mark.parametrize(
    "dims",
    [None, [], [[1], [3]], [[1], [0, 4]], [[8], ["x", 1]], {"a": 1}, [[1], [10**400, 1]]],
)
def test_what_tells_no_lengths_makes_no_phase(dims: object) -> None:
    profile = made([(0, 99)], [(5, "aten::embedding", dims)], [(0, 10, 50)])
    calls, phases_from = calls_of(profile)
    assert phases_from is None
    assert [(call.phase, call.read) for call in calls] == [(None, None)]


def test_a_training_run_has_step_times_and_nothing_that_is_not_known() -> None:
    profile = training_profile(steps=4)
    found = performance(profile)
    assert found.kind == "training"
    assert found.steps is not None
    # All steps do the same; the last ends where the recording does.
    took = {
        int(e) - int(s)
        for s, e in zip(profile.steps["start_ns"], profile.steps["end_ns"], strict=True)
    }
    assert len(took) == 1
    assert found.steps.time.p50_ns == found.steps.time.p90_ns == took.pop()
    assert found.steps.time.count == 4
    assert (found.steps.samples_per_s, found.steps.tokens_per_s) == (None, None)
    assert found.mfu.value is None


def test_percentiles_lie_between_neighbours_in_proportion() -> None:
    assert spread_of(np.zeros(0, np.int64)) is None
    spread = spread_of(np.arange(0, 1001, 10))
    assert spread == Spread(count=101, mean_ns=500, p10_ns=100, p50_ns=500, p90_ns=900, p99_ns=990)


@pytest.mark.skipif(not NXDI, reason="needs the shared traces")
def test_a_benchmarks_report_is_told_as_it_is() -> None:
    report = json.loads(NXDI[0].read_text())
    found = performance(attribute(ingest.read(NXDI[0])))
    figures = found.generation
    assert (found.kind, found.steps) == ("inference", None)
    assert figures is not None
    assert figures.phases_from == "report"
    for spread, part in (
        (figures.ttft, "context_encoding_model"),
        (figures.per_token_latency, "token_generation_model"),
        (figures.end_to_end_latency, "e2e_model"),
    ):
        assert spread is not None
        assert spread.count is None, "the report does not say of how many"
        assert spread.p50_ns == pytest.approx(report[part]["latency_ms_p50"] * 1e6)
        assert spread.p99_ns == pytest.approx(report[part]["latency_ms_p99"] * 1e6)
    throughput = report["token_generation_model"]["throughput"]
    assert figures.token_generation_tokens_per_s == throughput


def test_vllms_report_has_its_own_names() -> None:
    manifest = Manifest(name="bench", created="", format="test")
    manifest.kpis = [
        Kpi("ttft_p50_ms", "", 12.5),
        Kpi("tpot_mean_ms", "", 4.0),
        Kpi("e2el_p50_ms", "", float("nan")),
        Kpi("output_throughput_tokens_per_s", "", 900.0),
    ]
    assert performance(attribute(Profile(manifest))).generation == GenerationFigures(
        phases_from="report",
        ttft=Spread(p50_ns=12.5e6),
        per_token_latency=Spread(mean_ns=4e6),
        token_generation_tokens_per_s=900.0,
    )


def test_every_definition_says_what_how_and_by_whom() -> None:
    names = [definition.name for definition in DEFINITIONS]
    assert {"MFU", "HFU", "MBU", "TTFT"} <= set(names)
    assert len(set(names)) == len(names)
    for definition in DEFINITIONS:
        assert definition.text.endswith(".")
        assert definition.formula
        assert definition.source


def test_the_example_of_generation_is_found_with_its_prompt(tmp_path: Path) -> None:
    options = ("--warmup", "0", "--steps", "100")
    program = (EXAMPLES / "llm_decode.py", "--layers", "1")
    profile = fake_run(tmp_path, *program, options=options, cwd=tmp_path).profile
    found = performance(profile)
    figures = found.generation
    assert figures is not None
    assert (figures.phases_from, figures.prefill_calls, figures.decode_calls) == ("shapes", 1, 31)
    # By a walk of its own: when the device was done with each call of the model.
    events, starts = profile.events, profile.steps["start_ns"].tolist()
    done = [0] * len(starts)
    for row in range(len(events)):
        if events["category"][row] == Category.DEVICE and events["step"][row] >= 0:
            end_ns = int(events["start_ns"][row] + events["duration_ns"][row])
            step = int(events["step"][row])
            done[step] = max(done[step], end_ns)
    assert figures.ttft is not None
    assert figures.ttft.p50_ns == done[0] - starts[0]
    assert figures.per_token_latency is not None
    assert figures.per_token_latency.mean_ns == pytest.approx((done[-1] - done[0]) / 31)
    assert figures.end_to_end_latency is not None
    assert figures.end_to_end_latency.p50_ns == done[-1] - starts[0]
    assert figures.context_encoding_tokens_per_s == pytest.approx(64e9 / (done[0] - starts[0]))
    assert figures.time_kind == "predicted"
