"""A script's own recording as it would be by hand: without our rows and what lies in them.

Beside line spans, a target that stands in for a device leaves rows around each answer; what is
called in there is none of the program's. Of a kernel that would run on the device it leaves what it
was predicted to take, which goes to the operator that launched it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .line_spans import LABEL_PREFIX
from .row_names import DISPATCH_MODE, KERNEL_PREFIX, STAND_IN

_OUR_FUNCTION = re.compile(r"sidelight/capture/\S+\(\d+\): ")
"""How the profiler names a Python function of ours."""

_NS_A_US = 1000


class Answers:
    """The answers of a recording, which tell what lies in one. All times are nanoseconds.

    Args:
        spans: ``(thread, start, end)`` of each.
    """

    def __init__(self, spans: Iterable[tuple[Any, int, int]]) -> None:
        self._starts: defaultdict[Any, list[int]] = defaultdict(list)
        self._ends: defaultdict[Any, list[int]] = defaultdict(list)
        for thread, start_ns, end_ns in sorted(spans, key=lambda span: (span[1], -span[2])):
            # An answer in an answer tells nothing more.
            if not self._ends[thread] or start_ns >= self._ends[thread][-1]:
                self._starts[thread].append(start_ns)
                self._ends[thread].append(end_ns)

    def holding(self, thread: Any, start_ns: int, end_ns: int) -> tuple[Any, int] | None:
        """Which answer a row lies in, or is; None for none."""
        index = bisect_right(self._starts.get(thread, ()), start_ns) - 1
        return (thread, index) if index >= 0 and end_ns <= self._ends[thread][index] else None

    def outermost(self) -> Iterator[tuple[Any, int, tuple[Any, int]]]:
        """Thread, start and identity of each."""
        for thread, starts in self._starts.items():
            for index, start_ns in enumerate(starts):
                yield thread, start_ns, (thread, index)


class ProgramsRows:
    """A profiler's results as the script would have them by hand.

    Args:
        results: What the profiler gives.
        kernel_type: torch's type of a registered device.
    """

    def __init__(self, results: Any, kernel_type: Any) -> None:
        self._results = results
        self._kernel_type = kernel_type
        self._kernels_ns: dict[int, list[int]] = {}

    def events(self) -> list[Any]:
        """The program's own rows."""
        events = self._results.events()
        answers = Answers(_span(event) for event in events if event.name() == STAND_IN)
        kept: list[Any] = []
        durations_ns: defaultdict[Any, list[int]] = defaultdict(list)
        for event in events:
            name = event.name()
            answer = answers.holding(*_span(event))
            if answer is not None and name.startswith(KERNEL_PREFIX):
                durations_ns[answer].append(int(name[len(KERNEL_PREFIX) :]))
            if answer is None and not _is_own(name):
                kept.append(event)
        if durations_ns:
            self._kernels_ns = _by_operator(kept, answers, durations_ns)
        return kept

    def add_kernels(self, function_events: list[Any]) -> None:
        """Add the kernels that operators launched, as torch has those of a device.

        Args:
            function_events: ``FunctionEvent`` of the rows that :meth:`events` gave, in order of
                their start; it becomes longer.
        """
        kernels: list[Any] = []
        free_us = 0.0
        for event in function_events:
            for duration_ns in self._kernels_ns.get(event.id, ()) if event.use_device else ():
                kernel = self._kernel(event, max(free_us, event.time_range.start), duration_ns)
                event.append_kernel(kernel.name, kernel.device_index, duration_ns / _NS_A_US)
                free_us = kernel.time_range.end
                kernels.append(kernel)
        function_events += kernels
        function_events.sort(key=lambda event: (event.time_range.start, -event.time_range.end))

    def _kernel(self, operator: Any, start_us: float, duration_ns: int) -> Any:
        """A kernel as torch describes a device's."""
        return type(operator)(
            id=operator.id,
            name=f"{operator.name} (predicted)",
            thread=0,
            start_us=start_us,
            end_us=start_us + duration_ns / _NS_A_US,
            input_shapes=[],
            stack=[],
            use_device=operator.use_device,
            device_type=self._kernel_type,
            device_index=0,
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._results, name)


