"""The mode itself: torch's FakeTensorMode, asked a little more.

It is below autograd and autocast, so that every operator still goes through them and is recorded
with its shapes. Between the recording and this lies only the choice of what an operator gives.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Sequence
from time import perf_counter_ns
from typing import Any, Callable, cast

import torch
from torch._subclasses import fake_tensor
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

from ..device.clock import DeviceClock
from ..device.module import DEVICE
from ..device.rows import ON_HOST, STAND_IN, SYNCHRONIZE, close, mark, row
from ..device.tensor_lists import TensorLists
from . import private
from .composites import composite_kernel, is_composite

KNOWN_ELEMENTS = 1024
"""Up to how many elements the values of tensors on the host are known: those that a script writes
down, counts up or draws to pick rows by. Working them out costs next to nothing."""

_META = torch.device("meta")

_Operator = Callable[..., Any]

_Rule = Callable[[_Operator, "tuple[Any, ...]", "dict[str, Any]"], Any]


class _Thread(threading.local):
    """The mode's state on one thread."""

    def __init__(self) -> None:
        self.enter_stack: list[Any] = []
        self.in_kernel_invocation = False
        self.busy = False


def _of_thread(name: str) -> Any:
    """A part of the mode's state that torch keeps as if there were one thread."""

    def get(mode: ValuelessMode) -> Any:
        return getattr(mode.threads, name)

    def set_(mode: ValuelessMode, value: Any) -> None:
        setattr(mode.threads, name, value)

    return property(get, set_)


