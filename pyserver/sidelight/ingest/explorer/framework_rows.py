"""What rows of the framework are, in profiles that keep their names alone.

Neuron Explorer puts the rows of torch.profiler's trace, or of JAX's, into its table of system
events without the categories that the trace has; only its catch-all column may hold them.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from sidelight.ingest.categories import UNKNOWN, meaning_of
from sidelight.ingest.user_code import FunctionPlace, function_place
from sidelight.profile.tables import Category

_SOURCE_FILE: Final = re.compile(r"\s*\[[^\[\]]*\.json(?:\.gz)?\]$")
"""What Neuron Explorer adds to names: the file they are from."""

_FILE_AND_LINE: Final = re.compile(r"(?P<path>.+?\.py)\((?P<line>[1-9]\d{0,8})\)")
_STEP: Final = re.compile(r"ProfilerStep#\d+")
_OPERATOR: Final = re.compile(
    r"[\w.]+::[\w.:]+.*"  # aten::mm, autograd::engine::evaluate_function: MmBackward0
    r"|\w+Backward\d*"
    r"|Torch-Compiled Region.*|CompiledFunction\w*|Call CompiledFxGraph.*"
    r"|PjitFunction\(.*\)",
    re.DOTALL,
)
_NOT_THE_USERS: Final = ("<built-in ", "nn.Module: ")

DRIVER_CATEGORY: Final = "privateuse1_driver"


class FrameworkRow(NamedTuple):
    """What the rows of a name are.

    Attributes:
        name: Without the file that it is from.
        category: What they count as.
        place: For functions, where they are defined; None where that is not told.
    """

    name: str
    category: Category
    place: FunctionPlace | None = None


def is_from_file(name: str) -> bool:
    """Whether a name ends with the file that its row is from."""
    return _SOURCE_FILE.search(name) is not None


def host_row(name: str, trace_category: str = "") -> FrameworkRow:
    """What a row on a thread of the host is.

    Args:
        name: As the table has it.
        trace_category: Its category in the framework's own trace, if that is known.
    """
    name = _SOURCE_FILE.sub("", name) or name
    if _STEP.fullmatch(name):
        return FrameworkRow(name, Category.STEP)
    meaning = meaning_of(trace_category)
    if meaning is not UNKNOWN and meaning.category != Category.FUNCTION:
        return FrameworkRow(name, meaning.category)
    if (place := _place(name)) is not None:
        return FrameworkRow(name, Category.FUNCTION, place)
    if name.startswith(_NOT_THE_USERS) or meaning.category == Category.FUNCTION:
        return FrameworkRow(name, Category.FUNCTION)
    is_operator = _OPERATOR.fullmatch(name) is not None
    return FrameworkRow(name, Category.OPERATOR if is_operator else Category.ANNOTATION)


def _place(name: str) -> FunctionPlace | None:
    """Of ``file(line): function``, as torch writes it, and of ``file(line)``."""
    if (place := function_place(name)) is not None:
        return place
    match = _FILE_AND_LINE.fullmatch(name)
    return FunctionPlace(match["path"], int(match["line"]), "") if match else None
