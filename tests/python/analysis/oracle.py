"""What every number of a small profile must be, worked out the slow and obvious way.

Each rule of design's "What the numbers mean" is one function that looks at all rows again. Time is
counted instant by instant (an instant is a nanosecond), so an interval is a set. It shares nothing
with the analysis but the tables it reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

NODE = "autograd::engine::evaluate_function: "

OF_THE_PASS = (NODE, "torch.distributed.ddp.reducer::copy_bucket_to_grad")

Line = tuple[str, int]


@dataclass(frozen=True)
class Row:
    """One event, with names in place of ids."""

    index: int
    track: int
    on_host: bool
    category: Category
    name: str
    start: int
    end: int
    sequence_nr: int
    forward_thread: int
    external_id: int
    correlation_id: int
    line: Line | None
    entry: bool

    @property
    def moment(self) -> tuple[int, int]:
        """When the row started; rows that start together started in the events' order."""
        return self.start, self.index

    @property
    def instants(self) -> set[int]:
        return set(range(self.start, self.end))


Chain = tuple[Line, ...]
"""A calling context, innermost line first."""


@dataclass(frozen=True)
class Launch:
    """A backward pass: the chain of the line that started it, and the pass it ran inside."""

    chain: Chain
    outer: Launch | None

    def lines(self) -> set[Line]:
        return {self.chain[0]} | (self.outer.lines() if self.outer else set())


@dataclass
class LineNumbers:
    """The report's figures for one line."""

    forward_ns: int = 0
    backward_ns: int = 0
    total_ns: int = 0
    launched_ns: int = 0
    count: int = 0
    host_ns: int = 0
    ops_ns: Counter[str] = field(default_factory=Counter[str])
    ops_count: Counter[str] = field(default_factory=Counter[str])


@dataclass
class Numbers:
    """The report's figures for a profile."""

    device_time_ns: int
    device_busy_ns: int
    span_ns: int
    unattributed_ns: int
    lines: dict[Line, LineNumbers]


