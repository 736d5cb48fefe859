"""What goes between the host and the device: copies, and values that the host reads."""

from __future__ import annotations

from typing import Any, Callable

import torch

from ..device.rows import SYNCHRONIZE, mark
from .answering import Answering
from .storages import is_ours, on_host

_aten: Any = torch.ops.aten


def kernels(answering: Answering) -> dict[Any, Callable[..., Any]]:
    """The kernels of these operators.

    Args:
        answering: Makes them.
    """

    def copy(into: Any, source: Any, non_blocking: bool) -> Any:
        on_host(into).copy_(on_host(source))
        if not is_ours(into.device) and not non_blocking:
            mark(SYNCHRONIZE)
            answering.wait()
        return into

    def copied(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        into, source, *rest = arguments
        return copy(into, source, bool(rest and rest[0]))

    def copied_from(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        source, into, *rest = arguments
        return copy(into, source, bool(rest and rest[0]))

    def read(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        value = on_host(arguments[0]).item()
        answering.wait()
        return value

    return {
        _aten.copy_.default: answering.kernel(_aten.copy_.default, copied),
        _aten._copy_from.default: answering.kernel(_aten._copy_from.default, copied_from),
        _aten._local_scalar_dense.default: answering.kernel(
            _aten._local_scalar_dense.default, read
        ),
    }
