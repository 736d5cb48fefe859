"""A recording by torch.profiler, for targets whose device torch itself records."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any


class TorchSession:
    """One recording of every thread, with shapes and without stacks.

    Args:
        torch: The imported torch package.

    Attributes:
        all_threads: Whether threads other than the one that starts it are recorded.
    """

    def __init__(self, torch: Any) -> None:
        config, self.all_threads = experimental_config(torch)
        # The class beneath torch.profiler.profile: that one imports the whole inductor at start.
        self._profiler = torch.autograd.profiler.profile(
            use_kineto=True, record_shapes=True, experimental_config=config
        )

    def start(self) -> None:
        """Begin to record."""
        with quiet_kineto():
            self._profiler.__enter__()

    def stop(self) -> None:
        """End the recording; may be called on any thread."""
        self._profiler.__exit__(None, None, None)

    def export(self, path: Path) -> None:
        """Write the recording as a Chrome trace."""
        self._profiler.kineto_results.save(str(path))


def experimental_config(torch: Any) -> tuple[Any, bool]:
    """torch's experimental options, and whether they make it record all threads."""
    make = torch._C._profiler._ExperimentalConfig
    try:
        return make(profile_all_threads=True), True
    except TypeError:
        return make(), False


@contextlib.contextmanager
def quiet_kineto() -> Generator[None]:
    """Keep Kineto's remarks about starting and stopping off the script's standard error.

    It reads the variable once, when it starts; the script never sees it.
    """
    variable = "KINETO_LOG_LEVEL"
    if variable in os.environ:
        yield
        return
    os.environ[variable] = "99"
    try:
        yield
    finally:
        os.environ.pop(variable, None)
