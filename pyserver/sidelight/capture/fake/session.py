"""Runs a script without values: puts all the parts in place, and takes leave at the end."""

from __future__ import annotations

import threading
from typing import Any

from ..device import attention, early_stop, generators, module as neuron
from ..device.another_package import say_device_is_left
from ..device.assumption import Assumption
from ..device.holdings import Holdings
from ..device.memory import Memory
from ..device.one_device import OneDevice
from ..device.requested_clock import clock_for
from ..device.uncaught import Uncaught
from ..notes import Notes
from ..user_code import UserCode
from . import (
    child_processes,
    compiling,
    copying,
    forking,
    given_tensors,
    lazy,
    loading,
    many_tensors,
    packed_sequences,
    processes,
    shapes,
    threads,
    transformers,
)
from .attention import choice_of_attention
from .checkpoints import Checkpoints
from .conversion import Conversion
from .failures import Failures
from .known_numbers import KnownNumbers
from .largest_shapes import LargestShapes
from .mode import ValuelessMode, device_of
from .values import Values


class FakeSession:
    """Everything that target ``fake`` is made of.

    Args:
        request: ``chip`` and ``lnc`` of the core that is to be predicted for, where it says.
        notes: What there is to say.
        user_code: Which lines are the script's.

    Attributes:
        clock: The device's clock.
        holdings: Is told of the boundaries of steps.

    Raises:
        ImportError, AttributeError, TypeError: This torch keeps something elsewhere.
    """

    def __init__(self, request: dict[str, Any], notes: Notes, user_code: UserCode) -> None:
        failures = Failures(notes, user_code.running_line)
        self._memory = memory = Memory(device_of)
        self.holdings = Holdings(memory)
        self.clock = clock_for(request)
        named = OneDevice(notes).named
        self._mode = ValuelessMode(memory.made, self.clock, failures.of_operator, named)
        self._uncaught = Uncaught(notes, user_code.raising_line)
        self._thread: int | None = None
        self._assumption = Assumption(notes, neuron.DEVICE)
        Values(self._mode, failures)
        KnownNumbers(self._mode)
        LargestShapes(self._mode, failures)
        Conversion(self._mode)
        self._saved = Checkpoints(notes, user_code.running_line).files
        child_processes.install()
        compiling.install()
        early_stop.install()
        copying.install(self._mode)
        given_tensors.install()
        lazy.install(self._mode)
        loading.install(self._mode)
        many_tensors.install()
        packed_sequences.install(self._mode)
        shapes.install(self._mode)
        transformers.install(self._mode)
        threads.install(self._mode, lambda: self._thread is None)
        self._device = neuron.install(memory, self.clock, named, draws=False)
        if self._device is not None:
            generators.install()
            processes.install(failures)
        else:
            say_device_is_left(notes, neuron.DEVICE, predicts_it=True)
        attention.install(choice_of_attention)

    def begin(self) -> None:
        """Make every tensor from now on without values."""
        self._uncaught.install()
        self._mode.__enter__()
        self._thread = threading.get_ident()

    def end(self) -> None:
        """Make tensors as usual again, if this is the thread that began."""
        if self._thread == threading.get_ident():
            self._mode.__exit__(None, None, None)
            self._uncaught.remove()
            self._saved.leave()
        self._thread = None

    def forked(self) -> None:
        """In a forked child, which makes tensors as usual and is not measured."""
        self._memory.forget()
        self.end()
        if self._device is not None:
            forking.refuse(self._device)

    def as_json(self) -> dict[str, Any]:
        """What ``capture.json`` holds of the session; the notes hold what it assumes."""
        device = self._memory.compute_device().type
        self._assumption.computes_on(device)
        return {
            "memory": self.holdings.as_json(),
            "computes_on": device,
            "tensor_lists": self._mode.lists.as_json(),
        }
