"""The key figures of a profile: of its steps, of text generation, and of benchmarks' reports."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec
import numpy as np

from sidelight.analysis.kpis.calls import Call, PhasesFrom, calls_of, readings_of_steps
from sidelight.analysis.kpis.definitions import DEFINITIONS, Definition
from sidelight.analysis.kpis.spread import Spread, spread_of
from sidelight.analysis.metrics.figures import Metric
from sidelight.profile.manifest import StepsFrom, TimeKind
from sidelight.profile.model import Profile

_SECOND_NS: Final = 1e9
_MS: Final = 1e6

Kind = Literal["training", "inference", "unknown"]


class StepFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What a step takes.

    Attributes:
        separated_by: What separates the steps.
        time: How long they take.
        samples_per_s: Samples (sequences) a second, by the median step; None where the recording
            does not tell how many a step reads, or steps differ in it, or generate text.
        tokens_per_s: Tokens a second, likewise.
        time_kind: Whether times are measured or predicted.
    """

    separated_by: StepsFrom
    time: Spread
    samples_per_s: float | None
    tokens_per_s: float | None
    time_kind: TimeKind


class GenerationFigures(msgspec.Struct, frozen=True, kw_only=True):
    """How fast text is generated. None is not known.

    Attributes:
        phases_from: What tells prefill from decode: the user's ranges, the calls' shapes, or a
            benchmark's report, which knows nothing but its figures.
        prefill_calls: Calls that read prompts.
        decode_calls: Calls that read the token before.
        ttft: Time to first token.
        per_token_latency: From token to token.
        end_to_end_latency: Of whole generations; those whose prompt was not recorded are none.
        context_encoding_tokens_per_s: How fast prompts are read.
        token_generation_tokens_per_s: How fast tokens come after the first.
        time_kind: Whether times are measured or predicted.
    """

    phases_from: PhasesFrom | Literal["report"]
    prefill_calls: int | None = None
    decode_calls: int | None = None
    ttft: Spread | None = None
    per_token_latency: Spread | None = None
    end_to_end_latency: Spread | None = None
    context_encoding_tokens_per_s: float | None = None
    token_generation_tokens_per_s: float | None = None
    time_kind: TimeKind = "measured"


class Performance(msgspec.Struct, frozen=True, kw_only=True):
    """The key figures of a profile.

    Attributes:
        kind: ``training`` where an optimizer separates the steps or work ran backward,
            ``inference`` where phases of generation are known, or modules' calls are the steps.
        steps: What a step takes; None where there are none.
        generation: How fast text is generated; None where no phase is known.
        mfu: Model FLOPs utilisation, as ``metrics`` has it.
        hfu: Hardware FLOPs utilisation, likewise.
        mbu: Memory bandwidth utilisation, likewise.
        definitions: What all these mean.
    """

    kind: Kind
    steps: StepFigures | None
    generation: GenerationFigures | None
    mfu: Metric
    hfu: Metric
    mbu: Metric
    definitions: list[Definition]


def performance_of(profile: Profile, metrics: Mapping[str, Metric]) -> Performance:
    """Work out a profile's key figures.

    Args:
        profile: An attributed profile.
        metrics: Its headline figures.
    """
    calls, phases_from = calls_of(profile)
    generation = _generation(profile, calls, phases_from) or _reported(profile)
    return Performance(
        kind=_kind(profile, generation),
        steps=_steps(profile, is_generation=generation is not None),
        generation=generation,
        mfu=metrics["mfu_estimated_percent"],
        hfu=metrics["hfu_estimated_percent"],
        mbu=metrics["mbu_estimated_percent"],
        definitions=list(DEFINITIONS),
    )


def _kind(profile: Profile, generation: GenerationFigures | None) -> Kind:
    events = profile.events
    if ((events["backward"] == 1) & (events["step"] >= 0)).any():
        return "training"
    if profile.manifest.steps_from == "optimizer":
        return "training"
    is_inference = generation is not None or profile.manifest.steps_from == "module"
    return "inference" if is_inference else "unknown"


def _steps(profile: Profile, *, is_generation: bool) -> StepFigures | None:
    steps = profile.steps
    time = spread_of(steps["end_ns"] - steps["start_ns"])
    if time is None or not len(profile.events):
        return None
    # Where steps are calls that generate a token each, what they read are no samples.
    readings = [] if is_generation else readings_of_steps(profile)
    return StepFigures(
        separated_by=profile.manifest.steps_from,
        time=time,
        samples_per_s=_rate([reading and reading.sequences for reading in readings], time),
        tokens_per_s=_rate([reading and reading.tokens for reading in readings], time),
        time_kind=profile.manifest.time_kind,
    )


