"""Builds a profile of rows that a reader has as columns: what readers of tables share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from operator import ne

import numpy as np
import numpy.typing as npt

from sidelight.ingest.bounds import check_tracks, shortened
from sidelight.ingest.event_caps import cap_notes
from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.row_flows import RowFlows
from sidelight.ingest.settling import settle
from sidelight.ingest.steps import set_profiler_steps
from sidelight.ingest.time_faults import TimeFaults
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.manifest import Manifest, Series, SourceFile, Track
from sidelight.profile.model import Profile
from sidelight.profile.tables import (
    EVENT_COLUMNS,
    FRAME_COLUMNS,
    ORIGIN_COLUMNS,
    SAMPLE_COLUMNS,
    STACK_COLUMNS,
    STEP_COLUMNS,
    TENSOR_COLUMNS,
    WORK_COLUMNS,
    Category,
    Column,
    Table,
)

_NOTHING_KNOWN = {"forward_thread": 0, "entry": 0}
"""What stands in columns of which -1 does not mean "none"."""

_LEFT_OUT = -1

_WORK = tuple(name for name in WORK_COLUMNS if name != "event")


class ProfileBuilder:
    """Gathers rows, in any order and by any clock, and makes a profile of them.

    Attributes:
        strings: The string table: ``code`` gives a text's id.
        tracks: The timeline's lanes.
        stacks: The calling contexts: (parent's node or -1, frame). Parents come first.
        flows: Arrows from row to row.
        times: What is wrong with the rows' times: a reader counts the rows that it leaves out
            itself, and ``build`` the others and says all of it in the quality report.
    """

    def __init__(self) -> None:
        self.strings: Vocabulary[str] = Vocabulary()
        self.tracks: Vocabulary[Track] = Vocabulary()
        self.stacks: Vocabulary[tuple[int, int]] = Vocabulary()
        self.flows = RowFlows()
        self.times = TimeFaults()
        self._frames: Vocabulary[tuple[int, int, int]] = Vocabulary()
        self._files: Vocabulary[str] = Vocabulary()
        self._series: Vocabulary[Series] = Vocabulary()
        self._events: list[dict[str, Column]] = []
        self._work: list[dict[str, Column]] = []
        self._origins: list[tuple[Column, Column]] = []
        self._samples: list[dict[str, Column]] = []
        self._tensors: list[dict[str, Column]] = []
        self._length = 0

    def text(self, text: str) -> int:
        """The string id of a text; -1 for an empty one."""
        return self.strings.code(text) if text else -1

    def frame(self, file: str, line: int, function: str) -> int:
        """The id of a place in the source.

        Args:
            file: Its path, as the input has it.
            line: 1-based.
            function: Its qualified name, or empty.
        """
        return self._frames.code((self._files.code(file), line, self.strings.code(function)))

    def add_rows(
        self,
        columns: Mapping[str, npt.ArrayLike],
        *,
        work: Mapping[str, npt.ArrayLike] | None = None,
        origins: Sequence[Sequence[int]] | None = None,
    ) -> int:
        """Add rows of one length.

        Args:
            columns: ``track``, ``category``, ``name``, ``start_ns`` and ``duration_ns``, and what
                else of ``EVENT_COLUMNS`` is known. Starts count from any zero that all rows share.
            work: What is known of ``WORK_COLUMNS`` but ``event``, of the same length.
            origins: The nodes of ``stacks`` that each row came from, none or several.

        Returns:
            The number of the first of them: rows are numbered as they come.
        """
        first, length = self._length, len(np.asarray(columns["start_ns"]))
        self._events.append(_filled(EVENT_COLUMNS, columns, length))
        if work is not None:
            part = _filled({name: WORK_COLUMNS[name] for name in _WORK}, work, length)
            part["event"] = np.arange(first, first + length)
            self._work.append(part)
        if origins is not None:
            counts = np.fromiter(map(len, origins), np.int64, length)
            event = np.repeat(np.arange(first, first + length), counts)
            flat = [stack for stacks in origins for stack in stacks]
            self._origins.append((event, np.array(flat, np.int32)))
        self._length += length
        return first

    def add_samples(self, series: Series, at_ns: npt.ArrayLike, value: npt.ArrayLike) -> None:
        """Add a quantity over time, in any order, by the clock of the rows."""
        code = self._series.code(series)
        columns = {"at_ns": np.array(at_ns, np.int64), "value": np.array(value, np.float64)}
        self._samples.append({"series": np.full(len(columns["at_ns"]), code), **columns})

    def add_tensors(self, columns: Mapping[str, npt.ArrayLike]) -> None:
        """Add tensors of the program: what is known of ``TENSOR_COLUMNS``, of one length."""
        length = max((len(np.asarray(column)) for column in columns.values()), default=0)
        self._tensors.append(_filled(TENSOR_COLUMNS, columns, length))

    def build(self, manifest: Manifest, what: str) -> Profile:
        """Make the profile. Where it has no ``ProfilerStep`` rows, its whole extent is one step.

        Args:
            manifest: Its ``start_unix_ns`` is what the rows' zero is, since 1970; it becomes that
                of the first row.
            what: The input, as a message names it.

        Raises:
            UnreadableInputError: ``no_events``: there is no row, or none whose time can be;
                ``too_many_tracks``.
        """
        check_tracks(len(self.tracks), what)
        columns: dict[str, Column] = {
            name: _joined([np.empty(0, dtype), *(part.pop(name) for part in self._events)])
            for name, dtype in EVENT_COLUMNS.items()
        }
        kept = self._settle_times(columns)
        if not len(kept):
            found = "no event whose time can be" if self.times.lost_rows else "no events"
            raise UnreadableInputError(
                "no_events",
                f"{what} holds {found}. Check that the profiler was on while the program worked, "
                "and record it again.",
            )
        zero_ns = int(columns["start_ns"].min())
        columns["start_ns"] -= zero_ns
        end_ns = int((columns["start_ns"] + columns["duration_ns"]).max())
        # lexsort is stable: rows that are alike in all three stay in the order of the input.
        order = np.lexsort((-columns["duration_ns"], columns["start_ns"], columns["track"]))
        place = np.full(self._length, _LEFT_OUT, np.int64)
        place[kept[order]] = np.arange(len(order))
        manifest.quality += self.times.notes()
        manifest.start_unix_ns += zero_ns
        manifest.quality += cap_notes(Table({"track": columns["track"]}))
        manifest.series = self._series.values()
        if len(self._frames) and manifest.line_level == "none":
            manifest.line_level = "line"
        events = Table({name: _in_order(columns.pop(name), order) for name in EVENT_COLUMNS})
        profile = Profile(
            manifest,
            strings=self._strings(events["signature"], manifest),
            tracks=self.tracks.values(),
            files=[SourceFile(path) for path in self._files.values()],
            events=events,
            frames=_of_tuples(FRAME_COLUMNS, self._frames.values()),
            stacks=_of_tuples(STACK_COLUMNS, self.stacks.values()),
            steps=Table.of(STEP_COLUMNS, {"start_ns": [0], "end_ns": [end_ns]}),
            work=self._work_table(place),
            origins=self._origin_table(place),
            samples=self._sample_table(zero_ns),
            flows=self.flows.table(place),
            tensors=self._tensor_table(),
        )
        if (events["category"] == Category.STEP).any():
            set_profiler_steps(profile, [(0, end_ns)])
        return profile

    def _settle_times(self, columns: dict[str, Column]) -> Column:
        """Leave out rows whose times cannot be, close up what lies apart, and tell what is left."""
        is_device = np.array([track.kind == "device" for track in self.tracks.values()], np.bool_)
        left = settle([columns], self._samples, lambda part: is_device[part["track"]], self.times)
        return np.flatnonzero(left[0])

    def _strings(self, signature: Column, manifest: Manifest) -> list[str]:
        whole = set(map(int, np.unique(signature)))
        texts = self.strings.values()
        strings = [text if code in whole else shortened(text) for code, text in enumerate(texts)]
        findings = Findings()
        findings.add(Finding.LONG_TEXTS, sum(map(ne, strings, texts)))
        manifest.quality += findings.notes()
        return strings

    def _work_table(self, place: Column) -> Table:
        if not self._work:
            return Table.empty(WORK_COLUMNS)
        event = place[np.concatenate([part.pop("event") for part in self._work])]
        order = np.argsort(event)
        order = order[np.searchsorted(event[order], 0) :]
        # Each unsorted column goes as soon as it is sorted, so that no row is held twice.
        columns = {
            name: _in_order(_joined([part.pop(name) for part in self._work]), order)
            for name in _WORK
        }
        return Table.of(WORK_COLUMNS, {"event": event[order], **columns})

    def _origin_table(self, place: Column) -> Table:
        if not self._origins:
            return Table.empty(ORIGIN_COLUMNS)
        event = place[np.concatenate([events for events, _ in self._origins])]
        stack = np.concatenate([stacks for _, stacks in self._origins])
        self._origins.clear()
        order = np.argsort(event, kind="stable")
        order = order[np.searchsorted(event[order], 0) :]
        return Table.of(ORIGIN_COLUMNS, {"event": event[order], "stack": stack[order]})

    def _tensor_table(self) -> Table:
        parts = self._tensors or [_filled(TENSOR_COLUMNS, {}, 0)]
        return Table({name: _joined([part[name] for part in parts]) for name in TENSOR_COLUMNS})

    def _sample_table(self, zero_ns: int) -> Table:
        if not self._samples:
            return Table.empty(SAMPLE_COLUMNS)
        columns = {
            name: np.concatenate([part[name] for part in self._samples]) for name in SAMPLE_COLUMNS
        }
        columns["at_ns"] -= zero_ns
        order = np.lexsort((columns["at_ns"], columns["series"]))
        return Table.of(SAMPLE_COLUMNS, {name: column[order] for name, column in columns.items()})


def new_manifest(name: str, format_name: str, inputs: Sequence[str]) -> Manifest:
    """The manifest of a profile that is being read.

    Args:
        name: What to call it.
        format_name: As :class:`sidelight.ingest.formats.Format` has it.
        inputs: The files it is made of.
    """
    return Manifest(
        name=name,
        created=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        format=format_name,
        inputs=list(inputs),
    )


def _filled(
    schema: Mapping[str, type[np.generic]], values: Mapping[str, npt.ArrayLike], length: int
) -> dict[str, Column]:
    # What is not known takes no memory until the parts become one.
    return {
        name: np.asarray(values[name]).astype(dtype)
        if name in values
        else np.broadcast_to(dtype(_NOTHING_KNOWN.get(name, -1)), length)
        for name, dtype in schema.items()
    }


def _joined(parts: Sequence[Column]) -> Column:
    """Parts of a column as one. What is the same in all rows takes no memory here, either."""
    filled = [part for part in parts if len(part)]
    if filled and all(_is_one_value(part) and part[0] == filled[0][0] for part in filled):
        return np.broadcast_to(filled[0][0], sum(map(len, filled)))
    return np.concatenate(parts)


def _in_order(column: Column, order: Column) -> Column:
    return column[: len(order)] if _is_one_value(column) else column[order]


def _is_one_value(column: Column) -> bool:
    return column.strides == (0,)


def _of_tuples(schema: Mapping[str, type[np.generic]], rows: Sequence[tuple[int, ...]]) -> Table:
    if not rows:
        return Table.empty(schema)
    return Table.of(schema, dict(zip(schema, zip(*rows, strict=True), strict=True)))