def _is_own(name: str) -> bool:
    """Whether a row of a name is there because of what we do, wherever it is."""
    return (
        name == DISPATCH_MODE
        or name.startswith(LABEL_PREFIX)
        or _OUR_FUNCTION.search(name) is not None
    )


def _span(event: Any) -> tuple[Any, int, int]:
    return event.start_thread_id(), event.start_ns(), event.end_ns()


def _by_operator(
    events: Iterable[Any], answers: Answers, durations_ns: dict[Any, list[int]]
) -> dict[int, list[int]]:
    """The kernels' durations by the number of the innermost operator around their answer."""
    operators = (event for event in events if not event.is_python_function())
    rows = [(*_span(event), event.correlation_id(), None) for event in operators]
    rows += [(thread, start_ns, -1, -1, answer) for thread, start_ns, answer in answers.outermost()]
    # Where both start at once, the operator is around the answer.
    rows.sort(key=lambda row: (row[0], row[1], row[4] is not None, -row[2]))
    found: defaultdict[int, list[int]] = defaultdict(list)
    opened: list[tuple[Any, int, int]] = []
    for thread, start_ns, end_ns, number, answer in rows:
        while opened and (opened[-1][0] != thread or opened[-1][1] <= start_ns):
            opened.pop()
        if answer is None:
            opened.append((thread, end_ns, number))
        elif opened:
            found[opened[-1][2]] += durations_ns.get(answer, [])
    return found


_EVENT = re.compile(rb"\n  \{.*?\n  \},?", re.DOTALL)
"""One row as Kineto writes it: what closes it stands alone on a line."""

_FIELDS = re.compile(
    rb'"name": "(?P<name>(?:[^"\\]|\\.)*)".*?"tid": (?P<tid>[^,]+),\s*"ts": (?P<ts>[\d.]+)'
    rb'(?:,\s*"dur": (?P<dur>[\d.]+))?',
    re.DOTALL,
)
"""Of a row, what tells whether it is ours."""


def copy_programs_rows(trace: Path, path: Path) -> None:
    """Copy a Chrome trace of the profiler's, with the program's own rows alone.

    Args:
        trace: The trace as it was recorded.
        path: Where the copy goes.

    Raises:
        OSError: One cannot be read, or the other not be written.
    """
    content = trace.read_bytes()
    if LABEL_PREFIX.encode() in content:
        content = _programs_rows(content)
    own_name = f'"traceName": "{trace}"'.encode()
    path.write_bytes(content.replace(own_name, f'"traceName": "{path}"'.encode()))


def _programs_rows(content: bytes) -> bytes:
    found = map(_FIELDS.search, _EVENT.findall(content))
    answers = Answers(_text_span(fields) for fields in found if fields and _is_answer(fields))

    def kept(row: re.Match[bytes]) -> bytes:
        fields = _FIELDS.search(row[0])
        if fields is None:
            return row[0]
        name = fields["name"].decode(errors="replace")
        return b"" if _is_own(name) or answers.holding(*_text_span(fields)) else row[0]

    return _EVENT.sub(kept, content)


def _is_answer(fields: re.Match[bytes]) -> bool:
    return fields["dur"] is not None and fields["name"] == STAND_IN.encode()


def _text_span(fields: re.Match[bytes]) -> tuple[bytes, int, int]:
    start_ns = _ns(fields["ts"])
    return fields["tid"], start_ns, start_ns + _ns(fields["dur"] or b"0")


def _ns(microseconds: bytes) -> int:
    """Whole nanoseconds of a number with up to three places: a float would lose some."""
    whole, _, places = microseconds.partition(b".")
    return int(whole) * _NS_A_US + int(places[:3].ljust(3, b"0"))
