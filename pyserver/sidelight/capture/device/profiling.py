"""``torch_neuronx.profiling`` where no chip is: its configuration is taken, its files are torch's.

There is no runtime whose files could lie in the session's folder, only the trace itself.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any

import torch

_torch: Any = torch
_Options: Any = _torch._C._profiler._ExperimentalConfig

_DEFAULT_DIRECTORY = "output"
"""Where the runtime leaves a session unless it is told (``NEURON_RT_INSPECT_OUTPUT_DIR``)."""


class ProfileMode(Enum):
    """What a session records: the device, the runtime, the host's load, the host's memory."""

    DEVICE = "device"
    RUNTIME = "runtime"
    CPU_UTIL = "cpu_util"
    HOST_MEMORY = "host_memory"


class NeuronConfig(_Options):
    """The ``experimental_config`` of torch.profiler for the device.

    The options are those that AWS documents; another is a ``TypeError``.

    Args:
        modes: What is recorded.
        max_events_per_nc: Events that a core records at most.
        capture_enabled_for_nc: Which cores are recorded, such as ``0,1,2-5``.
        profile_output_dir: Where sessions go.
        neff_cache_dir: Where compiled programs are found.
        precache_node_info: Whether what is known of those is looked up in warm-up.
        correlate_device_time: Whether rows of the device are linked to operators.
    """

    def __init__(
        self,
        modes: Iterable[ProfileMode] | None = None,
        max_events_per_nc: int | None = None,
        capture_enabled_for_nc: str | None = None,
        profile_output_dir: str | None = None,
        neff_cache_dir: str | None = None,
        precache_node_info: bool = True,
        correlate_device_time: bool = False,
    ) -> None:
        _Options.__init__(self)
        usual = (ProfileMode.DEVICE, ProfileMode.RUNTIME)
        self.modes = list(usual if modes is None else modes)
        self.max_events_per_nc = max_events_per_nc
        self.capture_enabled_for_nc = capture_enabled_for_nc
        self.profile_output_dir = profile_output_dir
        self.neff_cache_dir = neff_cache_dir
        self.precache_node_info = precache_node_info
        self.correlate_device_time = correlate_device_time


class NeuronProfiler:
    """Writes a profile's trace to where the runtime would leave a session.

    Args:
        config: The configuration that the profile was recorded with.
    """

    def __init__(self, config: NeuronConfig) -> None:
        self.config = config

    def export_trace(self, profile: Any) -> str:
        """Write ``trace.json``; may be given to torch.profiler as ``on_trace_ready``.

        Returns:
            The trace's path, ``<directory>/<instance>_pid_<pid>/<timestamp>/trace.json``.

        Raises:
            OSError: It cannot be written.
        """
        directory = self.config.profile_output_dir or os.environ.get(
            "NEURON_RT_INSPECT_OUTPUT_DIR", _DEFAULT_DIRECTORY
        )
        process = f"{socket.gethostname()}_pid_{os.getpid()}"
        session = Path(directory, process, str(time.time_ns()))
        session.mkdir(parents=True)
        path = session / "trace.json"
        profile.export_chrome_trace(str(path))
        return str(path)
