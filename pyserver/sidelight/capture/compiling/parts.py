"""The parts of the recording that stand on torch's compiler, which is imported by now."""

from __future__ import annotations

from pathlib import Path
from types import CodeType
from typing import Any, Callable

from ..device.clock import DeviceClock
from ..notes import Notes
from ..user_code import UserCode
from . import private, real_backends
from .backend import NAME, NeuronBackend
from .events import CompileEvents
from .graphs import Graphs
from .source_lines import Place

_OURS = Path(__file__).parents[2].as_posix() + "/"


class Parts:
    """Graphs, events, and the backend.

    Args:
        notes: Where people are told.
        user_code: Which code is the script's.
        seen: Told of each file that lines are from.
        made: Told of the code that the compiler makes of a function.
        failed: Told, within the handler, of a fault.
        clock: The clock of the device that is stood in for; None where there is a device.
    """

    def __init__(
        self,
        notes: Notes,
        user_code: UserCode,
        seen: Callable[[str], None],
        made: Callable[[CodeType], None],
        failed: Callable[[], None],
        clock: DeviceClock | None,
    ) -> None:
        is_user = user_code.is_users_file
        self._graphs = Graphs(notes, is_user, seen, failed)
        self._events = CompileEvents(notes, is_user, seen, user_code.place, failed)
        self._made = made
        self._failed = failed
        self._backends: dict[bool, NeuronBackend] = {}
        if clock is not None:
            for by_name in (True, False):
                self._backends[by_name] = NeuronBackend(
                    self._graphs, clock, returns_on_device=by_name
                )

    def install(self) -> None:
        """Be told of what is compiled from now on."""
        if self._backends:
            private.register_backend(self._backends[True], name=NAME)
        else:
            real_backends.record(self._graphs, self._failed)
        private.never_compile(_OURS)
        private.on_new_code(self._new_code)
        self._events.watch()

    def backend(self, by_name: bool) -> NeuronBackend:
        """The backend that the script asks for by its name, or the one that it gets."""
        return self._backends[by_name]

    def is_compiling(self) -> bool:
        """Whether the compiler works on the current thread."""
        return self._events.is_compiling()

    def as_json(self, number_of: Callable[[Place], int]) -> dict[str, Any]:
        """What ``capture.json`` holds of the parts.

        Args:
            number_of: The index of a place in the capture's ``frames``.
        """
        return {
            "graphs": self._graphs.as_json(number_of),
            "compile_events": self._events.as_json(number_of),
        }

    def _new_code(self, _function: CodeType, made: CodeType) -> None:
        self._made(made)
