"""What torch's compiler keeps to itself and the recording of graphs stands on, in one place.

It is imported when the script has imported the compiler. A torch that keeps some of it elsewhere
fails here, and its graphs are not recorded.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_autograd: Any = import_module("torch.autograd")
_common: Any = import_module("torch._dynamo.backends.common")
_registry: Any = import_module("torch._dynamo.backends.registry")
_convert_frame: Any = import_module("torch._dynamo.convert_frame")
_symbolic_convert: Any = import_module("torch._dynamo.symbolic_convert")
_trace_rules: Any = import_module("torch._dynamo.trace_rules")
_utils: Any = import_module("torch._dynamo.utils")
_partitioners: Any = import_module("torch._functorch.partitioners")

aot_autograd: Any = _common.aot_autograd
"""Makes a backend of compilers for the forward and the backward graph."""

AotAutograd: Any = _common.AotAutograd
"""The class of such backends, whose ``kwargs`` hold the compilers."""

partition: Any = _partitioners.min_cut_rematerialization_partition
"""Splits a graph into forward and backward so that little is kept in between."""

register_backend: Any = _registry.register_backend
"""Gives a backend the name that scripts call it by."""

backends: Any = _registry._COMPILER_FNS
"""The backends by their names, as far as they were registered."""

on_new_code: Any = _convert_frame.register_bytecode_hook
"""Has a function called with the code of a user's function and what was made of it."""

compilations: list[Any] = [_convert_frame.ConvertFrame, _convert_frame.ConvertFrameAssert]
"""Called with a frame, compile it; the first leaves to Python what the second cannot compile."""

_walk: Any = _symbolic_convert.InstructionTranslatorBase

FunctionWalk: Any = _walk if hasattr(_walk, "log_graph_break") else None
"""Goes through a function's code; its ``log_graph_break`` tells where it cannot go on. An older
torch tells it in no one place."""

counters: Any = _utils.counters
"""How often the compiler did what: of ``frames``, how many in ``total``, and how many ``ok``."""

last_compilations: Any = _utils.get_compilation_metrics
"""What is known of the last compilations."""


def never_compile(directory: str) -> None:
    """Have the compiler leave to Python what is in a directory."""
    _trace_rules.SKIP_DIRS.append(directory)
    _trace_rules._recompile_re()


record_on_thread: Any = _autograd._enable_record_function
"""Has what the current thread does recorded, or not, while a profiler records."""
