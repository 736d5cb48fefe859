"""The documented profiling interface: what is recorded is torch.profiler's, by these settings."""

from __future__ import annotations

import os
from enum import Enum
from typing import Any

import torch

from . import runtime

_torch: Any = torch
_ExperimentalConfig: Any = _torch._C._profiler._ExperimentalConfig


class ProfileMode(Enum):
    """What the runtime writes down, each into files of its own."""

    DEVICE = "device"
    RUNTIME = "runtime"
    CPU_UTIL = "cpu_util"
    HOST_MEMORY = "host_memory"


_LACKING = os.environ.get("NEURON_PLUGIN_WITHOUT")
"""What this version does not have yet: a keyword, a method, or the whole interface."""

if _LACKING == "profiling":
    raise ImportError("this version has no profiling interface")

_DEFAULT_MODES = (ProfileMode.DEVICE, ProfileMode.RUNTIME)


class NeuronConfig(_ExperimentalConfig):
    """What torch.profiler is given as ``experimental_config``.

    Raises:
        TypeError: A keyword that this version does not know.
    """

    def __init__(
        self,
        *,
        modes: Any = _DEFAULT_MODES,
        max_events_per_nc: int | None = None,
        capture_enabled_for_nc: str | None = None,
        profile_output_dir: str | None = None,
        neff_cache_dir: str | None = None,
        precache_node_info: bool = True,
        **newer: Any,
    ) -> None:
        known = {"correlate_device_time"} - {_LACKING}
        for keyword in newer.keys() - known:
            raise TypeError(f"NeuronConfig() got an unexpected keyword argument '{keyword}'")
        fields: dict[str, Any] = {
            **{mode.value: True for mode in modes},
            "max_events_per_nc": max_events_per_nc,
            "capture_enabled_for_nc": capture_enabled_for_nc,
            "profile_output_dir": profile_output_dir,
            "neff_cache_dir": neff_cache_dir,
            "precache_node_info": precache_node_info,
            **newer,
        }
        told = ";".join(
            f"{name}:{str(value).lower() if isinstance(value, bool) else value}"
            for name, value in fields.items()
            if value is not None
        )
        _ExperimentalConfig.__init__(self, custom_profiler_config=told)


class NeuronProfiler:
    """Puts torch.profiler's trace where the runtime's files of the same recording are."""

    def __init__(self, config: NeuronConfig) -> None:
        if _LACKING == "export_trace":
            raise TypeError("NeuronProfiler() takes no arguments")
        self.config = config

    def export_trace(self, profiler: Any) -> None:
        """An ``on_trace_ready``: writes ``trace.json``."""
        profiler.export_chrome_trace(str(runtime.session_directory() / "trace.json"))
