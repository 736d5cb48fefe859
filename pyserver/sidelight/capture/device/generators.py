"""Generators of random numbers: the device draws what the CPU would, and has its own to say so."""

from __future__ import annotations

from typing import Any

import torch

DEVICE = torch.device("privateuseone", 0)

_torch: Any = torch
_Generator: Any = _torch.Generator
_Kind: Any = _Generator.__class__


class _TorchsOwn(_Kind):
    """Counts torch's own generators, such as the default one, as instances too."""

    def __instancecheck__(self, instance: object) -> bool:
        return isinstance(instance, _Generator)


class Generator(_Generator, metaclass=_TorchsOwn):
    """A generator of the device's, or one of torch's own for any other device."""

    def __new__(cls, device: Any = "cpu") -> Any:
        """``torch.Generator(device)``."""
        if torch.device(device).type != DEVICE.type:
            return _Generator(device)
        return _Generator.__new__(cls, "cpu")

    @property
    def device(self) -> torch.device:
        """The device that it draws for."""
        return DEVICE


def install() -> None:
    """Have ``torch.Generator`` make them from now on."""
    Generator.__module__, Generator.__qualname__ = "torch", "Generator"
    setattr(torch, "Generator", Generator)  # noqa: B010
