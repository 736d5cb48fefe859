"""Why the device was idle at each instant, worked out from all rows anew for each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from oracle import Line, Oracle, Row

from sidelight.profile.model import Profile
from sidelight.profile.tables import Category

LOADER = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
COMPILER = "entire_frame_compile (dynamo_timed)"
WAIT = "cudaStreamSynchronize"
ITEM = "aten::item"

Reason = tuple[str, Line | None]
"""A cause, and the line behind it."""


class IdleOracle:
    """Answers about one profile's idle instants.

    Args:
        profile: As a reader returned it.
    """

    def __init__(self, profile: Profile) -> None:
        self.oracle = Oracle(profile)
        steps = self.oracle.steps
        self.breaks = [(end, start) for (_, end), (start, _) in pairwise(steps)]
        self.host = [row for row in self.oracle.rows if row.on_host]
        calls = (Category.RUNTIME, Category.DEVICE_RUNTIME)
        self.runtime_waits = [r for r in self.host if r.name == WAIT and r.category in calls]

    def reasons(self) -> Counter[Reason]:
        """Idle nanoseconds by cause and line."""
        found: Counter[Reason] = Counter()
        for gap, row in self.gaps():
            found += self.of_gap(gap, row)
        return found

    def gaps(self) -> list[tuple[range, Row]]:
        """Every gap between device time of recorded steps, with the row that ends it."""
        oracle = self.oracle
        counted = [
            (row, instants)
            for row in oracle.rows
            if (instants := oracle.device_instants(row)) is not None and oracle.step(row) >= 0
        ]
        busy = set[int]().union(*(instants for _, instants in counted))
        begins = [(row.start, 0, row.index, row) for row, _ in counted]
        begins += [
            (child.end, 1, row.index, row)
            for row, _ in counted
            for child in oracle.children(row)
            if oracle.encloses(child) and row.category == Category.OPERATOR
        ]
        first = min((row.start for row, _ in counted), default=0)
        last = max((row.end for row, _ in counted), default=0)
        found: list[tuple[range, Row]] = []
        for instant in range(first, last):
            if instant in busy:
                continue
            row = min(begin for begin in begins if begin[0] > instant)[-1]
            if found and found[-1][0].stop == instant and found[-1][1] is row:
                found[-1] = range(found[-1][0].start, instant + 1), row
            else:
                found.append((range(instant, instant + 1), row))
        return found

    def of_gap(self, gap: range, row: Row) -> Counter[Reason]:
        """The reasons for a gap, for each of its instants within steps."""
        oracle, found = self.oracle, Counter[Reason]()
        is_own = row.category in (Category.OPERATOR, Category.DEVICE_RUNTIME)
        launch = row if is_own else oracle.cause(row)
        launched = gap.stop if launch is row else min(launch.end if launch else 0, gap.stop)
        instants = [t for t in gap if not any(begin <= t < end for begin, end in self.breaks)]
        if launch is None or launched <= gap.start:
            found["unknown", self.line_of(launch)] += len(instants)
            return +found
        wait = self.region(self.is_wait, self.thread(launch, gap.start), gap.start, at_end=True)
        lost = gap.start - wait.start if wait else 0
        for instant in instants:
            cause, line = self.of_instant(launch, launched, instant)
            if cause == "host_late" and lost > 0:
                cause, line, lost = "synchronize", self.line_of(wait), lost - 1
            found[cause, line] += 1
        return found

    def of_instant(self, launch: Row, launched: int, instant: int) -> Reason:
        if instant >= launched:
            return "host_late", self.line_of(launch)
        thread = self.thread(launch, instant)
        causes: dict[str, Callable[[Row], bool]] = {
            "compilation": lambda row: row.name == COMPILER,
            "data_loader": lambda row: row.name == LOADER,
            "synchronize": self.is_wait,
        }
        for cause, is_of_cause in causes.items():
            region = self.region(is_of_cause, thread, instant)
            if region:
                return cause, self.line_of(region)
        return "host_late", self.line_of(self.innermost(thread, instant))

    def is_wait(self, row: Row) -> bool:
        if self.runtime_waits:
            return row in self.runtime_waits
        return row.name == ITEM and row.category == Category.OPERATOR

    def region(
        self, is_of_cause: Callable[[Row], bool], thread: int, instant: int, *, at_end: bool = False
    ) -> Row | None:
        """The first of the rows of a cause, without a break between them, that reach an instant."""
        first, reach = None, -1
        for row in self.host:
            if row.track != thread or not is_of_cause(row):
                continue
            if row.start > instant - at_end:
                break
            if row.start >= reach:
                first = row
            reach = max(reach, row.end)
        return first if first and reach > instant - at_end else None

    def thread(self, launch: Row, instant: int) -> int:
        """The launching thread, or while it does nothing the one with most code."""
        if self.innermost(launch.track, instant):
            return launch.track
        code = [row.track for row in self.host if self.oracle.is_user_code(row)]
        operators = [row.track for row in self.host if row.category == Category.OPERATOR]
        tracks = code or operators
        return min(tracks, key=lambda track: (-tracks.count(track), track), default=-1)

    def innermost(self, thread: int, instant: int) -> Row | None:
        is_open = [
            row
            for row in self.host
            if row.track == thread and self.oracle.encloses(row) and row.start <= instant < row.end
        ]
        return max(is_open, key=lambda row: row.moment, default=None)

    def line_of(self, row: Row | None) -> Line | None:
        chain = self.oracle.chain(row)
        return chain[0] if chain else None
