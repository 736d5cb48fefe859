"""What the Neuron runtime writes of a recording by itself, beside the trace: where that is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def script_files(config: Any) -> str | None:
    """The folder of the files of one of the script's own sessions.

    Args:
        config: The session's ``experimental_config``. TorchNeuron's holds ``name:value`` pairs
            between semicolons, for its part of the profiler.

    Returns:
        The absolute path of this process's folder in the directory that the script chose; None
        where the script recorded without TorchNeuron, or left the choice to it.
    """
    told: str = getattr(config, "custom_profiler_config", None) or ""
    fields = [field.partition(":") for field in told.split(";")]
    chosen = {name: value for name, _, value in fields}.get("profile_output_dir")
    if not chosen:
        return None
    directory = Path(chosen).absolute()
    # One folder for each process, whose name begins with the machine's.
    of_process = sorted(directory.glob(f"*_pid_{os.getpid()}"))
    return str(of_process[-1] if of_process else directory)
