"""Which statement a place in bytecode belongs to, and whether execution enters it there.

The interpreter reports *lines*; people read *statements*. A call over several lines bounces between
them, a loop comes back to its header, ``with`` returns to its first line to leave, ``finally`` is
compiled once for each way into it. So each line event is put to its statement, and the events that
begin the statement anew are told from those that continue it.

The rule for *anew*: an event enters a statement if execution can come to that offset without having
been in the statement before. The tail of a multi-line call, the test at the bottom of a loop, the
exit of a ``with`` and a handler that cleans up after a comprehension are all reached only through
the statement itself; each copy of a ``finally`` body has a way of its own.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING

from .control_flow import control_flow
from .outline import Outline

if TYPE_CHECKING:
    from types import CodeType

PREVIOUS_MATTERS = sys.version_info < (3, 10) or sys.version_info >= (3, 14)
"""Whether `StatementMap.resolve` needs ``previous`` on this interpreter.

CPython 3.10 to 3.13 test the condition of a ``while`` in two places, on the way in and at the
bottom; the others in one, where only the way there tells a new loop from another round.
"""

_BY_LINE = Outline("")
_BEFORE_ALL = -1


class StatementMap:
    """Maps places in the code of one source file to its statements.

    Every statement shows at its first line, and a line counts its first statement. A decorated
    definition is entered at its first decorator; further decorators and the ``def`` line show the
    work done there but count nothing. The code of a lambda shows at the lambda's first line, that
    of a comprehension at the first line of the statement (or lambda) around it; neither counts.

    Source that does not parse, or does not define the code in question, is taken line by line.

    Args:
        source: The file's text, or its bytes, byte-order mark and coding cookie included.
    """

    def __init__(self, source: str | bytes) -> None:
        self._outline = Outline(source)
        # By identity: hashing a code object hashes all that is in it.
        self._codes: dict[int, _CodeStatements] = {}

    def resolve(self, code: CodeType, offset: int, previous: int | None = None) -> tuple[int, bool]:
        """Tell the statement of a line event, and whether the event enters it anew.

        Args:
            code: A code object compiled from the source.
            offset: The event's place in it: ``frame.f_lasti`` at the time.
            previous: Where the same frame was before, be it at its last line event or at the
                ``yield`` it resumed from; None at its start, or where that is not known. It decides
                about ``while`` only, and only where `PREVIOUS_MATTERS`.

        Returns:
            The 1-based line to show, and whether the event counts as an entry.
        """
        statements = self._codes.get(id(code))
        if statements is None:
            outline = self._outline if self._outline.describes(code) else _BY_LINE
            statements = self._codes[id(code)] = _CodeStatements(code, outline)
        return statements.shown_line(offset), statements.is_entry(offset, previous)

    def shown(self, line: int) -> int:
        """Tell the line at which the statement shows that a line belongs to."""
        outline = self._outline
        return outline.shown_at.get(line, outline.statement_of_line.get(line, line))


class _CodeStatements:
    """The statements of one code object."""

    def __init__(self, code: CodeType, outline: Outline) -> None:
        self._code = code
        self._outline = outline
        self._blocks = control_flow(code)
        self._offsets = [block.offset for block in self._blocks]
        self._statements = [
            None if block.line is None else outline.statement_of_line.get(block.line, block.line)
            for block in self._blocks
        ]
        self._blocks_of: defaultdict[int | None, set[int]] = defaultdict(set)
        self._predecessors: list[list[int]] = [[] for _ in self._blocks]
        self._predecessors[0].append(_BEFORE_ALL)
        for position, block in enumerate(self._blocks):
            if block.begins:
                self._blocks_of[self._statements[position]].add(position)
            for successor in block.successors:
                self._predecessors[successor].append(position)

    def shown_line(self, offset: int) -> int:
        code, outline = self._code, self._outline
        if code.co_name == "<lambda>":
            return code.co_firstlineno
        line = outline.lambda_lines.get((code.co_name, code.co_firstlineno))
        if line is None:
            block = self._block(offset)
            line = outline.shown_at.get(self._line(block), self._statement(block))
        return line

    def is_entry(self, offset: int, previous: int | None) -> bool:
        block = self._block(offset)
        statement = self._statements[block]
        return (
            statement is not None
            and self._offsets[block] == offset
            and self._blocks[block].begins
            and self._holds(statement)
            and self._can_be_come_to(block, statement)
            and not (previous is not None and self._is_another_round(statement, previous))
        )

    def _holds(self, statement: int) -> bool:
        """Tell whether a statement is this code's own, not the one that this code is part of."""
        code = self._code
        if code.co_name == "<module>":
            return True
        # Lambdas, comprehensions, type parameters; annotations that are evaluated when asked for.
        if code.co_name.startswith("<") or code.co_name == "__annotate__":
            return False
        line = code.co_firstlineno
        return statement != self._outline.statement_of_line.get(line, line)

    def _can_be_come_to(self, block: int, statement: int) -> bool:
        """Tell whether execution can come to a block of a statement without having been in it.

        Looks back from the block, as far as the statement itself. Whatever lies before all of the
        statement's code is reached without it: the compiler never puts what follows before.
        """
        own = self._blocks_of[statement]
        first = min(own)
        seen = {block}
        pending = [block]
        while pending:
            for predecessor in self._predecessors[pending.pop()]:
                if predecessor < first:
                    return True
                if predecessor not in seen and predecessor not in own:
                    seen.add(predecessor)
                    pending.append(predecessor)
        return False

    def _is_another_round(self, statement: int, previous: int) -> bool:
        """Tell whether execution comes to a ``while`` statement from the bottom of its body."""
        loop = self._outline.while_loops.get(statement)
        if loop is None:
            return False
        line = self._line(self._block(previous))
        return loop.first_line <= line <= loop.last_line and line not in loop.breaks

    def _block(self, offset: int) -> int:
        return bisect_right(self._offsets, offset) - 1

    def _line(self, block: int) -> int:
        """Return a block's line; of what the compiler made up, that of the code before it."""
        while block > 0 and self._blocks[block].line is None:
            block -= 1
        line = self._blocks[block].line
        return self._code.co_firstlineno if line is None else line

    def _statement(self, block: int) -> int:
        line = self._line(block)
        return self._outline.statement_of_line.get(line, line)
