"""What a Chrome trace says of the whole profile, for Sidelight to read back."""

from __future__ import annotations

from sidelight.export.lanes import Lanes
from sidelight.export.not_carried import not_in_chrome_trace
from sidelight.export.source import Source
from sidelight.profile.exported_trace import ExportedTrace
from sidelight.profile.model import Profile
from sidelight.profile.tables import PRICE_COLUMNS

_PRICE_TEXTS = ("operator", "rule", "engine", "bound", "dtype")


def exported_trace(source: Source, lanes: Lanes) -> ExportedTrace:
    """The member of the document that brings back what the events do not tell.

    Args:
        source: What is exported.
        lanes: Where its events lie.
    """
    profile, manifest = source.profile, source.profile.manifest
    frames = profile.frames
    return ExportedTrace(
        name=manifest.name,
        target=manifest.target,
        device=manifest.device,
        time_kind=manifest.time_kind,
        attribution=manifest.attribution,
        line_level=manifest.line_level,
        steps_from=manifest.steps_from,
        warmup=manifest.warmup,
        step_before_ns=manifest.step_before_ns,
        rank=manifest.rank,
        world_size=manifest.world_size,
        inputs=manifest.inputs,
        start_unix_ns=manifest.start_unix_ns,
        tracks=profile.tracks,
        lanes=lanes.track,
        files=[file.path for file in profile.files],
        frames=[
            (file, line, profile.strings[function] if function >= 0 else "")
            for file, line, function in zip(
                *(frames[name].tolist() for name in ("file", "line", "function")), strict=True
            )
        ],
        stacks=_stacks(profile),
        steps=[(start_ns, end_ns) for _, start_ns, end_ns in source.steps()],
        series=manifest.series,
        memory=manifest.memory,
        pricing=manifest.pricing,
        prices=_prices(profile),
        quality=list(dict.fromkeys((*manifest.quality, *not_in_chrome_trace(profile)))),
    )


def _stacks(profile: Profile) -> list[tuple[int, int]]:
    """The calling contexts, where events name theirs; else they are found in the events."""
    if not len(profile.origins):
        return []
    stacks = profile.stacks
    return list(zip(stacks["parent"].tolist(), stacks["frame"].tolist(), strict=True))


def _prices(profile: Profile) -> dict[str, list[int | str]]:
    if profile.manifest.pricing is None:
        return {}
    columns: dict[str, list[int | str]] = {}
    for name in PRICE_COLUMNS:
        values: list[int] = profile.prices[name].tolist()
        columns[name] = (
            [profile.strings[value] for value in values] if name in _PRICE_TEXTS else [*values]
        )
    return columns
