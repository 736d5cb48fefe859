"""How the device answers an operator: the CPU computes it on the same memory.

The CPU's work, with all that it calls in turn, is one row of the stand-in's in a recording.
"""

from __future__ import annotations

import sys
from time import perf_counter_ns
from typing import Any, Callable, cast

import torch

from ..device.module import FORKED
from ..device.private import is_recorded
from ..device.rows import STAND_IN, close, row
from ..device.tensor_lists import TensorLists
from . import private
from .plans import Plan, plan_of
from .storages import DEVICE, is_ours, moved, on_device, over_memory, placed, storage_on_device

_Compute = Callable[..., Any]

Work = Callable[["tuple[Any, ...]", "dict[str, Any]"], Any]
"""Gives an operator's result from its arguments, and those given by name."""

_Ran = Callable[[Any, "tuple[Any, ...]", "dict[str, Any]", int], None]


class Answering:
    """Answers the device's operators.

    Args:
        ran: Told of each operator that was answered, with its arguments, and of how long that took
            on the host, in nanoseconds.
        waited: Told when the host needs what the device was given to be done.

    Attributes:
        wait: The same.
        works: What gives an operator's result from its arguments, and those given by name. An
            operator that is called and not in here is computed.
        lists: What is in the lists that operators are given.
        in_forked_child: Whether this process was forked from one that had used the device.
        used: Whether the device was used.
    """

    def __init__(self, ran: _Ran, waited: Callable[[], None]) -> None:
        self._ran = ran
        self.wait = waited
        self.works: dict[Any, Work] = {}
        self.lists = TensorLists()
        self.in_forked_child = False
        self.used = False

    def answer(self, operator: Any, /, *arguments: Any, **keywords: Any) -> Any:
        """Answer an operator, as no work of the program's.

        Raises:
            RuntimeError: This is a forked child of a process that had used the device.
        """
        if self.in_forked_child:
            raise RuntimeError(FORKED)
        self.used = True
        # Before Python 3.12 a trace function is called for each function in here.
        trace_function = sys.gettrace()
        if trace_function is not None:
            sys.settrace(None)
        opened = None
        if is_recorded():
            opened = row(STAND_IN)
            opened.__enter__()
        try:
            if opened is not None:
                self.lists.mark(operator, arguments, keywords)
            began_ns = perf_counter_ns()
            work = self.works.get(operator)
            if work is None:
                work = self.works[operator] = computed(operator)
            if private.autocasts("cpu"):
                with private.without_cpu_autocast():
                    result = work(arguments, keywords)
            else:
                result = work(arguments, keywords)
            self._ran(operator, arguments, keywords, perf_counter_ns() - began_ns)
            return result
        finally:
            if opened is not None:
                close(opened)
            if trace_function is not None:
                sys.settrace(trace_function)


def computed(operator: Any, compute: _Compute | None = None) -> Work:
    """The work of an operator that the CPU computes on the memory of the device's tensors.

    Args:
        operator: The operator.
        compute: Gives the result from the host's tensors; None for the operator itself.
    """
    plan = plan_of(private.schema_of(operator))
    compute = private.unguarded(operator) if compute is None else compute
    return _into_outs(plan, compute) if plan.outs else _worked(plan, compute)


def _worked(plan: Plan, compute: _Compute) -> Work:
    """The work of an operator that finds room for its results itself."""
    hosts_of, results_of = _hosts_of(plan), _results_of(plan)

    def work(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        hosts, named = hosts_of(arguments, keywords)
        result = compute(*hosts, **named)
        device = keywords.get("device")
        if device is not None and not is_ours(device):
            return result
        return results_of(result, arguments, keywords)

    return work


def _into_outs(plan: Plan, compute: _Compute) -> Work:
    """The work of an operator whose results are tensors that it is given.

    Where they are too small it makes them larger, for which the device finds memory anew.
    """
    hosts_of, results_of = _hosts_of(plan), _results_of(plan)

    def work(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        outs = {name: keywords[name] for name in plan.outs if keywords.get(name) is not None}
        hosts, named = hosts_of(arguments, keywords)
        try:
            named.update((name, _each(_room, out)) for name, out in outs.items())
            result = compute(*hosts, **named)
        except RuntimeError as error:
            if "not resizable" not in str(error):
                raise
            named.update((name, _each(_new_room, out)) for name, out in outs.items())
            result = compute(*hosts, **named)
        for name, out in outs.items():
            _each(_take, out, named[name])
        return results_of(result, arguments, keywords)

    return work


def _hosts_of(plan: Plan) -> Callable[..., tuple[list[Any], dict[str, Any]]]:
    """What makes a call's arguments ready for the CPU."""
    positional, ways = plan.positional, plan.named

    def hosts_of(arguments: Any, keywords: Any) -> tuple[list[Any], dict[str, Any]]:
        hosts = list(arguments)
        for position, ready in positional:
            if position >= len(hosts):
                break
            hosts[position] = ready(hosts[position])
        if not keywords:
            return hosts, keywords
        return hosts, {
            name: ways[name](value) if name in ways else value for name, value in keywords.items()
        }

    return hosts_of


def _results_of(plan: Plan) -> Callable[[Any, Any, Any], Any]:
    """What makes the device's results of the CPU's."""
    places = tuple(zip(plan.returned, plan.shared))
    has_own = all(returned is None and shared is None for returned, shared in places)
    if has_own and not plan.host_results:
        return lambda result, arguments, keywords: _on_device(result)

    def one(index: int, result: Any, arguments: Any, keywords: Any) -> Any:
        returned, shared = places[index]
        place = shared if returned is None else returned
        if place is None:
            return result if index in plan.host_results else _on_device(result)
        argument = arguments[place] if isinstance(place, int) else keywords[place]
        return argument if returned is not None else placed(result, argument.untyped_storage())

    if len(places) == 1:
        return lambda result, arguments, keywords: one(0, result, arguments, keywords)
    return lambda results, arguments, keywords: tuple(
        one(index, result, arguments, keywords) for index, result in enumerate(results)
    )


def _on_device(result: Any) -> Any:
    """A result of the CPU's as the device's: a tensor, several, or something else."""
    if isinstance(result, torch.Tensor):
        # Others have no memory of their own that a tensor of the device's could lie in.
        has_memory = not (result.is_quantized or result.is_nested)
        is_plain = has_memory and result.layout is torch.strided
        return on_device(result) if is_plain else result
    if isinstance(result, (tuple, list)):
        results = cast("tuple[Any, ...] | list[Any]", result)
        return type(results)(map(_on_device, results))
    return result


def _room(out: Any) -> Any:
    """Where the CPU writes what goes into a tensor of the device's."""
    if not is_ours(out.device):
        raise RuntimeError(
            f"Expected out tensor to have device {DEVICE}, but got {out.device} instead"
        )
    return over_memory(out) if out.numel() else _new_room(out)


def _new_room(out: Any) -> Any:
    return torch.empty(0, dtype=out.dtype)


def _take(out: Any, room: Any) -> None:
    """Have a tensor of the device's be what the CPU wrote into its room, or into one made anew."""
    memory = out.untyped_storage()
    if room.untyped_storage().data_ptr() != memory.data_ptr():
        moved(out, room, storage_on_device(room))
    elif room.size() != out.size() or room.stride() != out.stride():
        moved(out, room, memory)


def _each(do: Callable[..., Any], *of: Any) -> Any:
    """What a function gives for a tensor, or for each of several."""
    if isinstance(of[0], (tuple, list)):
        return [do(*ones) for ones in zip(*of)]
    return do(*of)
