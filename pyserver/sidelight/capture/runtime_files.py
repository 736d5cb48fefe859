"""What the Neuron runtime writes of a recording by itself, beside the trace: where that is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

_DIRECTORY_VARIABLE = "NEURON_RT_INSPECT_OUTPUT_DIR"
_USUAL_DIRECTORY = "output"


def script_files(config: Any) -> str | None:
    """The folder of the files of one of the script's own sessions.

    Args:
        config: The session's ``experimental_config``. TorchNeuron's holds ``name:value`` pairs
            between semicolons, for its part of the profiler.

    Returns:
        The absolute path of this process's folder in the directory that the script, or else the
        environment, chose; of that directory itself where there is no such folder. None where the
        script recorded without TorchNeuron.
    """
    told: str = getattr(config, "custom_profiler_config", None) or ""
    if not told:
        return None
    fields = [field.partition(":") for field in told.split(";")]
    chosen = {name: value for name, _, value in fields}.get("profile_output_dir")
    directory = Path(chosen or os.environ.get(_DIRECTORY_VARIABLE) or _USUAL_DIRECTORY).absolute()
    # One folder for each process, whose name begins with the machine's.
    of_process = sorted(directory.glob(f"*_pid_{os.getpid()}"))
    return str(of_process[-1] if of_process else directory)
