"""A recording by the Neuron runtime itself, for scripts of the older path through torch-xla.

Variables of the environment switch it on. What the compiler is to write into what it compiles has
variables, too, which must be there before anything is compiled: so the script starts with all of
them. The runtime's recordings and those of torch.profiler exclude one another, so that no agent of
ours is in the script's process.

The variables are those of AWS's page on Neuron Explorer's environment variables (SDK 2.33).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from sidelight.jobs.reading import read_into_store
from sidelight.jobs.run_request import RUNTIME_TARGET, RunRequest
from sidelight.jobs.script_process import Ended
from sidelight.jobs.stages import Stage
from sidelight.profile.durable import plain_errors
from sidelight.profile.errors import CaptureError, UnreadableInputError
from sidelight.profile.quality import QualityNote
from sidelight.profile.store import Store, StoredProfile

_ENABLE: Final = "NEURON_RT_INSPECT_ENABLE"
_OUTPUT: Final = "NEURON_RT_INSPECT_OUTPUT_DIR"

_WHEN_RUN: Final = {
    "NEURON_RT_INSPECT_SYSTEM_PROFILE": "1",
    "NEURON_RT_INSPECT_DEVICE_PROFILE": "1",
}
_WHEN_COMPILED: Final = {
    "NEURON_FRAMEWORK_DEBUG": "1",
    "XLA_IR_DEBUG": "1",
    "XLA_HLO_DEBUG": "1",
}

_PROCESS_FOLDERS: Final = "*_pid_*"
"""What the runtime makes in the directory it is given: a folder for each process."""


_NO_NAMES: Final = QualityNote(
    "compile_cache_older",
    "warning",
    "Nothing recorded names your source, so that no time is on a line. Programs that were compiled "
    f"before {', '.join(_WHEN_COMPILED)} were set, and come from the compile cache, lack these "
    "names: clear the cache (NEURON_COMPILE_CACHE_URL, or /var/tmp/neuron-compile-cache) and "
    "profile again.",
)


class RuntimeSession:
    """One run's recording by the runtime.

    Args:
        directory: Where its files go, unless the user's own environment says where.

    Raises:
        CaptureError: The user's own environment switches such recordings off.
    """

    def __init__(self, directory: Path) -> None:
        if (os.environ.get(_ENABLE) or "1") != "1":  # empty is unset, as for the others
            raise CaptureError(
                "recording_switched_off",
                f"{_ENABLE} is {os.environ[_ENABLE]} in your environment, and target neuron-xla "
                "is nothing but that recording. Unset the variable.",
            )
        self._directory = Path(os.environ.get(_OUTPUT) or directory).absolute()
        self._before = self._process_folders()

    def prepare(self, store: Store) -> None:
        """Make the directory, and the store where it is in it.

        Raises:
            StoreError: The disk is full, or it cannot be written.
        """
        with plain_errors(self._directory):
            if self._directory.is_relative_to(store.directory):
                store.prepare()
            self._directory.mkdir(parents=True, exist_ok=True)

    def environment(self) -> dict[str, str]:
        """The variables to set; what the user has set to something else stays."""
        wanted = {_ENABLE: "1", _OUTPUT: str(self._directory), **_WHEN_RUN, **_WHEN_COMPILED}
        return {name: value for name, value in wanted.items() if not os.environ.get(name)}

    def store_recording(
        self,
        request: RunRequest,
        ended: Ended,
        store: Store,
        on_stage: Callable[[Stage], None],
    ) -> StoredProfile:
        """Store what was recorded, once the script has ended.

        Args:
            request: The run.
            ended: How the script ended.
            store: Where the profile goes.
            on_stage: Told how far it has come.

        Raises:
            CaptureError: ``nothing_recorded``; ``session_not_read``: only Neuron's own tools can
                read it, which the sentence says how to run.
            StoreError: It cannot be stored.
        """
        if self._process_folders() <= self._before:
            with suppress(OSError):  # whatever else is in there stays
                self._directory.rmdir()
            raise CaptureError(
                "nothing_recorded",
                f"{request.program} {ended.described()}, and the Neuron runtime recorded nothing. "
                "Check that it runs on a Neuron device through torch-xla; for torch-neuronx's own "
                "device, use --target neuron.",
            )
        try:
            stored = read_into_store(
                self._directory,
                store,
                name=request.profile_name,
                on_progress=lambda fraction: on_stage(Stage("reading", fraction=fraction)),
            )
        except UnreadableInputError as error:
            on_stage(Stage("kept", recording=self._directory))
            raise CaptureError(
                "session_not_read",
                f"{request.program} {ended.described()}; what the Neuron runtime recorded of it is "
                f"kept. {error.message}",
            ) from error
        on_stage(Stage("stored", profile=stored.directory))
        quality = list(stored.manifest.quality)
        if stored.manifest.line_level == "none":
            quality.append(_NO_NAMES)
        return store.update_manifest(
            str(stored.directory),
            target=RUNTIME_TARGET,
            command=request.command,
            working_directory=os.getcwd(),
            script_exit=ended.exit_status,
            stopped_by=ended.stopped_by,
            runtime_files=[str(self._directory)],
            quality=quality,
        )

    def _process_folders(self) -> set[Path]:
        return {path for path in self._directory.glob(_PROCESS_FOLDERS) if path.is_dir()}
