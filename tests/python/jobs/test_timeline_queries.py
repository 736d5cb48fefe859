"""The process that answers for a timeline: answers, errors, deaths and its end."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from cli.recorded import TRAIN_PATH, training_profile
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.analysis.timelines.told_types import Find
from sidelight.jobs.child import Child
from sidelight.jobs.timeline_queries import TimelineQueries
from sidelight.jobs.worker import CancelledError, WorkerError
from sidelight.profile.errors import StoreError, UnreadableInputError
from sidelight.profile.store import Store, StoredProfile
from support.processes import has_ended, wait_for_end
from support.waiting import PATIENCE_S, until


@pytest.fixture
def stored(tmp_path: Path) -> StoredProfile:
    return Store(tmp_path / "store").add(training_profile())


@pytest.fixture
def queries(stored: StoredProfile) -> Generator[TimelineQueries]:
    with TimelineQueries(stored.directory) as queries:
        yield queries


def child_of(queries: TimelineQueries) -> psutil.Process:
    """The process that answers. It is asked first, so that it is there."""
    queries.event(0)
    assert queries._child is not None  # pyright: ignore[reportPrivateUsage]
    return psutil.Process(queries._child.process.pid)  # pyright: ignore[reportPrivateUsage]


def has_its_turn(queries: TimelineQueries) -> bool:
    """Whether a question is being asked."""
    return queries._turn.locked()  # pyright: ignore[reportPrivateUsage]


def test_answers_are_the_indexs_own(stored: StoredProfile, queries: TimelineQueries) -> None:
    index = TimelineIndex(stored.load())
    assert queries.timeline() == index.overview(stored.manifest)
    assert queries.window(0, 10**7, 300) == index.window(0, 10**7, 300)
    find = Find(text="aten")
    assert queries.window(0, 10**7, 300, find, "file") == index.window(0, 10**7, 300, find, "file")
    assert queries.area(0, 10**7, [0]) == index.area(0, 10**7, [0])
    assert queries.match(find, None, 0, "next") == index.match(find, None, 0, "next")
    assert queries.utilisation(0, 10**7, 9, [[0]]) == index.utilisation(0, 10**7, 9, [[0]])
    assert queries.counters(0, 10**7, 9) == index.counters(0, 10**7, 9)
    assert queries.event(3) == index.event(3)
    assert queries.line(TRAIN_PATH, 7) == index.line(TRAIN_PATH, 7)
    assert queries.line("/nowhere.py", 7) is None


def test_one_process_answers_all_threads(queries: TimelineQueries) -> None:
    child = child_of(queries)
    expected = [queries.event(event) for event in range(40)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(queries.event, range(40))) == expected
    assert child_of(queries).pid == child.pid


def test_a_new_name_is_told(stored: StoredProfile, queries: TimelineQueries) -> None:
    assert queries.timeline().name == "train"
    Store(stored.directory.parents[1]).rename(stored.id, "renamed")
    assert queries.timeline().headline.startswith("renamed: ")


def test_errors_come_back_as_themselves(stored: StoredProfile, queries: TimelineQueries) -> None:
    with pytest.raises(UnreadableInputError, match="no event 99999"):
        queries.event(99_999)
    assert queries.event(0).event == 0
    (stored.directory / "events.npz").write_bytes(b"damaged")
    with TimelineQueries(stored.directory) as others, pytest.raises(StoreError, match="damaged"):
        others.window(0, 1, 1)


def test_a_process_that_was_killed_is_started_again(queries: TimelineQueries) -> None:
    child = child_of(queries)
    child.kill()
    wait_for_end([child])
    assert queries.event(0).event == 0
    assert child_of(queries).pid != child.pid


def test_one_that_dies_again_is_an_error_and_not_the_end(
    queries: TimelineQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    living_child = TimelineQueries._living_child  # pyright: ignore[reportPrivateUsage]
    killed: list[int] = []

    def killed_as_it_is_asked(self: TimelineQueries) -> Child:
        child = living_child(self)
        child.process.kill()
        killed.append(child.process.pid or 0)
        return child

    with monkeypatch.context() as patch:
        patch.setattr(TimelineQueries, "_living_child", killed_as_it_is_asked)
        with pytest.raises(WorkerError, match="was killed") as caught:
            queries.event(0)
    assert caught.value.code == "worker_killed"
    assert len(killed) == 2
    assert queries.event(0).event == 0


def test_closing_ends_the_process_and_what_it_is_asked(queries: TimelineQueries) -> None:
    child = child_of(queries)
    child.suspend()
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(queries.event, 0)
        until(lambda: has_its_turn(queries))
        queries.close()
        with pytest.raises(CancelledError, match="closed"):
            asked.result(PATIENCE_S)
    assert has_ended(child)
    with pytest.raises(CancelledError, match="closed"):
        queries.event(0)
    queries.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_process_ends_with_its_parent(stored: StoredProfile, number: signal.Signals) -> None:
    code = textwrap.dedent(
        f"""
        from pathlib import Path
        from sidelight.jobs.timeline_queries import TimelineQueries
        queries = TimelineQueries(Path({str(stored.directory)!r}))
        queries.event(0)
        print("asked", flush=True)
        input()
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout
        assert parent.stdout.readline() == "asked\n"
        children = psutil.Process(parent.pid).children(recursive=True)
        assert children
        parent.send_signal(number)
        _, errors = parent.communicate(timeout=PATIENCE_S)
    assert errors == ""
    wait_for_end(children)
