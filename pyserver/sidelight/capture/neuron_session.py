"""A recording on a NeuronCore, through TorchNeuron's own profiling API."""

from __future__ import annotations

import shutil
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Callable, NamedTuple

from .torch_session import quiet_kineto

_PACKAGE = "torch_neuronx"
_BACKENDS = "torch.backends"
"""The group of entry points by which torch finds what to load."""


class Devices(NamedTuple):
    """The NeuronCores that torch sees.

    Attributes:
        cores: How many.
        problem: Why there is none though a TorchNeuron is installed; empty where nothing failed.
    """

    cores: int = 0
    problem: str = ""

    @property
    def as_sentence(self) -> str:
        """What there is to say where there is none, without a full stop."""
        reason = f" ({self.problem})" if self.problem else ""
        return f"torch finds no NeuronCore on this machine{reason}"


def find_devices(torch: Any, *, insist: bool) -> Devices:
    """The NeuronCores that torch sees; none where TorchNeuron is absent or finds none.

    torch loads TorchNeuron by itself. Where that is switched off, and the script is to import it
    later, it is imported now.

    Args:
        torch: The imported torch package.
        insist: Import also a TorchNeuron that does not say that torch should load it.
    """
    if not hasattr(torch, "neuron") and (_is_declared() or (insist and _is_installed())):
        try:
            import_module(_PACKAGE)
        except Exception as error:
            # No driver, or a placeholder: both mean that there is no device.
            return Devices(problem=f"{_PACKAGE} does not load: {_in_short(error)}")
    neuron = getattr(torch, "neuron", None)
    if neuron is None:
        return Devices()
    try:
        return Devices(int(neuron.device_count()) if neuron.is_available() else 0)
    except Exception as error:
        return Devices(problem=f"{_PACKAGE} cannot tell: {_in_short(error)}")


def _in_short(error: Exception) -> str:
    """An error's type, and the first line of what it says."""
    first, *_ = [*str(error).strip().splitlines(), ""]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _is_installed() -> bool:
    return find_spec(_PACKAGE) is not None


def _is_declared() -> bool:
    """Whether TorchNeuron is among the backends that torch is to load."""
    # It takes a while to import, which torch has done by now and a script without torch never does.
    from importlib.metadata import entry_points

    declared: Any = entry_points()
    # A plain dictionary before Python 3.10.
    backends = (
        declared.select(group=_BACKENDS)
        if hasattr(declared, "select")
        else declared.get(_BACKENDS, ())
    )
    return any(entry.value.partition(":")[0].partition(".")[0] == _PACKAGE for entry in backends)


class NeuronSession:
    """One recording by torch.profiler with ``NeuronConfig``, device and runtime included.

    Args:
        torch: The imported torch package; TorchNeuron is registered with it.
        directory: Where the runtime leaves its files.

    Attributes:
        all_threads: Whether threads other than the one that starts it are recorded.
    """

    def __init__(self, torch: Any, directory: Path) -> None:
        profiling = import_module("torch_neuronx.profiling")
        self._torch = torch
        self._directory = directory
        modes = [profiling.ProfileMode.DEVICE, profiling.ProfileMode.RUNTIME]
        config, self.all_threads = _neuron_config(profiling, modes, directory)
        self._export = _exporter(profiling, config)
        activity = torch.profiler.ProfilerActivity
        self._profiler = torch.profiler.profile(
            activities=[activity.CPU, activity.PrivateUse1],
            record_shapes=True,
            experimental_config=config,
        )

    def start(self) -> None:
        """Begin to record, with nothing from before still running on the device."""
        self._synchronize()
        with quiet_kineto():
            self._profiler.start()

    def stop(self) -> None:
        """End the recording once the device has finished what it was given."""
        self._synchronize()
        self._profiler.stop()

    def export(self, path: Path) -> None:
        """Write the recording as a Chrome trace, and the runtime's files beside it.

        ``export_trace`` puts its trace into the session's folder; a version that does not is asked
        for a plain Chrome trace.
        """
        before = self._traces()
        with suppress(Exception):
            self._export(self._profiler)
        written = self._traces() - before
        if written:
            shutil.copyfile(max(written, key=lambda file: file.stat().st_mtime_ns), path)
        else:
            self._profiler.export_chrome_trace(str(path))

    def _traces(self) -> set[Path]:
        # Earlier versions call it pytorch_trace.json.
        return set(self._directory.rglob("*trace.json"))

    def _synchronize(self) -> None:
        neuron = self._torch.neuron
        if getattr(neuron, "is_initialized", lambda: True)():
            neuron.synchronize()


def _exporter(profiling: Any, config: Any) -> Callable[[Any], object]:
    """What writes a trace into the session's folder; nothing where this version has no such."""
    try:
        return profiling.NeuronProfiler(config).export_trace
    except (AttributeError, TypeError):
        return lambda profiler: None


def _neuron_config(profiling: Any, modes: list[Any], directory: Path) -> tuple[Any, bool]:
    """A ``NeuronConfig`` with what this version accepts, the least needed given up first.

    Returns:
        The configuration, and whether it records all threads.
    """
    wishes: list[dict[str, Any]] = [
        {"correlate_device_time": True, "profile_all_threads": True},
        {"correlate_device_time": True},
        {"profile_all_threads": True},
        {},
    ]
    for wish in wishes:
        try:
            config = profiling.NeuronConfig(modes=modes, profile_output_dir=str(directory), **wish)
        except TypeError:
            continue
        return config, bool(wish.get("profile_all_threads"))
    raise RuntimeError("torch_neuronx.profiling.NeuronConfig accepts neither modes nor a directory")
