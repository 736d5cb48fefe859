"""Which way the CPU would go with an attention that is not computed: it decides by shapes alone."""

from __future__ import annotations

from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily

from ..device.private import storage_over

_aten: Any = torch.ops.aten

_HOST = torch.device("cpu")

_NOWHERE = 0
"""The address of memory that nobody looks at."""


def choice_of_attention(*arguments: Any, **keywords: Any) -> int:
    """The CPU's choice of the way for an attention of the device's."""
    with unset_fake_temporarily():
        return _aten._fused_sdp_choice(*map(_real, arguments), **keywords)


def _real(argument: Any) -> Any:
    """A real tensor of the host's, shaped as one without values; it has none to look at either."""
    if not isinstance(argument, FakeTensor):
        return argument
    tensor = torch.empty(0, dtype=argument.dtype)
    memory = storage_over(_NOWHERE, _HOST, argument.untyped_storage().nbytes())
    return tensor.set_(memory, argument.storage_offset(), argument.size(), argument.stride())
