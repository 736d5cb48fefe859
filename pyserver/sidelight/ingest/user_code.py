"""Which Python functions of a trace are the user's, told from the path alone.

A trace may come from another machine, so no file is looked at. torch.profiler cuts off the longest
prefix that is in ``sys.path``: a library's path begins with its package, the standard library's
with its module.
"""

from __future__ import annotations

import re
import sys
from typing import Final, NamedTuple

_FUNCTION_NAME: Final = re.compile(
    r"(?P<path>.+?)\((?P<line>[1-9]\d{0,8})\): (?P<function>.+)", re.DOTALL
)
_INSTALLED: Final = re.compile(r"(^|/)(site-packages|dist-packages)/")
_STANDARD_LIBRARY: Final = re.compile(
    r"(^|/)lib(64)?/python\d+(\.\d+)?/(?!(site|dist)-packages/)"  # Linux and macOS
    r"|(^|/)Python\d+/Lib/",  # Windows
    re.IGNORECASE,
)
_LIBRARIES: Final = frozenset(
    {
        *("torch", "functorch", "torchgen", "triton", "numpy"),
        *("torch_neuronx", "torch_xla", "libneuronxla", "neuronxcc", "nki"),
    }
)


class FunctionPlace(NamedTuple):
    """Where a function is defined.

    Attributes:
        path: The file, as the trace has it.
        line: The 1-based line of its ``def``.
        function: Its name.
    """

    path: str
    line: int
    function: str


def function_place(row_name: str) -> FunctionPlace | None:
    """The place that a ``python_function`` row's name, ``path(LINE): function``, speaks of.

    Returns:
        None for names of another form, such as built-in functions and ``nn.Module`` rows, and for
        code without a line of its own (``<string>(0): <module>``).
    """
    match = _FUNCTION_NAME.fullmatch(row_name)
    if match is None:
        return None
    return FunctionPlace(match["path"], int(match["line"]), match["function"])


def is_user_code(path: str) -> bool:
    """Whether a file is the user's own, rather than a library's or generated code."""
    path = path.replace("\\", "/").removeprefix("./")
    if "<" in path or _INSTALLED.search(path) or _STANDARD_LIBRARY.search(path):
        return False
    top, _, below = path.partition("/")
    module = top if below else top.removesuffix(".py")
    return module not in _LIBRARIES and module not in sys.stdlib_module_names
