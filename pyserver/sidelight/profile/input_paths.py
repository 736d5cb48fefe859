"""Paths that people name to have them read, as the operating system sees them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from sidelight.profile.errors import UnreadableInputError


def check_is_file(path: Path) -> None:
    """Refuse what is there and no file or directory: opening a pipe may wait for ever.

    A pipe that a shell names by a descriptor (``/dev/fd/63``) is there for this process alone: so
    ask before another process is to read it.

    Args:
        path: What is to be opened. That it is missing is for whoever opens it to say.

    Raises:
        UnreadableInputError: ``not_a_file``: a pipe, a socket or a device; ``not_readable``;
            ``not_found``: no file can have that name.
    """
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:  # characters that are of no file's name
        raise UnreadableInputError(
            "not_found", f"There can be no file {str(path)!a}. Check the path."
        ) from error
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise UnreadableInputError(
            "not_a_file",
            f"{path} is no file, but a pipe, a socket or a device, which cannot be read twice. "
            "Write what comes from it to a file, and open that; a .gz is opened as it is.",
        )


def unreadable(path: Path, error: OSError) -> UnreadableInputError:
    """What the operating system says of a path, as a plain sentence."""
    return UnreadableInputError(
        "not_readable", f"{path} cannot be read: {error.strerror or error}. Check the path."
    )
