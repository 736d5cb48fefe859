"""``torch.compile`` as scripts call it where the device is a NeuronCore that is stood in for."""

from __future__ import annotations

import functools
import warnings
from typing import Any, Callable

import torch

_FOR_DEVICE = ("inductor", "neuron", "openxla", None)
"""Backends that compile for the device; the others run what they are given in other ways."""


def install(backend: Callable[[bool], Any]) -> None:
    """Compile from now on for the device.

    Args:
        backend: Gives the backend, by whether the script asks for the device by its name.
    """
    module: Any = torch
    module.compile = _for_device(module.compile, backend)


def _for_device(real: Callable[..., Any], backend: Callable[[bool], Any]) -> Callable[..., Any]:
    @functools.wraps(real)
    def compile_(model: Any = None, **options: Any) -> Any:
        wanted = options.get("backend")
        if wanted is not None and not isinstance(wanted, str):
            return real(model, **options)
        if wanted not in _FOR_DEVICE:
            return real(model, **options)
        if options.get("dynamic"):
            raise NotImplementedError(
                "torch.compile(dynamic=True) is not there on a NeuronCore: it compiles for fixed "
                "sizes. Leave dynamic out."
            )
        for name in ("mode", "options"):
            if options.pop(name, None) not in (None, "default"):
                warnings.warn(
                    f"torch.compile's {name} means nothing to the backend neuron and is ignored.",
                    stacklevel=2,
                )
        options.update(backend=backend(wanted == "neuron"), dynamic=False)
        return real(model, **options)

    return compile_
