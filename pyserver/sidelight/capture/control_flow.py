"""The ways execution can take through a code object, the same on every CPython from 3.9 on."""

from __future__ import annotations

import dis
import sys
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

_NEVER_FALLS_THROUGH = frozenset(
    {
        "INTERPRETER_EXIT",
        "JUMP_ABSOLUTE",
        "JUMP_BACKWARD",
        "JUMP_BACKWARD_NO_INTERRUPT",
        "JUMP_FORWARD",
        "RAISE_VARARGS",
        "RERAISE",
        "RETURN_CONST",
        "RETURN_VALUE",
    }
)


class Block(NamedTuple):
    """Instructions of one source line that run in a row.

    Attributes:
        offset: Of its first instruction, in bytes, as ``frame.f_lasti`` has it.
        line: Its source line; None for instructions that have none.
        begins: False for code that closes something before it and begins no statement, whatever
            line the compiler has put it on.
        successors: Indices of the blocks execution can go to next, exception handlers included.
    """

    offset: int
    line: int | None
    begins: bool
    successors: tuple[int, ...]


def control_flow(code: CodeType) -> list[Block]:
    """Cut a code object into blocks, in order of offset; execution begins in the first."""
    lines = list(_line_starts(code))
    line_offsets = [offset for offset, _ in lines]
    handlers = _handlers(code)
    instructions = list(dis.get_instructions(code))
    jumps = {
        instruction.offset: int(instruction.argval)
        for instruction in instructions
        if instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs
    }

    cuts = {0, *line_offsets, *jumps.values()}
    for start, end, handler in handlers:
        cuts.update((start, end, handler))
    cuts.update(
        following.offset
        for instruction, following in zip(instructions, instructions[1:])
        if instruction.offset in jumps or instruction.opname in _NEVER_FALLS_THROUGH
    )
    offsets = [each.offset for each in instructions if each.offset in cuts]

    def block_at(offset: int) -> int:
        return bisect_right(offsets, offset) - 1

    successors: list[list[int]] = [[] for _ in offsets]
    for offset, target in jumps.items():
        successors[block_at(offset)].append(block_at(target))
    for instruction, following in zip(instructions, instructions[1:]):
        if following.offset in cuts and instruction.opname not in _NEVER_FALLS_THROUGH:
            block = block_at(instruction.offset)
            successors[block].append(block + 1)
    for start, end, handler in handlers:
        for block in range(block_at(start), block_at(end - 1) + 1):
            successors[block].append(block_at(handler))

    closing = _closing(instructions, jumps, line_offsets)
    return [
        Block(
            offset,
            line=lines[bisect_right(line_offsets, offset) - 1][1],
            begins=offset not in closing,
            successors=tuple(targets),
        )
        for offset, targets in zip(offsets, successors)
    ]


def _line_starts(code: CodeType) -> Iterator[tuple[int, int | None]]:
    """Yield the offset at which each run of instructions of one line begins, and the line."""
    if sys.version_info >= (3, 10):
        last: int | None = -1
        for start, _, line in code.co_lines():
            if line != last:
                # Line 0 is the prologue of a module: made up.
                yield start, line or None
            last = line
    else:
        yield from dis.findlinestarts(code)


def _handlers(code: CodeType) -> list[tuple[int, int, int]]:
    """List ``(start, end, handler)`` of the exception table.

    Before 3.11 there is none: SETUP_FINALLY and its like name the handler, and count as jumps.
    """
    if sys.version_info >= (3, 11):
        entries = dis.Bytecode(code).exception_entries
        return [(entry.start, entry.end, entry.target) for entry in entries]
    return []


def _closing(
    instructions: list[dis.Instruction], jumps: dict[int, int], line_offsets: list[int]
) -> set[int]:
    """Find the offsets at which code closes a block, a loop or a function.

    Before 3.12 (and for loops and functions, before 3.10) such code is put on the last line of the
    body, and a jump past that line lands there. The one statement that can begin in the midst of a
    line's code is the ``finally`` body of a single line: the handler is its second copy.
    """
    if sys.version_info >= (3, 12):
        return set()
    opnames = [instruction.opname for instruction in instructions]
    position = {instruction.offset: place for place, instruction in enumerate(instructions)}
    finally_handlers = {
        target
        for offset, target in jumps.items()
        if opnames[position[offset]] == "SETUP_FINALLY"
        and opnames[position[target]] != "END_ASYNC_FOR"
        # Not what unbinds the name of `except ... as name`.
        and not opnames[position[target] + 2].startswith("DELETE_")
    }
    reraising = {
        instruction.offset
        for instruction, following in zip(instructions, opnames[1:])
        if instruction.opname == "RERAISE"
        or (instruction.opname == "COPY" and following == "POP_EXCEPT")
    }
    return reraising | set(jumps.values()) - finally_handlers - set(line_offsets)
