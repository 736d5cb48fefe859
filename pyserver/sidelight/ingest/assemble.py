"""Makes a profile's tables of what Chrome traces hold: what files and captures share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone

import msgspec
import numpy as np
import numpy.typing as npt

from sidelight.ingest.begin_end import join_begin_end
from sidelight.ingest.bounds import LONGEST_LABEL, LONGEST_SIGNATURE, shortened
from sidelight.ingest.categories import is_listed, meaning_of
from sidelight.ingest.chrome_trace import ChromeTraces
from sidelight.ingest.forward_threads import forward_tracks
from sidelight.ingest.frames import SourceLines, find_places
from sidelight.ingest.module_calls import module_call_table, tell_module_calls
from sidelight.ingest.repair.findings import Finding
from sidelight.ingest.row_order import row_order
from sidelight.ingest.steps import Interval, tell_marks, tell_steps
from sidelight.ingest.stream_waits import tell_waits
from sidelight.ingest.trace_events import SIGNATURE_SEPARATOR
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.manifest import Manifest, Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import EVENT_COLUMNS, Column, Table


@dataclass(frozen=True)
class Assembled:
    """A profile but for its steps and the names in its manifest, and what is known beside it.

    Attributes:
        profile: Its tables; of the manifest, ``start_unix_ns`` and ``line_level``.
        marks_ns: Start and end of each of a capture's step marks.
        extent_ns: First start and last end of all rows.
        trace_extents_ns: The same for each trace that has rows.
        unexplained_lines: Line rows left out because no label explains them.
        unlisted: How many rows have a category that is not known, by its name in the trace.
    """

    profile: Profile
    marks_ns: dict[int, Interval]
    extent_ns: Interval
    trace_extents_ns: list[Interval]
    unexplained_lines: int
    unlisted: dict[str, int]


def assemble(traces: ChromeTraces, source: SourceLines, what: str) -> Assembled:
    """Make the tables of a profile.

    Args:
        traces: What was read. Its rows are handed over.
        source: What line rows mean; empty where nothing was captured.
        what: The input, as a message names it.

    Raises:
        UnreadableInputError: There is no row at all: ``broken_json`` where some were left out,
            else ``no_events``.
    """
    rows = join_begin_end(traces.take_rows(), traces.times)
    if not len(rows):
        raise _no_rows(traces, what)
    zero_ns = int(rows["start_ns"].min())
    start_ns, duration_ns = rows["start_ns"] - zero_ns, rows["duration_ns"]
    end_ns = start_ns + duration_ns

    meanings = [meaning_of(text) for text in traces.categories.values()]
    category = np.array([meaning.category for meaning in meanings], np.int8)[rows["category"]]
    on_device = np.array([meaning.on_device for meaning in meanings])[rows["category"]]
    category = tell_steps(category, on_device, rows["name"], traces.names)
    category = tell_waits(category, rows["category"], rows["name"], traces.categories, traces.names)
    unlisted = _unlisted(traces.categories.values(), rows["category"])
    mark = tell_marks(category, rows["name"], traces.names)
    is_module_call = tell_module_calls(category, rows["name"], traces.names)
    places = find_places(rows["name"], category, traces.names, source)
    lanes = _Lanes(traces, rows["lane"], on_device)
    flows = traces.take_flows()

    columns: dict[str, Column] = {
        "track": lanes.track,
        "category": places.category,
        "name": places.name,
        "start_ns": start_ns,
        "duration_ns": duration_ns,
        "sequence_nr": rows["sequence_nr"],
        "forward_thread": rows["forward_thread"],
        "external_id": rows["external_id"],
        "correlation_id": rows["correlation_id"],
        "frame": places.frame,
        "entry": places.entry,
        "signature": _signature_strings(traces)[rows["signature"]],
    }
    columns["forward_thread"] = forward_tracks(
        Table(columns),
        flows.with_columns(
            {"track": lanes.host_tracks[flows["lane"]], "at_ns": flows["at_ns"] - zero_ns}
        ),
        [track.pid for track in lanes.tracks],
    )
    calls = np.flatnonzero(is_module_call)
    module_calls = module_call_table(
        lanes.track[calls], rows["name"][calls], start_ns[calls], duration_ns[calls], traces.names
    )
    kept = np.flatnonzero((mark < 0) & ~places.unexplained & ~is_module_call)
    order = kept[row_order(lanes.track[kept], start_ns[kept], duration_ns[kept])]
    # Each unsorted column goes as soon as it is sorted, so that no row is held twice.
    del rows
    events = Table.of(EVENT_COLUMNS, {name: columns.pop(name)[order] for name in EVENT_COLUMNS})
    profile = Profile(
        manifest=Manifest(
            name="",
            created=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            format="",
            line_level=places.level,
            start_unix_ns=zero_ns,
        ),
        strings=traces.names.values(),
        tracks=lanes.tracks,
        files=places.files,
        events=events,
        frames=places.frames,
        module_calls=module_calls,
    )
    return Assembled(
        profile=profile,
        marks_ns={
            int(mark[row]): (int(start_ns[row]), int(end_ns[row]))
            for row in map(int, np.flatnonzero(mark >= 0))
        },
        extent_ns=(0, int(end_ns.max())),
        trace_extents_ns=[(start - zero_ns, end - zero_ns) for start, end in traces.extents_ns],
        unexplained_lines=int(places.unexplained.sum()),
        unlisted=unlisted,
    )


def _no_rows(traces: ChromeTraces, what: str) -> UnreadableInputError:
    """Why there is nothing to make a profile of."""
    if traces.times.lost_rows:
        return UnreadableInputError(
            "broken_json",
            f"{what} has no event whose time can be: times are absent, negative, absurd, or in "
            "nanoseconds where the format has microseconds. Record it again, or write them so.",
        )
    if traces.findings.lost_events:
        return UnreadableInputError(
            "broken_json",
            f"{what} is damaged or cut off: no event of it can be used. Copy or record it again.",
        )
    return UnreadableInputError(
        "no_events",
        f"{what} holds no events. Check that the profiler was on while the program worked, "
        "and record it again.",
    )


def _unlisted(trace_categories: list[str], of_row: npt.NDArray[np.int32]) -> dict[str, int]:
    """How many rows have each category that the table of categories does not know."""
    counts = np.bincount(of_row, minlength=len(trace_categories)).tolist()
    return {
        text: count
        for text, count in zip(trace_categories, counts, strict=True)
        if count and not is_listed(text)
    }


class _Lanes:
    """The tracks, and which of them each row is on.

    A (pid, tid) of the trace can be a thread and a stream at once: device 0 has a stream 0 too.

    Attributes:
        tracks: The lanes that have rows.
        track: The rows' ``track`` column.
        host_tracks: The host's track by code of (pid, tid), -1 where that has no rows.
    """

    def __init__(
        self, traces: ChromeTraces, lane: npt.NDArray[np.int32], on_device: npt.NDArray[np.bool_]
    ) -> None:
        lanes = traces.lanes.values()
        kind = lane * 2 + on_device
        has_rows = np.bincount(kind) > 0
        kinds = np.flatnonzero(has_rows)
        self.track: npt.NDArray[np.int32] = (np.cumsum(has_rows, dtype=np.int32) - 1)[kind]
        self.tracks: list[Track] = []
        self.host_tracks = np.full(len(lanes), -1, np.int32)
        for index, kind in enumerate(map(int, kinds)):
            pid, tid = lanes[kind // 2]
            is_device = kind % 2 == 1
            if not is_device:
                self.host_tracks[kind // 2] = index
            owners = traces.process_labels if is_device else traces.process_names
            lane_name = traces.lane_names.get(
                (pid, tid), f"stream {tid}" if is_device else f"thread {tid}"
            )
            lane_name = shortened(lane_name, LONGEST_LABEL)
            self.tracks.append(
                Track(
                    kind="device" if is_device else "host",
                    name=f"{owners[pid]}: {lane_name}" if owners.get(pid) else lane_name,
                    pid=shortened(str(pid), LONGEST_LABEL),
                    tid=shortened(str(tid), LONGEST_LABEL),
                )
            )


def _signature_strings(traces: ChromeTraces) -> npt.NDArray[np.int32]:
    """The string id of each signature as compact JSON; -1 for none."""
    keys = ("Input Dims", "Input type", "Concrete Inputs")
    ids: list[int] = [-1]
    for joined in traces.signatures.values()[1:]:
        known = {
            key: msgspec.Raw(msgspec.json.format(text, indent=-1))
            for key, text in zip(keys, joined.split(SIGNATURE_SEPARATOR), strict=True)
            if text
        }
        signature = msgspec.json.encode(known)
        if len(signature) > LONGEST_SIGNATURE:
            traces.findings.add(Finding.LONG_TEXTS)
            ids.append(-1)
            continue
        text = signature.decode(errors="replace")
        traces.findings.add(Finding.TEXT, text.encode() != signature)
        ids.append(traces.names.code(text))
    return np.array(ids, np.int32)
