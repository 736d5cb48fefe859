"""A Chrome trace: for chrome://tracing, Perfetto and other tools, and for Sidelight itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Final

import msgspec
import numpy as np

from sidelight.export.arrows import arrows_of
from sidelight.export.chrome_events import EventTexts, json_text, microseconds
from sidelight.export.chrome_header import exported_trace
from sidelight.export.counters import counter_name, exported_samples
from sidelight.export.lanes import Lanes, lanes_of
from sidelight.export.not_carried import not_in_chrome_trace
from sidelight.export.processes import Processes
from sidelight.export.source import Progress, Source, Written, pieces
from sidelight.profile.exported_trace import MEMBER
from sidelight.profile.json_files import encode_json

_STEPS_PID: Final = 0
"""The process of what is drawn and is no event of the profile."""


def write_chrome_trace(file: IO[bytes], source: Source, progress: Progress) -> Written:
    """Write a profile as a Chrome trace in JSON.

    Times are microseconds with three decimals, so that no nanosecond is lost. What the format has
    no place for stands in the member ``sidelight``, which other programs pass over.

    Args:
        file: Where to.
        source: What.
        progress: Told the part done.

    Raises:
        OSError: It cannot be written.
    """
    profile = source.profile
    lanes = lanes_of(profile)
    rows = np.flatnonzero(source.in_time)
    header = exported_trace(source, lanes)
    beginning = {
        MEMBER: header,
        "displayTimeUnit": "ns",
        "baseTimeNanoseconds": header.start_unix_ns,
    }
    file.write(encode_json(beginning)[:-1] + b',"traceEvents":[\n')
    file.write(",\n".join(_names(source, lanes)).encode())
    events = EventTexts(source, lanes)
    for some in pieces(rows, progress):
        file.write(b",\n" + ",\n".join(events.texts(some)).encode("utf-8", "replace"))
    for parts in (_steps(source), _counters(source), _arrows(source, lanes)):
        for part in parts:
            file.write(b",\n" + part.encode("utf-8", "replace"))
    file.write(b"\n]}\n")
    return Written(len(rows), not_in_chrome_trace(profile))


def _names(source: Source, lanes: Lanes) -> Iterator[str]:
    """Metadata: what processes and threads are called, and the order to show them in."""
    profile = source.profile
    processes = Processes(profile)
    yield _metadata("process_name", _STEPS_PID, 0, {"name": "Recorded steps"})
    yield _metadata("process_sort_index", _STEPS_PID, 0, {"sort_index": -1})
    for number, name in enumerate(processes.names, 1):
        yield _metadata("process_name", number, 0, {"name": name})
        yield _metadata("process_sort_index", number, 0, {"sort_index": number})
        if source.is_predicted:
            yield _metadata("process_labels", number, 0, {"labels": "times are predicted"})
    for lane, (track, name) in enumerate(zip(lanes.track, lanes.names(profile), strict=True)):
        process = processes.of_track[track]
        yield _metadata("thread_name", process, lane + 1, {"name": name})
        yield _metadata("thread_sort_index", process, lane + 1, {"sort_index": lane + 1})


def _metadata(name: str, pid: int, tid: int, args: dict[str, str | int]) -> str:
    event = {"ph": "M", "name": name, "pid": pid, "tid": tid, "args": args}
    return encode_json(event).decode()


def _steps(source: Source) -> Iterator[str]:
    for number, start_ns, end_ns in source.steps():
        yield (
            f'{{"ph":"X","cat":"step","name":"step {number}","pid":{_STEPS_PID},"tid":0,'
            f'"ts":{microseconds(start_ns)},"dur":{microseconds(end_ns - start_ns)}}}'
        )


def _counters(source: Source) -> Iterator[str]:
    profile, samples = source.profile, source.profile.samples
    names = [json_text(counter_name(series)) for series in profile.manifest.series]
    for some in pieces(exported_samples(source), lambda part: None):
        columns = (samples[name][some].tolist() for name in ("series", "at_ns", "value"))
        yield ",\n".join(
            f'{{"ph":"C","name":{names[series]},"id":{series},"pid":{_STEPS_PID},"tid":0,'
            f'"ts":{microseconds(at_ns)},"args":{{"value":{msgspec.json.encode(value).decode()}}}}}'
            for series, at_ns, value in zip(*columns, strict=True)
        )


def _arrows(source: Source, lanes: Lanes) -> Iterator[str]:
    arrows = arrows_of(source)
    profile, events = source.profile, source.profile.events
    process_of_track = Processes(profile).of_track
    process_of_lane = [process_of_track[track] for track in lanes.track]
    kinds = list(map(json_text, arrows.kinds))
    numbers = np.arange(len(arrows.source))
    for some in pieces(numbers, lambda part: None):
        sources, targets = arrows.source[some], arrows.target[some]
        columns = (
            some,
            arrows.kind[some],
            lanes.of_event[sources],
            events["start_ns"][sources],
            lanes.of_event[targets],
            events["start_ns"][targets],
        )
        yield ",\n".join(
            f'{{"ph":"s","cat":"arrow","name":{kinds[kind]},"id":{number + 1},'
            f'"pid":{process_of_lane[source_lane]},"tid":{source_lane + 1},'
            f'"ts":{microseconds(from_ns)}}},\n'
            f'{{"ph":"f","bp":"e","cat":"arrow","name":{kinds[kind]},"id":{number + 1},'
            f'"pid":{process_of_lane[target_lane]},"tid":{target_lane + 1},'
            f'"ts":{microseconds(to_ns)}}}'
            for number, kind, source_lane, from_ns, target_lane, to_ns in zip(
                *(column.tolist() for column in columns), strict=True
            )
        )
