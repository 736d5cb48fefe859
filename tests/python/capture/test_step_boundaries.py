"""Which boundaries make steps, on sequences worked out by hand from design's "Steps"."""

from __future__ import annotations

import pytest

from sidelight.capture.steps import PATIENCE, StepBoundaries

MAIN, OTHER = 1, 2


def run(events: str, *, warmup: int = 0, steps: int = 100) -> StepBoundaries:
    """Optimizers are capitals, modules small letters, each letter one boundary on the main thread.

    A letter after ``+`` is built first; one after ``|`` passes on another thread.
    """
    boundaries = StepBoundaries(warmup, steps)
    kind = ""
    for letter in events:
        if letter in "+|":
            kind = letter
            continue
        thread = OTHER if kind == "|" else MAIN
        if kind == "+":
            boundaries.optimizer_built(ord(letter))
        elif letter.isupper():
            boundaries.optimizer_stepped(ord(letter), thread)
        else:
            boundaries.module_called(ord(letter), thread)
        kind = ""
    return boundaries


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        pytest.param("AAA", [(None, 0), (0, 1), (1, 2)], id="one optimizer"),
        pytest.param("DDGDDG", [(None, 2), (2, 5)], id="the least often of an interleaving pair"),
        pytest.param("+G+DDGDG", [(None, 1), (1, 3)], id="a tie goes to the first built"),
        pytest.param("AABB", [(None, 0), (0, 1), (1, 2), (2, 3)], id="one after the other"),
        pytest.param("A|BA|B", [(None, 0), (0, 1), (1, 2), (2, 3)], id="two threads"),
        pytest.param("mAmA", [(None, 1), (1, 3)], id="optimizers win over modules"),
        pytest.param("mmm", [(0, 1), (1, 2), (2, None)], id="module calls"),
        pytest.param("mlmlml", [(0, 2), (2, 4), (4, None)], id="model and criterion"),
        pytest.param("maxmby", [(0, 3), (3, None)], id="modules made anew each time"),
        pytest.param("m", [(0, None)], id="one call"),
        pytest.param("ab", [(0, 1), (1, None)], id="two calls of two modules"),
        pytest.param("", [(None, None)], id="nothing at all"),
    ],
)
def test_boundaries(events: str, expected: list[tuple[int | None, int | None]]) -> None:
    assert run(events).recorded().steps == expected


@pytest.mark.parametrize(
    ("count", "kept", "dropped", "missing"),
    [(13, 10, 3, False), (20, 10, 3, False), (12, 10, 2, True), (10, 10, 0, True), (4, 4, 0, True)],
)
def test_warmup_is_dropped_only_when_enough_is_left(
    count: int, kept: int, dropped: int, missing: bool
) -> None:
    recorded = run("A" * count, warmup=3, steps=10).recorded()
    assert (len(recorded.steps), recorded.warmup, recorded.warmup_missing) == (
        kept,
        dropped,
        missing,
    )
    last = dropped + kept - 1
    assert recorded.steps[-1] == (last - 1, last)


def test_a_script_without_wanted_warmup_misses_none() -> None:
    assert not run("A", warmup=0, steps=10).recorded().warmup_missing
    assert not run("", warmup=0, steps=10).recorded().warmup_missing


def test_enough_steps_end_the_recording() -> None:
    assert not run("AA", warmup=1, steps=2).enough()
    assert run("AAA", warmup=1, steps=2).enough()


def test_the_last_module_call_ends_where_the_next_starts() -> None:
    assert not run("mmm", warmup=1, steps=2).enough()
    assert run("mmmm", warmup=1, steps=2).enough()


def test_an_optimizer_that_has_not_stepped_yet_is_waited_for_a_while() -> None:
    wanted = 3
    assert not run("+A" + "m" * (wanted * PATIENCE), warmup=1, steps=2).enough()
    assert run("+A" + "m" * ((wanted + 1) * PATIENCE), warmup=1, steps=2).enough()
    assert not run("+D+G" + "D" * wanted, warmup=1, steps=2).enough()


def test_an_interleaving_optimizer_is_waited_for() -> None:
    """The critic steps five times before the generator does, and then again."""
    assert not run("+D+GDDDDDG", warmup=1, steps=2).enough()
    assert run("+D+GDDDDDGDDDDDGDDDDDG", warmup=1, steps=2).enough()


def test_a_module_beside_another_is_waited_for() -> None:
    assert not run("ml", warmup=0, steps=1).enough()
    assert run("mlm", warmup=0, steps=1).enough()


def test_an_optimizer_at_the_place_of_one_that_is_gone_is_another() -> None:
    """Pretraining, then finetuning: both count, though both objects have the same identity."""
    assert len(run("+AAAA+AAA").recorded().steps) == 5
