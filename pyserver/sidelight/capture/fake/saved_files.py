"""Files that a program saves to, renames and copies, where what it saves has no values.

A file of that name that was there before stays as it is, whatever the program does to it. Where
there was none, one is there until the run ends: a program may ask for its size or rename it.
"""

from __future__ import annotations

import builtins
import functools
import io
import os
import shutil
import tempfile
from typing import Any, Callable

_CHECKPOINT_HEADS = (b"PK\x03\x04", b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.")
"""How files of torch's begin: the one since 1.6, and the one before."""


class SavedFiles:
    """Keeps what is saved under names, and follows the names, from its making on."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}
        self._ours: set[str] = set()
        self._process = os.getpid()
        self._remove = os.remove
        module: Any = os
        module.replace = self._following(module.replace, self._moved)
        module.rename = self._following(module.rename, self._moved)
        module.remove = self._following(module.remove, self._removed)
        module.unlink = self._following(module.unlink, self._removed)
        copying: Any = shutil
        copying.copyfile = self._following(copying.copyfile, self._copied)
        opening: Any = builtins
        opening.open = io.open = _sparing(opening.open)

    def kept(self, path: str) -> bytes | None:
        """What was saved under a name; None where nothing was."""
        return self._kept.get(os.path.realpath(path))

    def keep(self, path: str, content: bytes) -> bool:
        """Keep what is saved under a name.

        Returns:
            Whether there is a file of that name that is not written to.

        Raises:
            OSError: No file of that name can be made.
        """
        path = os.path.realpath(path)
        has_real = path not in self._ours and os.path.exists(path)
        if not has_real:
            with open(path, "wb") as file:
                file.write(content)
            self._ours.add(path)
        self._kept[path] = content
        return has_real

    def keep_opened(self, file: Any, name: str) -> bool:
        """Keep what was saved through an open file of a name; returns as :meth:`keep`."""
        spared = isinstance(file, _Spared)
        if spared:
            file.keep = functools.partial(self.keep, name)
        else:
            self._ours.add(os.path.realpath(name))
        return spared

    def leave(self) -> None:
        """The run is over: take away what there is of it, if this is the process that made it."""
        if os.getpid() != self._process:
            return
        for path in self._ours:
            if os.path.exists(path):
                self._remove(path)
        self._ours.clear()
        self._kept.clear()

    def _following(self, real: Callable[..., Any], follow: Callable[..., bool]) -> Any:
        @functools.wraps(real)
        def function(path: Any, *arguments: Any, **keywords: Any) -> Any:
            names = [path_of(each) for each in (path, *arguments[:1])]
            paths = [os.path.realpath(name) for name in names if name is not None]
            if keywords or len(paths) < len(names) or paths[0] not in self._kept:
                return real(path, *arguments, **keywords)
            return real(path, *arguments) if follow(*paths) else path

        return function

    def _moved(self, source: str, target: str) -> bool:
        """A name becomes another; returns whether the file of that name is to as well."""
        follows = self._copied(source, target)
        self._kept.pop(source)
        if source in self._ours:
            self._ours.discard(source)
            if not follows:
                self._remove(source)
        return follows

    def _copied(self, source: str, target: str) -> bool:
        """The same where the first name stays too."""
        follows = source in self._ours and (target in self._ours or not os.path.exists(target))
        self._kept[target] = self._kept[source]
        if follows:
            self._ours.add(target)
        return follows

    def _removed(self, path: str) -> bool:
        self._kept.pop(path)
        is_ours = path in self._ours
        self._ours.discard(path)
        return is_ours


class _Spared(io.BufferedRandom):
    """Stands for a checkpoint that is opened to be written over: it is, if not for ``torch.save``.

    Args:
        path: The checkpoint.
        write: Opens it.

    Attributes:
        keep: Takes what was saved, instead of the file; None where something else was written.
    """

    def __init__(self, path: Any, write: Callable[[], Any]) -> None:
        raw: Any = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        super().__init__(raw)
        raw.name = path
        self._write = write
        self.keep: Callable[[bytes], Any] | None = None

    def close(self) -> None:
        """Hand on what was written."""
        if not self.closed:
            self.seek(0)
            if self.keep is None:
                with self._write() as file:
                    shutil.copyfileobj(self, file)
            else:
                self.keep(self.read())
        super().close()


def _sparing(real: Callable[..., Any]) -> Callable[..., Any]:
    """``open``, which empties a file before anything is written to it."""

    @functools.wraps(real)
    def open_(file: Any, mode: str = "r", *arguments: Any, **keywords: Any) -> Any:
        if mode in ("wb", "w+b", "wb+") and not arguments and not keywords and _is_checkpoint(file):
            return _Spared(file, lambda: real(file, "wb"))
        return real(file, mode, *arguments, **keywords)

    def _is_checkpoint(file: Any) -> bool:
        path = path_of(file)
        if path is None or not os.path.isfile(path):
            return False
        with real(path, "rb") as content:
            return content.read(64).startswith(_CHECKPOINT_HEADS)

    return open_


def path_of(file: Any) -> str | None:
    """The absolute path of a file that is given by its name."""
    try:
        return os.path.abspath(os.fsdecode(file))
    except TypeError:
        return None


def name_of(file: Any) -> str | None:
    """The absolute path of an open file; None where it is none that has a name."""
    name = getattr(file, "name", None)
    return path_of(name) if isinstance(name, (str, bytes)) else None
