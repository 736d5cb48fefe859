"""What goes between the host and the device: copies, and values that the host reads."""

from __future__ import annotations

from typing import Any

import torch

from ..device.rows import SYNCHRONIZE, mark
from .answering import Answering, Work
from .storages import is_ours, is_wanted, on_device, on_host

_aten: Any = torch.ops.aten


def works(answering: Answering) -> dict[Any, Work]:
    """What these operators do.

    Args:
        answering: Is told where the host waits.
    """

    def wait() -> None:
        mark(SYNCHRONIZE)
        answering.wait()

    def copy(into: Any, source: Any, non_blocking: bool) -> Any:
        on_host(into).copy_(on_host(source))
        if not is_ours(into.device) and not non_blocking:
            wait()
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

    def converted(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        # torch would pin the host memory that it copies to without waiting.
        device = keywords.get("device")
        host = _aten._to_copy(
            on_host(arguments[0]), **{**keywords, "device": None, "pin_memory": None}
        )
        if device is None or is_wanted(device):
            return on_device(host)
        if device.type != "cpu":
            return host.to(device)
        if not keywords.get("non_blocking"):
            wait()
        return host

    return {
        _aten.copy_.default: copied,
        _aten._to_copy.default: converted,
        _aten._copy_from.default: copied_from,
        _aten._local_scalar_dense.default: read,
    }
