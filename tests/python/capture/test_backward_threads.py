"""A process does not end while a thread of autograd's still works."""

from __future__ import annotations

import ctypes
import hashlib
import sys
import threading

import pytest

from sidelight.capture.backward_threads import wait_for_backward_threads

PR_SET_NAME = 15  # linux/prctl.h
HASHED_BYTES = 100_000_000


class NamedThread(threading.Thread):
    """Computes without Python's lock, then needs the lock, then waits for work."""

    def __init__(self, name: bytes) -> None:
        super().__init__(daemon=True)
        self.started, self.stop = threading.Event(), threading.Event()
        self.done = False
        self._system_name = name

    def run(self) -> None:
        ctypes.CDLL(None).prctl(PR_SET_NAME, self._system_name, 0, 0, 0)
        content = bytes(HASHED_BYTES)
        self.started.set()
        hashlib.sha256(content)
        self.done = True
        self.stop.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="threads have names in /proc on Linux alone")
def test_what_autograd_is_at_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidelight.capture.backward_threads._LONGEST_WAIT_S", 120.0)
    thread = NamedThread(b"pt_autograd_0")
    thread.start()
    thread.started.wait()
    wait_for_backward_threads()
    assert thread.done
    thread.stop.set()


@pytest.mark.skipif(sys.platform != "linux", reason="threads have names in /proc on Linux alone")
def test_the_scripts_own_threads_are_not_waited_for() -> None:
    thread = NamedThread(b"loader")
    thread.start()
    thread.started.wait()
    wait_for_backward_threads()
    assert not thread.done
    thread.stop.set()
