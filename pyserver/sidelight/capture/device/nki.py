"""NKI kernels where no chip is: a program may name them, and may not run them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Callable, NoReturn

import torch

_library: Any = torch.library


class KernelNotRunnableError(RuntimeError):
    """The script runs an NKI kernel."""

    __module__ = "sidelight"


class _Kernel:
    """Stands for an NKI kernel that was made callable from PyTorch.

    Args:
        name: What the program calls it.
    """

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getitem__(self, grid: Any) -> _Kernel:
        """The kernel on a grid."""
        return self

    def __call__(self, *arguments: Any, **keywords: Any) -> NoReturn:
        """What runs on a NeuronCore only.

        Raises:
            KernelNotRunnableError: Always.
        """
        raise KernelNotRunnableError(
            f"`{self.__name__}` is an NKI kernel, which only a NeuronCore runs: profile the "
            "program on one (--target neuron), or have it take a version in PyTorch here"
        )


def wrap_nki(kernel: Any, *arguments: Any, **keywords: Any) -> _Kernel:
    """The kernel as something that PyTorch calls; here calling it raises."""
    return _Kernel(getattr(kernel, "__name__", None) or type(kernel).__name__)


def nki_op(name: str, *, mutates_args: Iterable[str] = (), **keywords: Any) -> Callable[[Any], Any]:
    """Make an operator of a function that runs NKI kernels; here calling it raises.

    It is an operator of torch's all the same, so that what else belongs to it can be registered.
    """

    def define(function: Any) -> Any:
        written = tuple(mutates_args)
        schema = _library.infer_schema(function, mutates_args=written)
        return _library.custom_op(name, _Kernel(name), mutates_args=written, schema=schema)

    return define
