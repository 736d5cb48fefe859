"""Which code is the user's own: neither installed, nor Python's, nor generated, nor ours."""

from __future__ import annotations

import os
import sys
import sysconfig
from typing import TYPE_CHECKING

from .frames import current_frame

if TYPE_CHECKING:
    from types import CodeType, FrameType, TracebackType

_INSTALLED = {"site-packages", "dist-packages"}
_COMPILER_CACHE = "torchinductor_"  # and the user's name: what torch.compile writes and then runs


class UserCode:
    """Tells whether a code object is the user's own.

    Packages installed for development, which stay where their sources are, count as the user's; so
    does a project that has a virtual environment inside it, without what that one holds. Names
    in code objects may be relative: they are taken from the working directory at the time this
    is made, since a program may leave it later.

    Args:
        script: The program being profiled, which counts wherever it lies; None for none.
    """

    def __init__(self, script: str | None = None) -> None:
        self._working_directory = os.getcwd()
        self._script = None if script is None else os.path.realpath(self._absolute(script))
        self._not_the_users = _not_the_users()
        self._answers: dict[str, bool] = {}
        self._paths: dict[str, str] = {}

    def __call__(self, code: CodeType) -> bool:
        """Tell whether a code object comes from a file of the user's."""
        return self.is_users_file(code.co_filename)

    def is_users_file(self, filename: str) -> bool:
        """Tell whether a file is the user's, by the name that code objects have for it."""
        answer = self._answers.get(filename)
        if answer is None:
            answer = self._answers[filename] = self._is_users_file(filename)
        return answer

    def path_of(self, filename: str) -> str:
        """Return a file's absolute path, by the name that code objects have for it, links kept."""
        path = self._paths.get(filename)
        if path is None:
            path = self._paths[filename] = self._absolute(filename)
        return path

    def running_line(self) -> str:
        """Tell the innermost line of the user's that runs on this thread, as ``file:line``."""
        frame: FrameType | None = current_frame(1)
        while frame is not None and not self(frame.f_code):
            frame = frame.f_back
        return self.place(frame.f_code.co_filename, frame.f_lineno) if frame else "The program"

    def raising_line(self, traceback: TracebackType | None) -> str:
        """Tell the innermost line of the user's in a traceback, as ``file:line``."""
        place = "The program"
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if self(code):
                place = self.place(code.co_filename, traceback.tb_lineno)
            traceback = traceback.tb_next
        return place

    def place(self, filename: str, line: int) -> str:
        """Tell a line as ``file:line``, the file as seen from the working directory."""
        path = self.path_of(filename)
        if path.startswith(self._working_directory + os.sep):
            path = os.path.relpath(path, self._working_directory)
        return f"{path}:{line}"

    def _absolute(self, filename: str) -> str:
        return os.path.normpath(os.path.join(self._working_directory, filename))

    def _is_users_file(self, filename: str) -> bool:
        if filename.startswith("<"):
            return False
        path = self._absolute(filename)
        if not os.path.isfile(path):
            return False
        real_path = os.path.realpath(path)
        if real_path == self._script:
            return True
        # A link in site-packages to a file elsewhere is installed all the same, and so is a file
        # that lies there and is reached through a link.
        return not any(self._is_foreign(each) for each in {path, real_path})

    def _is_foreign(self, path: str) -> bool:
        directories = path.split(os.sep)[:-1]
        return (
            not _INSTALLED.isdisjoint(directories)
            or any(name.startswith(_COMPILER_CACHE) for name in directories)
            or path.startswith(self._not_the_users)
        )


def _not_the_users() -> tuple[str, ...]:
    """List the directories, each with a separator at its end, that hold no code of the user's."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    installed = [path for path in map(sysconfig.get_paths().get, names) if path]
    # A virtual environment uses the standard library of the Python it was made from.
    library = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    installed.append(os.path.join(sys.base_prefix, sys.platlibdir, library))
    installed.append(os.path.dirname(os.__file__))
    compiler_cache = os.environ.get("TORCHINDUCTOR_CACHE_DIR")
    if compiler_cache:
        installed.append(compiler_cache)
    ours = os.path.dirname(__file__)
    both = {
        form(path) for path in (*installed, ours) for form in (os.path.abspath, os.path.realpath)
    }
    return tuple(sorted(path + os.sep for path in both))