class Oracle:
    """Answers about one profile.

    Args:
        profile: As a reader returned it; attribution is not needed and not looked at.
    """

    def __init__(self, profile: Profile) -> None:
        self.rows = rows_of(profile)
        self.steps = list(
            zip(profile.steps["start_ns"].tolist(), profile.steps["end_ns"].tolist(), strict=True)
        )
        self.steps_are_module_calls = profile.manifest.steps_from == "module"
        self.step_before = profile.manifest.step_before_ns
        self.has_lines = any(row.category == Category.LINE for row in self.rows)
        for rule in ("parent", "is_node", "chain", "launch", "cause"):
            setattr(self, rule, cache(getattr(self, rule)))

    # Nesting

    def is_user_code(self, row: Row) -> bool:
        if self.has_lines:
            return row.category == Category.LINE
        return row.category == Category.FUNCTION and row.line is not None

    def is_device(self, row: Row) -> bool:
        return row.category in (Category.DEVICE, Category.DEVICE_COARSE)

    def encloses(self, row: Row) -> bool:
        return row.category == Category.OPERATOR or self.is_user_code(row)

    def parent(self, row: Row) -> Row | None:
        if self.is_device(row):
            return None
        return self.innermost_around(row, filter(self.encloses, self.rows))

    def innermost_around(self, row: Row, candidates: Iterable[Row]) -> Row | None:
        """The last-started of the candidates on the row's track that contain it whole."""
        around = [
            other
            for other in candidates
            if other.track == row.track
            and other.index < row.index
            and other.start <= row.start < other.end
            and row.end <= other.end
        ]
        return max(around, key=lambda other: other.moment, default=None)

    def ancestry(self, row: Row | None) -> list[Row]:
        """The row and everything it is nested in, innermost first."""
        return [row, *self.ancestry(self.parent(row))] if row else []

    def children(self, row: Row) -> list[Row]:
        return [other for other in self.rows if self.parent(other) == row]

    # Lines, forward and backward

    def is_node(self, row: Row) -> bool:
        if row.category != Category.OPERATOR:
            return False
        within_node = any(self.is_node(other) for other in self.ancestry(self.parent(row)))
        return row.name.startswith(OF_THE_PASS) or (row.forward_thread != 0 and not within_node)

    def is_backward(self, row: Row) -> bool:
        return any(self.is_node(other) for other in self.ancestry(row))

    def number(self, node: Row) -> tuple[int, int]:
        """Sequence number and forward thread of a node; with hooks, those of its function."""
        if node.sequence_nr < 0 and node.name.startswith(NODE):
            functions = [
                row
                for row in self.children(node)
                if row.category == Category.OPERATOR
                and row.forward_thread != 0
                and row.sequence_nr >= 0
            ]
            if functions:
                return functions[0].sequence_nr, functions[0].forward_thread
        return node.sequence_nr, node.forward_thread

    def forward(self, node: Row) -> Row | None:
        """The operator that a node is the backward of: the last to start with its number, or with
        the greatest below it, since one operator may make several nodes."""
        sequence_nr, forward_thread = self.number(node)
        candidates = [
            row
            for row in self.rows
            if row.category == Category.OPERATOR
            and not self.is_node(row)
            and row.forward_thread == 0
            and 0 <= row.sequence_nr <= sequence_nr
            and row.track == forward_thread - 1
            and row.moment < node.moment
        ]
        return max(candidates, key=lambda row: (row.sequence_nr, row.moment), default=None)

    def is_inner_node(self, row: Row) -> bool:
        """A node's function in the node's row, or in another's, with a forward of its own."""
        return (
            row.category == Category.OPERATOR
            and not self.is_node(row)
            and row.forward_thread != 0
            and self.forward(row) is not None
        )

    def launcher(self, node: Row) -> Row | None:
        """The user line inside which a node is evaluated: around it, or waiting on a thread."""
        around = [row for row in self.ancestry(node) if self.is_user_code(row)]
        if around:
            return around[0]
        waiting: dict[int, Row] = {}
        for track in self.tracks_in_order_of_appearance():
            is_open = [
                row
                for row in self.rows
                if row.track == track != node.track
                and self.encloses(row)
                and row.moment < node.moment
                and row.end > node.start
            ]
            innermost = max(is_open, key=lambda row: row.moment, default=None)
            if innermost and self.is_user_code(innermost):
                waiting[track] = innermost
        forward_track = self.number(node)[1] - 1
        if forward_track in waiting:
            return waiting[forward_track]
        return next(iter(waiting.values()), None)

    def tracks_in_order_of_appearance(self) -> list[int]:
        enclosing = [row for row in self.rows if self.encloses(row)]
        return list(dict.fromkeys(row.track for row in sorted(enclosing, key=lambda r: r.moment)))

    def chain(self, row: Row | None) -> Chain:
        """The user lines that caused a host row."""
        if row is None:
            return ()
        if self.is_user_code(row):
            assert row.line is not None
            return (row.line, *self.callers(self.parent(row)))
        if self.is_inner_node(row):
            return self.chain(self.forward(row))
        if self.is_node(row):
            forward = self.forward(row)
            return self.chain(forward if forward else self.launcher(row))
        return self.chain(self.parent(row))

    def callers(self, row: Row | None) -> Chain:
        """The user lines that a line nested in ``row`` counts as called by."""
        if row is None:
            return ()
        if self.is_user_code(row) or self.is_inner_node(row):
            return self.chain(row)
        if self.is_node(row):
            # Without a forward operator the .backward() line starts the line, but does not hold it.
            return self.chain(row) if self.forward(row) else self.chain(row)[1:]
        return self.callers(self.parent(row))

    def launch(self, row: Row | None) -> Launch | None:
        """The backward pass that a host row is part of."""
        if row is None:
            return None
        launcher = self.launcher(row) if self.is_node(row) else None
        if launcher:
            return Launch(self.chain(launcher), self.launch(launcher))
        return self.launch(self.parent(row))

    # Devices

    def cause(self, row: Row) -> Row | None:
        """The host row to which a row belongs: itself, or for a device row what launched it."""
        if not self.is_device(row):
            return row
        launching = (Category.OPERATOR, Category.LINE, Category.ANNOTATION)
        by_external_id = [
            other
            for other in self.rows
            if other.on_host
            and other.category in launching
            and other.external_id == row.external_id > 0
        ]
        by_correlation_id = [
            other
            for other in self.rows
            if other.category in (Category.RUNTIME, Category.DEVICE_RUNTIME)
            and other.correlation_id == row.correlation_id > 0
        ]
        return [None, *by_external_id, *by_correlation_id][-1]

    def operator_name(self, row: Row) -> str:
        """The operator a row of device time counts under: the one its cause ran in."""
        for other in self.ancestry(self.cause(row)):
            if self.is_user_code(other):
                break
            if other.category == Category.OPERATOR:
                return other.name
        return row.name

    def is_one_with_its_parent(self, row: Row) -> bool:
        """An operator that is all there is in a row of the same name."""
        parent = self.parent(row)
        kinds = (Category.OPERATOR, Category.LINE, Category.ANNOTATION, Category.STEP)
        if row.category != Category.OPERATOR or not parent or parent.name != row.name:
            return False
        siblings = [other for other in self.children(parent) if other.category in kinds]
        return parent.category == Category.OPERATOR and siblings == [row]

    def device_level(self) -> Category:
        for category in (Category.DEVICE, Category.DEVICE_COARSE, Category.DEVICE_RUNTIME):
            if any(row.category == category and row.instants for row in self.rows):
                return category
        return Category.OPERATOR

    def device_instants(self, row: Row) -> set[int] | None:
        """When a row is device time; None where it is not of the device-time level."""
        if row.category != self.device_level():
            return None
        if row.category == Category.OPERATOR:
            return row.instants.difference(
                *(child.instants for child in self.children(row) if self.encloses(child))
            )
        contains_another = any(
            other.category == row.category
            and other.track == row.track
            and other.index > row.index
            and other.instants
            and other.instants <= row.instants
            for other in self.rows
        )
        return None if contains_another else row.instants

    # Steps

    def step(self, row: Row) -> int:
        """The recorded step a row belongs to, -1 for none."""
        if self.steps_are_module_calls and row.category == Category.LINE:
            return self.step_entered_in(row)
        return self.step_at_start(row)

    def step_entered_in(self, line: Row) -> int:
        """A line counts in the step that begins next after its entry, if it is open then."""
        begins = [begin for begin, _ in self.steps]
        following = [index for index, begin in enumerate(begins) if begin >= line.start]
        opened_one_left_out = self.step_before is not None and line.start < self.step_before
        if not opened_one_left_out:
            if following and begins[following[0]] <= line.end:
                return following[0]
            if self.steps and not following and line.end > self.steps[-1][1]:
                return -1
        return self.step_at_start(line)

    def step_at_start(self, row: Row) -> int:
        start = (self.cause(row) or row).start
        return max(
            (index for index, (begin, end) in enumerate(self.steps) if begin <= start <= end),
            default=-1,
        )

    def recorded(self, instants: Iterable[int]) -> int:
        return sum(any(begin <= t < end for begin, end in self.steps) for t in instants)

    def host_ns(self, row: Row) -> int:
        """Wall time of a line without the lines nested in it, in recorded steps."""
        if row.category != Category.LINE:
            return 0
        lines = [other for other in self.rows if other.category == Category.LINE]
        nested = [other.instants for other in lines if self.innermost_around(other, lines) == row]
        return self.recorded(row.instants.difference(*nested))

    # The report

    def numbers(self) -> Numbers:
        lines: dict[Line, LineNumbers] = {}
        for row in self.rows:
            if row.line and self.is_user_code(row):
                numbers = lines.setdefault(row.line, LineNumbers())
                numbers.host_ns += self.host_ns(row)
                numbers.count += row.entry and self.step(row) >= 0
        device_time_ns = unattributed_ns = 0
        busy: set[int] = set()
        starts: list[int] = []
        ends: list[int] = []
        for row in self.rows:
            instants = self.device_instants(row)
            if instants is None or self.step(row) < 0:
                continue
            device_time_ns += len(instants)
            busy |= instants
            starts.append(row.start)
            ends.append(row.end)
            chain = self.chain(self.cause(row))
            if not chain:
                unattributed_ns += len(instants)
                continue
            own = lines[chain[0]]
            if self.is_backward(self.cause(row) or row):
                own.backward_ns += len(instants)
            else:
                own.forward_ns += len(instants)
            own.ops_ns[self.operator_name(row)] += len(instants)
            own.ops_count[self.operator_name(row)] += not self.is_one_with_its_parent(row)
            for line in set(chain):
                lines[line].total_ns += len(instants)
            launch = self.launch(self.cause(row))
            for line in launch.lines() - {chain[0]} if launch else ():
                lines[line].launched_ns += len(instants)
        return Numbers(
            device_time_ns=device_time_ns,
            device_busy_ns=len(busy),
            span_ns=max(ends, default=0) - min(starts, default=0),
            unattributed_ns=unattributed_ns,
            lines=lines,
        )


def rows_of(profile: Profile) -> list[Row]:
    """The profile's events, one object a row."""
    events, frames = profile.events, profile.frames
    tracks: list[int] = events["track"].tolist()

    def line(frame: int) -> Line | None:
        if frame < 0:
            return None
        return profile.files[int(frames["file"][frame])].path, int(frames["line"][frame])

    return [
        Row(
            index=index,
            track=tracks[index],
            on_host=profile.tracks[tracks[index]].kind == "host",
            category=Category(events["category"][index]),
            name=profile.strings[int(events["name"][index])],
            start=int(events["start_ns"][index]),
            end=int(events["start_ns"][index] + events["duration_ns"][index]),
            sequence_nr=int(events["sequence_nr"][index]),
            forward_thread=int(events["forward_thread"][index]),
            external_id=int(events["external_id"][index]),
            correlation_id=int(events["correlation_id"][index]),
            line=line(int(events["frame"][index])),
            entry=int(events["entry"][index]) == 1,
        )
        for index in range(len(events))
    ]
