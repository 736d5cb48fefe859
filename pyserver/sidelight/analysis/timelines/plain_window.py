"""A window of a timeline in plain columns, for machines that draw or check it."""

from __future__ import annotations

import base64
from typing import Literal

import msgspec
import numpy as np

from sidelight.analysis.timelines.drawn_types import (
    TimelineCounter,
    TimelineStep,
    TimelineTrack,
)
from sidelight.analysis.timelines.encoded import decoded_spans
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.analysis.timelines.told_types import AreaTrack
from sidelight.profile.manifest import TimeKind
from sidelight.profile.stored_manifest import StoredManifest


class TrackInWindow(TimelineTrack, frozen=True, kw_only=True):
    """A track, and what of it lies in the window.

    Attributes:
        events: How many of its events, or regions, touch the window.
        busy_ns: How long any of them runs in it.
    """

    events: int
    busy_ns: int


class CounterInWindow(TimelineCounter, frozen=True, kw_only=True):
    """A quantity over time, pixel by pixel.

    Attributes:
        mean: Its mean by time in each pixel; None where it is not known.
        most: The highest value in each.
    """

    mean: list[float | None]
    most: list[float | None]


class PlainWindow(msgspec.Struct, frozen=True, kw_only=True):
    """What a panel draws of a part of a timeline. Times count from the profile's start.

    Attributes:
        from_ns: Where the drawn part begins: where asked for, or a little before that.
        to_ns: Where it ends.
        width_px: In how many pixels it is drawn: as many as were asked for, if that can be.
        bin_ns: Events shorter than this were merged with neighbours; 0 where nothing was merged.
        tracks: All tracks, in the order to draw them.
        steps: The recorded steps that touch it.
        counters: Quantities over time.
        categories: What the spans' ``category`` numbers mean.
        names: What their ``name`` numbers mean.
        spans: Their columns, of one length: ``start_ns``; ``duration_ns``; ``busy_ns``, the time
            that events take up in the span; ``event``, the number of the event, or of the longest
            of those merged; ``merged``, how many events it stands for; ``name``; ``track``;
            ``depth``, the row in the track; ``category``.
    """

    time_kind: TimeKind
    unit: Literal["ns"] = "ns"
    from_ns: int
    to_ns: int
    width_px: int
    bin_ns: int
    tracks: list[TrackInWindow]
    steps: list[TimelineStep]
    counters: list[CounterInWindow]
    categories: list[str]
    names: list[str]
    spans: dict[str, list[int]]


def plain_window(
    index: TimelineIndex, manifest: StoredManifest, from_ns: int, to_ns: int, width_px: int
) -> PlainWindow:
    """What a panel draws of a part of a timeline.

    Args:
        index: The timeline's.
        manifest: The profile's.
        from_ns: Where it begins.
        to_ns: Where it ends, later than that.
        width_px: In how many pixels it is drawn.
    """
    overview = index.overview(manifest)
    counters = index.counters(from_ns, to_ns, width_px)
    window = index.window(from_ns, to_ns, counters.width)
    in_area = {each.track: each for each in index.area(from_ns, to_ns, []).tracks}
    nothing = AreaTrack(-1, 0, 0)
    tracks: list[TrackInWindow] = []
    for track in overview.tracks:
        is_of_regions = track.regions_of is not None
        part = (
            index.regions(track.track, from_ns, to_ns)
            if is_of_regions
            else in_area.get(track.track, nothing)
        )
        fields = msgspec.structs.asdict(track)
        tracks.append(TrackInWindow(**fields, events=part.events, busy_ns=part.busy_ns))
    of_counter = {each.counter: each for each in counters.counters}
    return PlainWindow(
        time_kind=overview.time_kind,
        from_ns=window.from_ns,
        to_ns=window.to_ns,
        width_px=counters.width,
        bin_ns=window.bin_ns,
        tracks=tracks,
        steps=[step for step in overview.steps if step.start_ns < to_ns and step.end_ns > from_ns],
        counters=[
            CounterInWindow(
                **msgspec.structs.asdict(counter),
                mean=_floats(of_counter[counter.counter].mean),
                most=_floats(of_counter[counter.counter].highest),
            )
            for counter in overview.counters
        ],
        categories=overview.categories,
        names=window.names,
        # What spans are coloured by is a choice of the page's.
        spans={name: of.tolist() for name, of in decoded_spans(window).items() if name != "key"},
    )


def _floats(encoded: str) -> list[float | None]:
    values: list[float] = np.frombuffer(base64.b64decode(encoded), "<f4").tolist()
    return [value if np.isfinite(value) else None for value in values]