class ValuelessMode(FakeTensorMode):
    """Operators give tensors without values.

    Args:
        made: Told of what operators give.
        clock: The clock of the device that takes part in some.
        failed: Told of an operator that failed, and how; returns what to raise.
        named: Told of each device that the program names by a number other than 0.

    Attributes:
        lists: What is in the lists that operators are given.
        rules: Operators that are not torch's to answer, and who answers them, or gives back
            ``NotImplemented``.
        shape_rules: The same for those that are called within an answer too: what they give has a
            shape that values decide.
        threads: The mode's state on the current thread.
    """

    enter_stack: Any = _of_thread("enter_stack")
    in_kernel_invocation: Any = _of_thread("in_kernel_invocation")

    def __init__(
        self,
        made: Callable[[Any], None],
        clock: DeviceClock,
        failed: Callable[[Any, Exception], Exception],
        named: Callable[[int], None],
    ) -> None:
        self.threads = _Thread()
        super().__init__(allow_non_fake_inputs=True)
        self._made = made
        self._clock = clock
        self._failed = failed
        self._named = named
        self.lists = TensorLists()
        self.rules: dict[_Operator, _Rule] = {}
        self.shape_rules: dict[_Operator, _Rule] = {}
        # torch logs every failed shape with a traceback of its own; the script gets the error.
        logging.getLogger(fake_tensor.__name__).setLevel(logging.CRITICAL)

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here, and torch's guard against that takes a few frames a call."""
        return False

    def __deepcopy__(self, memo: dict[int, Any]) -> ValuelessMode:
        """A copy of a tensor is of the same mode."""
        return self

    @property
    def avoid_device_init(self) -> bool:
        """Nothing is ever made on a device, whatever devices there are."""
        return True

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Answer one operator. What raises in here, raises from the line that called it."""
        threads = self.threads
        # Nine calls in ten are this one: autograd asks it of every tensor it meets.
        if func is private.device_of:
            return _META if threads.in_kernel_invocation else args[0].fake_device
        keywords: dict[str, Any] = kwargs or {}
        if threads.busy:
            return self._answer(self.shape_rules.get(func), func, types, args, keywords)
        wanted = keywords.get("device")
        if wanted is not None and wanted.type == DEVICE:
            keywords = {**keywords, "device": self._the_device(wanted)}
        if is_composite(func):
            kernel = composite_kernel(func, _is_on_device(args))
            if kernel is not None:
                with self:
                    return kernel(*args, **keywords)
        threads.busy = True
        # Before Python 3.12 a trace function is called for each of torch's many functions in here.
        trace_function = sys.gettrace()
        if trace_function is not None:
            sys.settrace(None)
        answering = row(STAND_IN)
        answering.__enter__()
        self.lists.mark(func, args, keywords)
        began_ns = perf_counter_ns()
        try:
            rule = self.rules.get(func) or self.shape_rules.get(func)
            result = self._answer(rule, func, types, args, keywords)
            if self._takes_part(args, keywords, result):
                self._clock.ran(func, args, keywords, perf_counter_ns() - began_ns)
        except Exception as error:
            raise self._failed(func, error).with_traceback(None) from None
        finally:
            threads.busy = False
            close(answering)
            if trace_function is not None:
                sys.settrace(trace_function)
        self._made(result)
        return result

    def _the_device(self, wanted: torch.device) -> torch.device:
        """The one device there is, whatever number the program names it by."""
        if wanted.index:
            self._named(wanted.index)
        return torch.device(DEVICE, 0)

    def _answer(
        self,
        rule: _Rule | None,
        func: Any,
        types: Any,
        args: tuple[Any, ...],
        keywords: dict[str, Any],
    ) -> Any:
        """What a rule gives, and torch where there is none or it leaves the operator to torch."""
        result = NotImplemented if rule is None else rule(func, args, keywords)
        return self.dispatch(func, types, args, keywords) if result is NotImplemented else result

    def invalidate_written_to_constants(
        self, func: Any, flat_arg_fake_tensors: Any, args: Any, kwargs: Any
    ) -> None:
        """Let go of what is known of what is written to with values that are not.

        torch looks at tensors alone; here are those of a list too, and what an operator writes to
        without saying so.
        """
        super().invalidate_written_to_constants(func, flat_arg_fake_tensors, args, kwargs)
        if func is private.batch_norm:
            written = args[3:5]
        elif isinstance(func, private.Overload):
            written = private.lists_written_to(func, args, kwargs)
        else:
            return
        for tensor in written:
            if isinstance(tensor, FakeTensor):
                self.forget_values(tensor)

    def knows(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor's values are known."""
        return not isinstance(tensor, FakeTensor) or tensor.constant is not None

    def may_turn_const(self, t: torch.Tensor) -> bool:
        """Whether the values of a real tensor that a known one was worked out to are kept."""
        if super().may_turn_const(t):
            return True
        return (
            type(t) is torch.Tensor
            and t.numel() <= KNOWN_ELEMENTS
            and t.device.type == "cpu"
            and t.layout is torch.strided
        )

    def with_values(self, real: torch.Tensor) -> FakeTensor:
        """A tensor of the mode whose values are known."""
        return self.fake_tensor_converter.from_real_tensor(self, real, make_constant=True)

    def forget_values(self, tensor: FakeTensor) -> None:
        """Let go of what is known of a tensor's values, and of those that share them."""
        if tensor.constant is not None:
            self.fake_tensor_converter.invalidate_constant_aliases(tensor.constant)

    def _takes_part(self, args: tuple[Any, ...], keywords: dict[str, Any], result: Any) -> bool:
        """Whether the device takes part in an answer.

        Where it does not, and where the host waits for it, a mark is left.
        """
        if _is_on_device(result):
            return True
        if not (_is_on_device(args) or _is_on_device(tuple(keywords.values()))):
            mark(ON_HOST)
            return False
        if isinstance(result, FakeTensor) and not _returns_at_once(args, keywords):
            mark(SYNCHRONIZE)
            self._clock.waited()
        return True


def _returns_at_once(args: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    """Whether a copy to the host is not waited for: ``non_blocking`` is the only flag of both."""
    return any(each is True for each in (*args, keywords.get("non_blocking")))


def _is_on_device(value: Any) -> bool:
    """Whether a tensor, or one of several, is on a device rather than on the host."""
    if isinstance(value, FakeTensor):
        return value.fake_device.type not in ("cpu", "meta")
    if isinstance(value, (tuple, list)):
        return any(map(_is_on_device, cast("Sequence[Any]", value)))
    return False


def device_of(tensor: torch.Tensor) -> torch.device | None:
    """Where a tensor of the mode would be; None for one that is nowhere, or that is real."""
    device: torch.device | None = getattr(tensor, "fake_device", None)
    return None if device == _META else device


def is_whole(dtype: torch.dtype) -> bool:
    """Whether a type is of whole numbers or truth values."""
    return not (dtype.is_floating_point or dtype.is_complex)
