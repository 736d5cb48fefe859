"""All that is recorded of ``torch.compile``.

torch's compiler is imported when the script comes to need it, and no earlier: that takes seconds.
Once it is there, the parts are put in place.
"""

from __future__ import annotations

import functools
import importlib
import sys
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, Callable

from ..notes import Notes
from ..torch_import import when_imported
from ..user_code import UserCode
from .source_lines import Place

if TYPE_CHECKING:
    from ..device.clock import DeviceClock

_COMPILER = "torch._dynamo"
_CODE_GENERATOR = "torch._inductor"
"""Each imports the other, and torch.profiler begins with this one: only when both imports are over
is the compiler whole."""


class CompileRecording:
    """What is compiled, and what the compiler could not do.

    Args:
        notes: Where people are told.
        user_code: Which code is the script's.
        seen: Told of each file that lines are from.
        made: Told of the code that the compiler makes of a function.
        failed: Told, within the handler, of a fault; the script's compiling goes on without us.
    """

    def __init__(
        self,
        notes: Notes,
        user_code: UserCode,
        seen: Callable[[str], None],
        made: Callable[[CodeType], None],
        failed: Callable[[], None],
    ) -> None:
        self._notes = notes
        self._user_code = user_code
        self._seen = seen
        self._made = made
        self._failed = failed
        self._parts: Any = None
        self._begun = False

    def install(self, clock: DeviceClock | None) -> None:
        """Record from now on.

        Args:
            clock: The clock of the device that something stands in for, and its compiler with it;
                None where there is a device.
        """
        if clock is not None:
            from . import entry

            entry.install(self._backend)
        begin = functools.partial(self._compiler_imported, clock=clock)
        for name in (_COMPILER, _CODE_GENERATOR):
            if name in sys.modules:
                begin(sys.modules[name])
            else:
                when_imported(name, begin)

    def is_compiling(self) -> bool:
        """Whether the compiler works on the current thread."""
        return self._parts is not None and self._parts.is_compiling()

    def as_json(self, number_of: Callable[[Place], int]) -> dict[str, Any]:
        """What ``capture.json`` holds of it.

        Args:
            number_of: The index of a place in the capture's ``frames``.
        """
        return {} if self._parts is None else self._parts.as_json(number_of)

    def _compiler_imported(self, module: ModuleType, *, clock: DeviceClock | None) -> None:
        """One of the compiler's two packages has been imported, maybe by the other."""
        other = {_COMPILER: _CODE_GENERATOR, _CODE_GENERATOR: _COMPILER}[module.__name__]
        if self._begun or _COMPILER not in sys.modules or _is_being_imported(other):
            return
        self._begun = True
        try:
            from .parts import Parts

            self._parts = Parts(
                self._notes, self._user_code, self._seen, self._made, self._failed, clock
            )
            self._parts.install()
        except Exception as error:
            # torch promises none of what this stands on to stay as it is.
            self._failed()
            self._notes.say(
                "compiling_unknown",
                "warning",
                "What torch.compile makes of the program is not recorded, so that it is not told "
                "apart: this torch's compiler is not as Sidelight knows it "
                f"({type(error).__name__}: {error}). Use an older torch, or a newer Sidelight.",
            )

    def _backend(self, by_name: bool) -> Any:
        """The backend that compiles for the device, or one that compiles nothing."""
        importlib.import_module(_COMPILER)
        return "eager" if self._parts is None else self._parts.backend(by_name)


def _is_being_imported(name: str) -> bool:
    spec = getattr(sys.modules.get(name), "__spec__", None)
    return bool(getattr(spec, "_initializing", False))
