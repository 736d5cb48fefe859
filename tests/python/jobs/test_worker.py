"""Work in a process of its own: results, progress, cancel, and every way to fail."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from sidelight.jobs.child import gone_with_parent
from sidelight.jobs.worker import (
    CancelledError,
    UnexpectedWorkerError,
    WorkerError,
    run_in_worker,
)
from sidelight.profile.errors import SidelightError, UnreadableInputError
from support.processes import wait_for_end, worker_processes
from support.waiting import PATIENCE_S, until

Report = Callable[[float], None]


def double(number: int, *, progress: Report) -> int:
    return 2 * number


def own_process_id(*, progress: Report) -> int:
    return os.getpid()


def count_up(*, progress: Report) -> str:
    for number in range(1001):
        progress(number / 1000)
        time.sleep(0.0005)
    return "done"


def refuse(*, progress: Report) -> None:
    raise UnreadableInputError("empty", "trace.json is empty.")


def fail(*, progress: Report) -> None:
    raise KeyError("surprise")


def want_too_much(*, progress: Report) -> None:
    bytearray(1 << 60)


def be_killed(*, progress: Report) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def crash(*, progress: Report) -> None:
    ctypes.string_at(0)


def leave(*, progress: Report) -> None:
    os._exit(7)


def die_while_reporting(*, progress: Report) -> None:
    for _ in range(100):
        progress(0.5)
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)


def large(*, progress: Report) -> bytes:
    return bytes(50_000_000)


def sleep_long(*, progress: Report) -> None:
    progress(0.5)
    time.sleep(10 * PATIENCE_S)


def write_long(path: str, *, progress: Report) -> None:
    with gone_with_parent(Path(path)):
        Path(path).write_bytes(b"half")
        sleep_long(progress=progress)


def be_quick(*, progress: Report) -> str:
    progress(0.5)
    return "done"


def test_a_result_from_another_process() -> None:
    assert run_in_worker(double, 21, doing="doubling") == 42
    assert run_in_worker(own_process_id, doing="asking") != os.getpid()
    assert len(run_in_worker(large, doing="filling")) == 50_000_000


def test_progress_rises_and_is_not_a_flood() -> None:
    seen: list[float] = []
    began_s = time.monotonic()
    assert run_in_worker(count_up, doing="counting", on_progress=seen.append) == "done"
    took_s = time.monotonic() - began_s
    assert seen == sorted(seen)
    assert 3 <= len(seen) <= 1 + 20 * took_s


def test_typed_errors_come_back_as_themselves() -> None:
    with pytest.raises(UnreadableInputError) as caught:
        run_in_worker(refuse, doing="reading")
    assert (caught.value.code, caught.value.message) == ("empty", "trace.json is empty.")


def test_other_errors_bring_their_traceback() -> None:
    with pytest.raises(UnexpectedWorkerError, match="KeyError: 'surprise'") as caught:
        run_in_worker(fail, doing="reading")
    assert not isinstance(caught.value, SidelightError)
    assert "in fail" in str(caught.value.__cause__)


@pytest.mark.parametrize(
    ("function", "code", "words"),
    [
        (want_too_much, "out_of_memory", "not enough memory"),
        (be_killed, "worker_killed", "reading x.json was killed, most likely because memory"),
        (die_while_reporting, "worker_killed", "was killed"),
        (crash, "worker_crashed", "was ended by SIGSEGV"),
        (leave, "worker_crashed", "ended with status 7"),
    ],
)
def test_a_process_that_dies(function: Callable[..., None], code: str, words: str) -> None:
    with pytest.raises(WorkerError, match=words) as caught:
        run_in_worker(function, doing="reading x.json")
    assert caught.value.code == code


def test_cancel_ends_the_process() -> None:
    cancel = threading.Event()
    with pytest.raises(CancelledError):
        run_in_worker(
            sleep_long, doing="sleeping", on_progress=lambda _: cancel.set(), cancel=cancel
        )
    assert worker_processes(psutil.Process()) == []


def test_what_was_cancelled_gives_no_result_that_came_meanwhile() -> None:
    cancel = threading.Event()

    def cancel_late(part: float) -> None:
        until(lambda: not worker_processes(psutil.Process()))
        cancel.set()

    with pytest.raises(CancelledError):
        run_in_worker(be_quick, doing="hurrying", on_progress=cancel_late, cancel=cancel)


def test_an_error_of_the_listener_ends_the_process() -> None:
    def stop(part: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_in_worker(sleep_long, doing="sleeping", on_progress=stop)
    assert worker_processes(psutil.Process()) == []


@pytest.mark.skipif(os.name == "nt", reason="process groups")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_process_ends_with_its_parent_and_says_nothing(number: int) -> None:
    code = textwrap.dedent(
        f"""
        import sys
        sys.path.insert(0, {os.path.dirname(os.path.dirname(__file__))!r})
        from jobs.test_worker import sleep_long
        from sidelight.jobs.worker import run_in_worker
        def tell(part):
            print("working", flush=True)
        try:
            run_in_worker(sleep_long, doing="sleeping", on_progress=tell)
        except KeyboardInterrupt:
            pass
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as parent:
        assert parent.stdout
        assert parent.stdout.readline() == "working\n"
        children = psutil.Process(parent.pid).children(recursive=True)
        assert children
        if number == signal.SIGINT:
            os.killpg(parent.pid, number)  # as a terminal's Ctrl-C does
        else:
            parent.kill()
        _, errors = parent.communicate(timeout=PATIENCE_S)
    assert errors == ""
    wait_for_end(children)


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be removed")
def test_what_is_half_written_is_gone_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "half"
    code = textwrap.dedent(
        f"""
        import sys
        sys.path.insert(0, {os.path.dirname(os.path.dirname(__file__))!r})
        from jobs.test_worker import write_long
        from sidelight.jobs.worker import run_in_worker
        def tell(part):
            print("working", flush=True)
        run_in_worker(write_long, {str(path)!r}, doing="writing", on_progress=tell)
        """
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        assert parent.stdout.readline() == b"working\n"
        assert path.read_bytes() == b"half"
        children = psutil.Process(parent.pid).children(recursive=True)
        parent.kill()
    wait_for_end(children)
    assert not path.exists()
