"""When a host and its streams get to what they are given, against a walk tick by tick."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

import pytest

from sidelight.capture.device.timeline import Timeline

LAUNCH = 3
"""Ticks that submitting a kernel takes."""

STREAMS = (0, 1, 2)

Step = tuple[str, int, int]
"""What the host does: its kind, a stream or a moment, and a duration or a stream."""


@dataclass
class Walk:
    """A machine that moves on by a tick at a time: a host, and a queue for each stream."""

    blocking: bool
    tick: int = 0
    queues: dict[int, deque[Step]] = field(
        default_factory=lambda: {stream: deque[Step]() for stream in STREAMS}
    )
    busy_until: dict[int, int] = field(default_factory=lambda: dict.fromkeys(STREAMS, 0))
    reached: dict[int, int] = field(default_factory=dict[int, int])

    def run(self, program: list[Step]) -> None:
        for kind, subject, value in program:
            if kind == "work":
                self.pass_ticks(value)
            elif kind == "launch":
                self.pass_ticks(LAUNCH)
                self.queues[subject].append((kind, subject, value))
                self.drain()
                if self.blocking:
                    self.wait_for(subject)
            elif kind == "wait":
                self.wait_for(subject)
            elif kind == "wait_all":
                for stream in STREAMS:
                    self.wait_for(stream)
            elif kind == "wait_moment":
                while subject not in self.reached:
                    self.pass_ticks(1)
            else:  # "mark" and "hold": a moment, on a stream
                self.queues[value].append((kind, subject, value))
                self.drain()

    def wait_for(self, stream: int) -> None:
        while self.queues[stream] or self.busy_until[stream] > self.tick:
            self.pass_ticks(1)

    def pass_ticks(self, ticks: int) -> None:
        for _ in range(ticks):
            self.tick += 1
            self.drain()

    def drain(self) -> None:
        """Let the streams do what they can at this tick, until none can do more."""
        while sum(map(self.advance, STREAMS)):
            pass

    def advance(self, stream: int) -> bool:
        queue = self.queues[stream]
        if not queue or self.busy_until[stream] > self.tick:
            return False
        kind, subject, value = queue[0]
        if kind == "hold" and subject not in self.reached:
            return False
        queue.popleft()
        if kind == "launch":
            self.busy_until[stream] = self.tick + value
        elif kind == "mark":
            self.reached[subject] = self.tick
        return True


def random_program(seed: int) -> list[Step]:
    """A program of many steps, which waits for moments that are marked before."""
    chance = random.Random(seed)
    marked: list[int] = []
    program: list[Step] = []
    kinds = ("work", *["launch"] * 5, "wait", "wait_all", "mark", "mark", "hold", "wait_moment")
    for number in range(chance.randint(5, 60)):
        kind = chance.choice(kinds)
        stream = chance.choice(STREAMS)
        if kind in ("hold", "wait_moment"):
            if marked:
                program.append((kind, chance.choice(marked), stream))
        elif kind == "mark":
            marked.append(number)
            program.append((kind, number, stream))
        else:
            program.append((kind, stream, chance.randint(0, 12)))
    return program


@pytest.mark.parametrize("blocking", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_a_timeline_is_where_a_walk_gets_to(seed: int, blocking: bool) -> None:
    program = random_program(seed)
    walk = Walk(blocking)
    walk.run(program)
    end = walk.tick
    walk.pass_ticks(1000)

    timeline = Timeline(is_blocking=blocking, host_time_ns=0)
    host_time = 0
    reached: dict[int, int] = {}
    for kind, subject, value in program:
        if kind == "work":
            host_time += value
            timeline.reach(host_time)
        elif kind == "launch":
            timeline.launch(host_time, subject, LAUNCH, value)
        elif kind == "wait":
            timeline.wait(timeline.done_ns(subject))
        elif kind == "wait_all":
            timeline.wait(timeline.done_ns())
        elif kind == "wait_moment":
            timeline.wait(reached[subject])
        elif kind == "mark":
            reached[subject] = max(timeline.host_ns, timeline.done_ns(value))
        else:
            timeline.hold(value, reached[subject])

    assert timeline.host_ns == end
    assert reached == walk.reached


def test_a_launch_contains_what_the_host_does_for_it() -> None:
    """10 ticks after the last kernel, submitting one has taken 10 ticks, not 13; 1 after it, 3."""
    timeline = Timeline(is_blocking=False, host_time_ns=100)
    timeline.launch(110, 0, LAUNCH, 5)
    assert (timeline.host_ns, timeline.done_ns(0)) == (10, 15)
    timeline.launch(111, 0, LAUNCH, 5)
    assert (timeline.host_ns, timeline.done_ns(0)) == (13, 20)


def test_a_host_whose_threads_tell_late_never_goes_back() -> None:
    timeline = Timeline(is_blocking=False, host_time_ns=0)
    timeline.reach(50)
    timeline.reach(20)
    timeline.reach(60)
    assert timeline.host_ns == 60
