"""The plug-in's functions."""

from __future__ import annotations

import ctypes
from pathlib import Path

_library = ctypes.CDLL(str(Path(__file__).with_name("libneuron_plugin.so")))
_library.neuron_submit.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_int32]
_library.neuron_submit.restype = None
_library.neuron_wait.restype = None
_library.neuron_session_directory.restype = ctypes.c_char_p


def submit(name: str, duration_ns: int, stream: int = 0) -> None:
    """Hand work to the device."""
    _library.neuron_submit(name.encode(), duration_ns, stream)


def synchronize(device: object = None) -> None:
    """Wait until the device is done."""
    _library.neuron_wait()


def session_directory() -> Path:
    """Where the runtime has put the files of the newest recording."""
    return Path(_library.neuron_session_directory().decode())
