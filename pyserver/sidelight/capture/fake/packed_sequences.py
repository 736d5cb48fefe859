"""Sequences of several lengths, packed (``pack_padded_sequence``): of lengths that are known."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily

from . import private
from .mode import ValuelessMode

_aten: Any = torch.ops.aten

_KNOWN_AS = "_sidelight_known"
"""The attribute that keeps what a real tensor is to the mode as long as it lives."""


def install(mode: ValuelessMode) -> None:
    """Have sequences be packed and padded from now on.

    Args:
        mode: The mode of the sequences' tensors.
    """

    def packed(func: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """The rows of the sequences, and how many sequences have each step.

        The latter is real, as recurrent layers read its memory, and known wherever it is used.
        """
        rows, lengths, batch_first = arguments
        if not mode.knows(lengths):
            return NotImplemented
        with unset_fake_temporarily():
            known = lengths.constant if isinstance(lengths, FakeTensor) else lengths
            index, sizes = func(torch.empty(rows.shape[:2]), known, batch_first)
        setattr(sizes, _KNOWN_AS, mode.with_values(sizes))
        with mode:
            return rows.new_empty((len(index), *rows.shape[2:])), sizes

    mode.rules[_aten._pack_padded_sequence.default] = packed
    functions: Any = private.functions
    functions._pad_packed_sequence = functools.wraps(functions._pad_packed_sequence)(_padded)


def _padded(
    rows: torch.Tensor,
    batch_sizes: torch.Tensor,
    batch_first: bool,
    padding_value: float,
    total_length: int,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Stands for ``aten::_pad_packed_sequence``, which writes lengths to memory.

    Args:
        rows: The rows of all sequences, step by step.
        batch_sizes: How many sequences have each step.
        batch_first: Whether the result's first dimension is the sequence rather than the step.
        padding_value: What follows a sequence that is shorter than others.
        total_length: How many steps the result has at least; none are added for less.

    Returns:
        The sequences with padding, and their lengths.

    Raises:
        RuntimeError: ``total_length`` is shorter than a sequence.
    """
    sizes: list[int] = list(map(int, batch_sizes))
    steps = max(total_length, len(sizes))
    if 0 < total_length < len(sizes):
        raise RuntimeError(
            f"Expected total_length to be at least the length of the longest sequence in input, "
            f"but got total_length={total_length} and max sequence length being {len(sizes)}"
        )
    padded = rows.new_full((steps, sizes[0], *rows.shape[1:]), padding_value)
    for first, last, size, begin in _runs(sizes):
        end = begin + (last - first) * size
        part = rows[begin:end].view(last - first, size, *rows.shape[1:])
        padded[first:last, :size].copy_(part)
    lengths = [sum(size > sequence for size in sizes) for sequence in range(sizes[0])]
    return padded.transpose(0, 1) if batch_first else padded, torch.tensor(lengths)


def _runs(sizes: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """First step, the one after the last, size and first row of each run of equal sizes."""
    step = row = 0
    for size, run in groupby(sizes):
        count = len(list(run))
        yield step, step + count, size, row
        step += count
        row += count * size
