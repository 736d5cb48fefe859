"""Directories for unfinished work, and the removal of those whose process is gone.

Each directory's name tells who works in it, ``<pid>-<start>-<host>-<random>``, so that there is no
moment at which it exists without an owner. A process id alone would not do: it is used again.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import socket
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

_NAME = re.compile(r"(?P<pid>[0-9]{1,9})-(?P<start>[0-9]{1,19})-(?P<host>[0-9a-f]{8})-[0-9a-f]{8}")
_ABANDONED_AFTER_S = 24 * 3600


class Scratch:
    """The unfinished work of all processes that share one store.

    Args:
        root: The directory that holds the scratch directories; made when needed.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    @contextmanager
    def directory(self) -> Generator[Path]:
        """A fresh directory of this process, removed at the end unless it was moved away.

        Raises:
            OSError: It cannot be made.
        """
        pid = os.getpid()
        owner = f"{pid}-{_process_start(pid) or 0}-{_host()}"
        path = self._root / f"{owner}-{secrets.token_hex(4)}"
        path.mkdir(parents=True)
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)

    def remove(self, directory: Path) -> None:
        """Remove a directory of the same file system at once, however much it holds.

        It leaves its place by one rename; a kill during the rest leaves scratch only.

        Raises:
            FileNotFoundError: It is not there (any more).
            OSError: It cannot be moved.
        """
        with self.directory() as grave:
            directory.rename(grave / "removed")

    def clean_up(self) -> None:
        """Remove what processes that are gone left behind.

        Directories of other machines, whose processes cannot be seen from here, stay until
        nothing in them has changed for a day. What has no name of ours stays for ever: the store
        may have been put where somebody else has a ``tmp``, or ``tmp`` be a link to anywhere.
        """
        with suppress(OSError):  # tidying never fails the work it precedes
            for path in self._root.iterdir():
                with suppress(OSError):  # another process tidies at the same time
                    if _is_abandoned(path):
                        self.remove(path)


def _is_abandoned(path: Path) -> bool:
    owner = _NAME.fullmatch(path.name)
    if owner is None:
        return False
    if owner["host"] == _host() and os.name == "posix":
        return not _is_running(int(owner["pid"]), int(owner["start"]))
    return time.time() - _last_change_s(path) > _ABANDONED_AFTER_S


def _last_change_s(path: Path) -> float:
    newest_s = path.lstat().st_mtime
    for inside in path.rglob("*"):
        with suppress(FileNotFoundError):
            newest_s = max(newest_s, inside.lstat().st_mtime)
    return newest_s


def _is_running(pid: int, start: int) -> bool:
    if start:
        return _process_start(pid) == start
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it runs, as somebody else
    return True


def _process_start(pid: int) -> int | None:
    """When a process started, in kernel ticks; None if it has ended or there is no ``/proc``."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The second field is the program's name in parentheses, and may itself hold both.
    fields = stat.rpartition(b")")[2].split()
    state, start = fields[0], fields[19]
    return None if state in (b"Z", b"X") else int(start)


@cache
def _host() -> str:
    """Eight digits for what shares process ids with us: this boot of this machine or container."""
    identity = socket.gethostname()
    with suppress(OSError):
        identity += Path("/proc/sys/kernel/random/boot_id").read_text()
        identity += str(Path("/proc/self/ns/pid").readlink())
    return hashlib.sha256(identity.encode()).hexdigest()[:8]