def _rate(amounts: Sequence[int | None], time: Spread) -> float | None:
    """An amount a second, where all steps have the same."""
    if len(set(amounts)) != 1 or amounts[0] is None or not time.p50_ns:
        return None
    return amounts[0] / time.p50_ns * _SECOND_NS


def _generation(
    profile: Profile, calls: Sequence[Call], phases_from: PhasesFrom | None
) -> GenerationFigures | None:
    """Figures of generation by its calls; None where none generates a token."""
    prefills = [call for call in calls if call.phase == "prefill"]
    decodes = [call for call in calls if call.phase == "decode"]
    if phases_from is None or not decodes:
        return None
    first_ns: list[int] = []
    decoded: list[tuple[Call, int]] = []
    whole_ns: list[int] = []
    started_ns = done_ns = None
    has_decoded = False

    def end_generation() -> None:
        if started_ns is not None and done_ns is not None and has_decoded:
            whole_ns.append(done_ns - started_ns)

    for call in calls:
        if call.phase is None or call.done_ns is None:
            continue
        if call.phase == "prefill":
            end_generation()
            first_ns.append(call.done_ns - call.start_ns)
            started_ns, has_decoded = call.start_ns, False
        else:
            if done_ns is not None:
                decoded.append((call, call.done_ns - done_ns))
            has_decoded = True
        done_ns = call.done_ns
    end_generation()
    return GenerationFigures(
        phases_from=phases_from,
        prefill_calls=len(prefills),
        decode_calls=len(decodes),
        ttft=_spread(first_ns),
        per_token_latency=_spread(
            # Of a call that generates several tokens, no single one's time is known.
            [took_ns for call, took_ns in decoded if call.read is None or call.read.times == 1]
        ),
        end_to_end_latency=_spread(whole_ns),
        context_encoding_tokens_per_s=_throughput(
            [call.read and call.read.tokens for call in prefills if call.done_ns is not None],
            first_ns,
        ),
        token_generation_tokens_per_s=_throughput(
            [call.read and call.read.sequences for call, _ in decoded],
            [took_ns for _, took_ns in decoded],
        ),
        time_kind=profile.manifest.time_kind,
    )


def _spread(times_ns: Sequence[int]) -> Spread | None:
    return spread_of(np.array(times_ns, np.int64))


def _throughput(amounts: Sequence[int | None], times_ns: Sequence[int]) -> float | None:
    """All amounts by all times; None where any is not known."""
    known = [amount for amount in amounts if amount is not None]
    time_ns = sum(times_ns)
    if len(known) != len(amounts) or time_ns <= 0:
        return None
    return sum(known) / time_ns * _SECOND_NS


def _reported(profile: Profile) -> GenerationFigures | None:
    """Figures of generation as a benchmark's report has them; None where it has none."""
    found = {
        (kpi.part, kpi.name): kpi.value
        for kpi in profile.manifest.kpis
        if kpi.value is not None and math.isfinite(kpi.value * _MS)
    }

    def spread(*metrics: str) -> Spread | None:
        for metric in metrics:
            p50, p90, p99, mean = (
                value if value is None else value * _MS
                for value in (
                    found.get(("", f"{metric}_{statistic}_ms"))
                    for statistic in ("p50", "p90", "p99", "mean")
                )
            )
            if any(value is not None for value in (p50, p90, p99, mean)):
                return Spread(mean_ns=mean, p50_ns=p50, p90_ns=p90, p99_ns=p99)
        return None

    figures = GenerationFigures(
        phases_from="report",
        ttft=spread("ttft"),
        per_token_latency=spread("per_token_latency", "tpot"),
        end_to_end_latency=spread("e2el"),
        context_encoding_tokens_per_s=found.get(
            ("context_encoding_model", "throughput_tokens_per_s")
        ),
        token_generation_tokens_per_s=found.get(
            ("token_generation_model", "throughput_tokens_per_s"),
            found.get(("", "output_throughput_tokens_per_s")),
        ),
    )
    return figures if figures != GenerationFigures(phases_from="report") else None
