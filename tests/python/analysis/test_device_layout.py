"""When the host and each stream get to what they are given: against a plain simulation."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from hypothesis import given, strategies as st

from sidelight.analysis.device_layout import Happening, Hold, Launch, Record, Wait, lay_out


@dataclass(frozen=True)
class Program:
    """What happens at instants; after each as much passes as ``elapsed`` says."""

    instants: list[int]
    elapsed: list[int]
    happenings: list[Happening]
    boundaries: list[int]
    waits_at_last: bool


@st.composite
def programs(draw: st.DrawFn) -> Program:
    instants = sorted(draw(st.sets(st.integers(-50, 200), min_size=1, max_size=25)))
    at = st.sampled_from(instants)
    times, few = st.integers(0, 300), st.integers(0, 2)
    happening = st.one_of(
        st.builds(Launch, at, times, times, few),
        st.builds(Launch, at, times, times),
        st.builds(Wait, at, st.one_of(st.none(), few)),
        st.builds(Wait, at, st.none(), few),
        st.builds(Record, at, few, few),
        st.builds(Hold, at, few, few),
    )
    return Program(
        instants,
        draw(st.lists(st.integers(1, 99), min_size=len(instants), max_size=len(instants))),
        sorted(draw(st.lists(happening, max_size=20)), key=lambda each: each.at_ns),
        sorted(draw(st.sets(at, max_size=5))),
        draw(st.booleans()),
    )


class Simulation:
    """Moves one clock through a program, nanosecond counts as plain as can be."""

    def __init__(self, program: Program) -> None:
        self.now = 0
        self.own_work = 0
        self.ends: defaultdict[int, list[int]] = defaultdict(lambda: [0])
        self.moments: dict[int, int] = {}
        self.new: list[int] = []
        self.starts: list[int] = []
        launched_before = 0
        for number, instant in enumerate(program.instants):
            passed = program.elapsed[number - 1] if number else 0
            self.now += passed
            self.own_work += passed
            if instant in program.boundaries:
                everything = self.everything()
                is_last = instant == program.boundaries[-1] and program.waits_at_last
                self.now = max(self.now, everything if is_last else launched_before)
                launched_before = everything
                self.own_work = 0
            self.new.append(self.now)
            for happening in program.happenings:
                if happening.at_ns == instant:
                    self.happen(happening)
                    self.own_work = 0

    def everything(self) -> int:
        return max([0, *(max(ends) for ends in self.ends.values())])

    def happen(self, happening: Happening) -> None:
        if isinstance(happening, Launch):
            self.now += max(happening.launch_ns - self.own_work, 0)
            ends = self.ends[happening.stream]
            self.starts.append(max(self.now, *ends))
            ends.append(self.starts[-1] + happening.duration_ns)
        elif isinstance(happening, Record):
            self.moments[happening.moment] = max(self.now, *self.ends[happening.stream])
        elif isinstance(happening, Hold):
            self.ends[happening.stream].append(self.moments.get(happening.moment, 0))
        elif happening.moment is not None:
            self.now = max(self.now, self.moments.get(happening.moment, 0))
        elif happening.stream is not None:
            self.now = max(self.now, *self.ends[happening.stream])
        else:
            self.now = max(self.now, self.everything())


@given(programs())
def test_the_clock_is_that_of_a_plain_simulation(program: Program) -> None:
    instants = np.array(program.instants, np.int64)
    layout = lay_out(
        instants,
        np.array(program.elapsed, np.int64),
        program.happenings,
        np.array(program.boundaries, np.int64),
        waits_at_last=program.waits_at_last,
    )
    expected = Simulation(program)
    assert layout.new_ns.tolist() == expected.new
    assert layout.device_start_ns.tolist() == expected.starts
    assert (np.diff(layout.new_ns) > 0).all()
    assert layout.moved(instants).tolist() == expected.new
    launches = [each.at_ns for each in program.happenings if isinstance(each, Launch)]
    launched = layout.moved(np.array(launches, np.int64))
    assert (layout.device_start_ns >= launched).all()
