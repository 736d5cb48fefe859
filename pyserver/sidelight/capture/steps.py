"""Steps: which boundaries make them, and when enough are recorded (design: "Steps").

Pure: it is told of boundaries as they pass, numbers them as marks, and decides.
"""

from __future__ import annotations

from typing import NamedTuple, Optional

PATIENCE = 10
"""Where an optimizer or module has passed less often than wanted, or an optimizer not at all yet,
the others end the recording only after this many times the wanted steps: the rare one may be the
one that separates steps, behind a long gradient accumulation, say."""

Span = tuple[Optional[int], Optional[int]]
"""Start and end mark of a step; None is the recording's own start or end."""


class RecordedSteps(NamedTuple):
    """The steps that a recording keeps.

    Attributes:
        steps: Start and end marks.
        warmup: Steps dropped before them.
        warmup_missing: Whether fewer were dropped than asked for.
        source: What made the boundaries: ``optimizer``, ``module`` or ``run``.
        before: Start mark of the last step dropped; None where that is the recording's own start,
            or none was dropped.
    """

    steps: list[Span]
    warmup: int
    warmup_missing: bool
    source: str
    before: int | None = None


class _Source:
    """The boundaries of one optimizer or module on one thread."""

    __slots__ = ("built", "marks")

    def __init__(self, built: int) -> None:
        self.built = built
        self.marks: list[int] = []


class StepBoundaries:
    """Collects boundaries and decides which of them separate steps.

    Args:
        warmup: Steps to drop at the start.
        steps: Steps to keep.
    """

    def __init__(self, warmup: int, steps: int) -> None:
        self._warmup = warmup
        self._steps = steps
        self._mark_count = 0
        self._built_count = 0
        self._optimizers: dict[tuple[int, int], _Source] = {}
        self._modules: dict[tuple[int, int], _Source] = {}
        self._unstepped: dict[int, int] = {}
        self._built_order: dict[int, int] = {}

    @property
    def seen_any(self) -> bool:
        """Whether any boundary, or the building of an optimizer, has been seen."""
        return self._mark_count > 0 or self._built_count > 0

    def optimizer_built(self, optimizer: int) -> None:
        """An optimizer of this identity comes into being."""
        self._built_order[optimizer] = self._unstepped[optimizer] = self._built_count
        self._built_count += 1

    def optimizer_stepped(self, optimizer: int, thread: int) -> int:
        """An optimizer's step returned; returns the number of the mark to set."""
        if optimizer not in self._built_order:
            self.optimizer_built(optimizer)
        self._unstepped.pop(optimizer, None)
        # A new optimizer may reuse the identity of one that is gone: it is another source.
        source = (self._built_order[optimizer], thread)
        return self._mark(self._optimizers, source, self._built_order[optimizer])

    def module_called(self, module: int, thread: int) -> int:
        """An outermost module is called; returns the number of the mark to set."""
        return self._mark(self._modules, (module, thread), len(self._modules))

    def _mark(
        self, sources: dict[tuple[int, int], _Source], key: tuple[int, int], built: int
    ) -> int:
        source = sources.get(key)
        if source is None:
            source = sources[key] = _Source(built)
        mark = self._mark_count
        self._mark_count += 1
        source.marks.append(mark)
        return mark

    def enough(self) -> bool:
        """Whether the recording may end at the mark just set.

        Which boundaries are steps is only known once it is known which sources interleave. So the
        one that has passed least often must have passed often enough, or patience must run out.
        """
        wanted = self._warmup + self._steps
        if self._optimizers:
            sources = self._optimizers
            needed = wanted
        else:
            sources = self._recurring_modules()
            # The last step ends where the next call starts.
            needed = wanted + 1
        if self._mark_count < needed:
            return False
        fewest = 0 if self._unstepped else min(len(each.marks) for each in sources.values())
        return fewest >= needed or len(_boundaries(sources)) >= needed * PATIENCE

    def recorded(self) -> RecordedSteps:
        """The steps to keep, now that the recording has ended."""
        if self._optimizers:
            ends = _boundaries(self._optimizers)
            starts: list[int | None] = [None, *ends[:-1]]
            spans: list[Span] = list(zip(starts, ends))
            source = "optimizer"
        elif self._modules:
            calls = _boundaries(self._recurring_modules())
            following: list[int | None] = [*calls[1:], None]
            spans = list(zip(calls, following))
            source = "module"
        else:
            return RecordedSteps([(None, None)], 0, self._warmup > 0, "run")
        wanted = self._warmup + self._steps
        missing = len(spans) < wanted
        dropped = max(len(spans) - self._steps, 0) if missing else self._warmup
        kept = spans[dropped : dropped + self._steps]
        before = spans[dropped - 1][0] if dropped else None
        return RecordedSteps(kept, dropped, missing and self._warmup > 0, source, before)

    def _recurring_modules(self) -> dict[tuple[int, int], _Source]:
        """Without those called only once among others: made anew each time, they are no loop."""
        recurring = {key: source for key, source in self._modules.items() if len(source.marks) > 1}
        return recurring or self._modules


def _boundaries(sources: dict[tuple[int, int], _Source]) -> list[int]:
    """The marks that count.

    Sources that interleave on a thread are one loop: the one that passes least often (ties: the
    first built) speaks for it. Sources that follow one another, or run on different threads, all
    count.
    """
    by_thread: dict[int, list[_Source]] = {}
    for (_, thread), source in sources.items():
        by_thread.setdefault(thread, []).append(source)
    chosen: list[int] = []
    for of_thread in by_thread.values():
        of_thread.sort(key=lambda source: source.marks[0])
        loop: list[_Source] = []
        loop_end = -1
        for source in of_thread:
            if loop and source.marks[0] > loop_end:
                chosen.extend(_speaker(loop).marks)
                loop = []
            loop.append(source)
            loop_end = max(loop_end, source.marks[-1])
        chosen.extend(_speaker(loop).marks)
    return sorted(chosen)


def _speaker(loop: list[_Source]) -> _Source:
    return min(loop, key=lambda source: (len(source.marks), source.built))
