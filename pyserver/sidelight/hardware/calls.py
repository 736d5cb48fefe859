"""One call of an operator: its name and what it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Union

from .dtypes import dtype_of_code, halved
from .tensors import Tensor

Scalar = Union[int, float, bool, str, None]

Argument = Union[Tensor, tuple[Tensor, ...], list[int], Scalar]
"""A tensor, a list of tensors, a list of numbers, or one value; None where it was not recorded."""


@dataclass(frozen=True)
class OperatorCall:
    """A call of an operator.

    Attributes:
        name: Its qualified name without the overload, such as ``aten::mm``.
        arguments: What it was given, in the order of its schema.
        ranks: How many processes the program ran in, None where that is not known.
        runs_halved: Whether what the program has in fp32 runs in bf16.
    """

    name: str
    arguments: tuple[Argument, ...]
    ranks: int | None = None
    runs_halved: bool = False

    @property
    def is_in_place(self) -> bool:
        """Whether the result takes the place of the first argument."""
        operator = self.name.rpartition("::")[2]
        if operator.startswith("__"):
            return operator.startswith("__i")
        return operator.endswith("_")

    @property
    def tensors(self) -> list[Tensor]:
        """Every tensor among the arguments, those in lists included."""
        found: list[Tensor] = []
        for argument in self.arguments:
            if isinstance(argument, Tensor):
                found.append(argument)
            elif isinstance(argument, tuple):
                found.extend(argument)
        return found

    def operands(self, count: int) -> list[Tensor]:
        """The tensors among the first ``count`` arguments; what follows may be ``out=``."""
        return [each for each in self.arguments[:count] if isinstance(each, Tensor)]

    def tensor(self, index: int) -> Tensor | None:
        """The argument at ``index``, if it is a tensor."""
        argument = self._argument(index)
        return argument if isinstance(argument, Tensor) else None

    def tensor_list(self, index: int) -> Sequence[Tensor]:
        """The argument at ``index``, if it is a list of tensors, else none."""
        argument = self._argument(index)
        return argument if isinstance(argument, tuple) else ()

    def numbers(self, index: int) -> list[int] | None:
        """The argument at ``index`` as a list of whole numbers; a single one is a list of one."""
        argument = self._argument(index)
        if isinstance(argument, list):
            return argument
        number = self.number(index)
        return None if number is None else [number]

    def number(self, index: int) -> int | None:
        """The argument at ``index``, if it is one whole number."""
        argument = self._argument(index)
        return argument if isinstance(argument, int) and not isinstance(argument, bool) else None

    def fraction(self, index: int) -> float | None:
        """The argument at ``index``, if it is a number that was written with a fraction."""
        argument = self._argument(index)
        return argument if isinstance(argument, float) else None

    def fractions(self, index: int) -> list[float] | None:
        """The argument at ``index`` as a list of finite numbers with fractions, as written out."""
        text = self.text(index)
        if not (text.startswith("[") and text.endswith("]")):
            return None
        try:
            numbers = [float(word) for word in text[1:-1].split(",")]
        except ValueError:
            return None
        return numbers if all(map(isfinite, numbers)) else None

    def text(self, index: int) -> str:
        """The argument at ``index``, if it is text, else none."""
        argument = self._argument(index)
        return argument if isinstance(argument, str) else ""

    def flag(self, index: int) -> bool:
        """Whether the argument at ``index`` is true."""
        return self._argument(index) is True

    def flags(self, index: int) -> list[bool] | None:
        """The argument at ``index`` as a list of truth values, as the profiler writes it out."""
        text = self.text(index)
        if not (text.startswith("[") and text.endswith("]")):
            return None
        words = [word.strip() for word in text[1:-1].split(",")]
        return [word == "True" for word in words] if set(words) <= {"True", "False"} else None

    def dtype(self, index: int) -> str | None:
        """The dtype that the argument at ``index`` stands for, None where it names none."""
        named = dtype_of_code(self.number(index))
        return None if named is None else self.as_run(named)

    def as_run(self, dtype: str) -> str:
        """What a dtype of the program runs as."""
        return halved(dtype) if self.runs_halved else dtype

    def _argument(self, index: int) -> Argument:
        return self.arguments[index] if 0 <= index < len(self.arguments) else None
