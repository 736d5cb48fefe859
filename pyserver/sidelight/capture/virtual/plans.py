"""What an operator's schema says of a call: which arguments have to be made ready, what it gives.

It is worked out once an operator, so that a call looks at nothing but what can be a tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, NamedTuple, Union, cast

import torch

from .storages import DEVICE, is_wanted, on_host

_CPU = torch.device("cpu")

_TAKE_HOST_TENSORS = (
    *("aten::_foreach_", "aten::_amp_", "aten::_fused_", "aten::copy", "aten::_copy_from"),
    *("aten::index", "aten::_index_put", "aten::_unsafe_index", "aten::_unsafe_masked_index"),
    *("aten::ctc_loss", "aten::_ctc_loss", "aten::_pack_padded_sequence", "aten::segment_reduce"),
)
"""How the names begin of operators that take tensors of the host beside the device's: many tensors
at once, indices, lengths, or what is to be copied."""

_HOST_RESULTS = {"aten::_pack_padded_sequence": (1,)}
"""Results that are the host's on every device."""

_Place = Union[int, str]
"""An argument by its position or, where it can only be given so, its name."""

_MakeReady = Callable[[Any], Any]


class Plan(NamedTuple):
    """What is known of an operator's calls.

    Attributes:
        positional: Positions of the arguments to make ready for the CPU, and how.
        named: The same of those that are given by name.
        outs: The arguments that it writes its results to, and makes larger where they are small.
        returned: For each result, the argument that it is, or None.
        shared: For each result, the argument whose memory it is in, or None.
        host_results: Which results are the host's.
    """

    positional: tuple[tuple[int, _MakeReady], ...]
    named: dict[str, _MakeReady]
    outs: tuple[str, ...]
    returned: tuple[_Place | None, ...]
    shared: tuple[_Place | None, ...]
    host_results: tuple[int, ...]


def plan_of(schema: Any) -> Plan:
    """What a schema says of its operator's calls."""
    mixes = schema.name.startswith(_TAKE_HOST_TENSORS)
    ready = on_host if mixes else _of_device
    ways: dict[str, _MakeReady] = {
        "Tensor": ready,
        "Tensors": _each(ready),
        "Device": _device,
    }
    positional: list[tuple[int, _MakeReady]] = []
    named: dict[str, _MakeReady] = {}
    aliases: dict[str, _Place] = {}
    outs: list[str] = []
    for position, argument in enumerate(schema.arguments):
        way = ways.get(_kind(str(argument.type)))
        if way is None:
            continue
        if argument.is_out:
            outs.append(argument.name)
        elif argument.kwarg_only:
            named[argument.name] = way
        else:
            positional.append((position, way))
        if argument.alias_info is not None:
            place = argument.name if argument.kwarg_only else position
            aliases.update(dict.fromkeys(argument.alias_info.before_set, place))
    alias_infos = [result.alias_info for result in schema.returns]
    places = [
        None if info is None else next(map(aliases.get, info.before_set), None)
        for info in alias_infos
    ]
    written = [info is not None and info.is_write for info in alias_infos]
    return Plan(
        positional=tuple(positional),
        named=named,
        outs=tuple(outs),
        returned=tuple(p if w else None for p, w in zip(places, written)),
        shared=tuple(None if w else p for p, w in zip(places, written)),
        host_results=_HOST_RESULTS.get(schema.name, ()),
    )


def _kind(type_name: str) -> str:
    """A type as the schema names it, without what makes no difference here."""
    kind = type_name.replace("Optional[", "").rstrip("]")
    return "Tensors" if kind.startswith("List[") and kind.endswith("[Tensor") else kind


def _of_device(tensor: Any) -> Any:
    """What the CPU gets for a tensor that has to be the device's, or to hold a single number."""
    host = on_host(tensor)
    if host is tensor and isinstance(tensor, torch.Tensor) and tensor.dim():
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{DEVICE} and {tensor.device}!"
        )
    return host


def _each(ready: _MakeReady) -> _MakeReady:
    """What makes a list ready, or lists in a list, of what one tensor is made ready by."""

    def each(tensors: Any) -> Any:
        if isinstance(tensors, (list, tuple)):
            return [each(tensor) for tensor in cast("Sequence[Any]", tensors)]
        return ready(tensors)

    return each


def _device(device: Any) -> Any:
    return _CPU if is_wanted(device) else device
