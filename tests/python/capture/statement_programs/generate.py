"""Random programs that count their own statements.

Every statement calls ``hit(line)`` with its own first line before anything else in it can happen.
Those that cannot (``try``, ``while``, ``break`` ...) follow a statement that does, and name its
line in a comment: ``#~ 12`` says that the line counts what line 12 counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable

MAX_DEPTH = 4


def _templates(text: str) -> list[str]:
    return [each.rstrip("\n") for each in text.split("\n---\n")]


# One statement each, over one line or several; {line} is its first line, {key} unique.
_PLAIN = _templates("""\
hit({line})
---
x = hit({line})
---
hit({line}); x = 1; x = 2
---
x = \\
    hit({line})
---
hit(
    {line},
    0,

    1,
)
---
x = (
    hit({line})
    and 2
    or 3
)
---
x = hit({line}) and [
    i
    for i in range(3)
    if i
]
---
x = [
    hit({line}),
    {{i: j for i in range(2) for j in range(i)}},
    sum(
        i
        for i in range(2)
    ),
]
---
assert hit({line}), (
    "message"
)
---
x = hit({line}) if (
    hit(0)
) else (
    1
)
---
fail({key}, 3) if hit({line}) else None
---
hit({line}) and fail(
    {key},
    2,
)
---
x = f"{{hit({line})}}" + str(
    f"{{1}}"
)
---
x, y = hit({line}), sorted(
    [2, 1],
    key=lambda i: (
        -i
    ),
)
---
x = 0 < hit({line}) < (
    2
) < 3
---
x = [hit({line}) and [
    i + j for i in range(2)
] for j in range(1)]
---
for _ in hit({line}) and range(2): x = 1
---
with hit({line}) and Manager(): x = 1
---
if hit({line}): x = 1
---
def inner(x=hit({line})):
    return x
---
class Inner(hit({line}) and object):
    x = hit({next_line})
""")

_IN_GENERATORS = _templates("""\
x = hit({line}) and (yield 1)
---
yield (
    hit({line}),
    2,
)
---
x = hit({line}) and (yield from range(
    2
))
""")

_IN_COROUTINES = _templates("""\
await Numbers(hit({line}))
---
x = hit({line}) and [
    await Numbers(0),
    await Numbers(0),
]
---
x = hit({line}) and [
    i
    async for i in Numbers(2)
]
""")

_ENDS_BLOCK = _templates("""\
return hit({line})
---
return hit(
    {line}
)
---
raise ValueError(hit({line}))
""")


def random_program(seed: int) -> str:
    """Write a program; the same for the same seed."""
    return _Writer(random.Random(seed)).program()


class _Writer:
    def __init__(self, choices: random.Random) -> None:
        self._choices = choices
        self._lines: list[str] = []
        self._keys = 0
        self._kind = "function"

    def program(self) -> str:
        for name, kind in (("f", "function"), ("g", "generator"), ("h", "coroutine")):
            self._kind = kind
            prefix = "async " if kind == "coroutine" else ""
            self._add(0, f"{prefix}def {name}(x=hit({{line}})):")
            self._block(1, in_loop=False)
            if kind == "generator":
                self._add(1, "yield hit({line})")
        for call in ("f()", "list(g())", "run(h())"):
            self._add(0, "for _ in hit({line}) and range(4):")
            self._add_try(1, lambda depth, call=call: self._add(depth, f"hit({{line}}) and {call}"))
        return "".join(line + "\n" for line in self._lines)

    def _add(self, depth: int, statement: str) -> int:
        """Append a statement; return its line."""
        line = len(self._lines) + 1
        self._keys += 1
        text = statement.format(line=line, next_line=line + 1, key=self._keys)
        self._lines += ["    " * depth + each for each in text.split("\n")]
        return line

    def _add_counted(self, depth: int, statement: str, since: str = "") -> None:
        """Append a statement that counts what a statement put before it counts."""
        line = self._add(depth, "hit({line})")
        self._add(depth, f"{statement}  #~ {line}{since}")

    def _add_try(self, depth: int, add_body: Callable[[int], object]) -> None:
        self._add_counted(depth, "try:")
        add_body(depth + 1)
        self._add_handler(depth)
        self._add(depth + 1, "hit({line})")

    def _add_handler(self, depth: int) -> None:
        clause = self._choices.choice(["ValueError", "ValueError as e", "(KeyError, ValueError)"])
        self._add(depth, f"except {clause}:  #~ {len(self._lines) + 2}")

    def _block(self, depth: int, *, in_loop: bool) -> None:
        for _ in range(self._choices.choice([1, 1, 2, 3])):
            self._statement(depth, in_loop)
        if self._choices.random() < 0.15:
            self._end(depth, in_loop)

    def _statement(self, depth: int, in_loop: bool) -> None:
        compound = [self._if, self._for, self._while, self._try, self._with]
        if depth <= MAX_DEPTH and self._choices.random() < 0.6:
            self._choices.choice(compound)(depth, in_loop)
            return
        statements = list(_PLAIN)
        if self._kind == "generator":
            statements += _IN_GENERATORS * 3
        if self._kind == "coroutine":
            statements += _IN_COROUTINES * 3
        self._add(depth, self._choices.choice(statements))

    def _end(self, depth: int, in_loop: bool) -> None:
        """End a block for good."""
        kind = self._choices.randrange(6)
        if in_loop and kind < 4:
            self._add_counted(depth, ("break", "continue")[kind % 2], " since 3.10")
        elif kind == 5:
            self._add_counted(depth, "return", " since 3.10")
        else:
            ends = [each for each in _ENDS_BLOCK if self._kind == "function" or "raise" in each]
            self._add(depth, self._choices.choice(ends))

    def _if(self, depth: int, in_loop: bool) -> None:
        tests = [
            "hit({line}) and again({key}, 2)",
            "(\n    hit({line})\n    and again({key}, 1)\n)",
        ]
        self._add(depth, f"if {self._choices.choice(tests)}:")
        self._block(depth + 1, in_loop=in_loop)
        while self._choices.random() < 0.3:
            self._add(depth, f"elif {self._choices.choice(tests)}:")
            self._block(depth + 1, in_loop=in_loop)
        if self._choices.random() < 0.4:
            self._else(depth, in_loop)

    def _else(self, depth: int, in_loop: bool) -> None:
        if self._choices.random() < 0.2:
            self._add(depth, "else: hit({line})")
        else:
            self._add(depth, "else:")
            self._block(depth + 1, in_loop=in_loop)

    def _for(self, depth: int, in_loop: bool) -> None:
        headers = [
            "for i in hit({line}) and range(2):",
            "for (\n    i,\n    j,\n) in hit({line}) and zip(\n    range(2),\n    range(3),\n):",
        ]
        if self._kind == "coroutine":
            headers.append("async for i in hit({line}) and Numbers(2):")
        self._add(depth, self._choices.choice(headers))
        self._block(depth + 1, in_loop=True)
        if self._choices.random() < 0.2:
            self._else(depth, in_loop)

    def _while(self, depth: int, in_loop: bool) -> None:
        self._keys += 1
        key = self._keys
        if self._choices.random() < 0.4:
            self._add_counted(depth, "while True:", " since 3.10")
            if self._choices.random() < 0.7:
                self._block(depth + 1, in_loop=True)
            self._add(depth + 1, f"if hit({{line}}) and not again({key}, 2):")
            self._add_counted(depth + 2, "break", " since 3.10")
            return
        tests = [f"again({key}, 2)", f"(n := again({key}, 3))", f"again({key}, 2) and hit(0)"]
        self._add_counted(depth, f"while {self._choices.choice(tests)}:")
        self._block(depth + 1, in_loop=True)
        if self._choices.random() < 0.2:
            self._else(depth, in_loop)

    def _try(self, depth: int, in_loop: bool) -> None:
        handles = self._choices.random() < 0.7
        self._add_counted(depth, "try:")
        self._block(depth + 1, in_loop=in_loop)
        if handles:
            self._add_handler(depth)
            self._add(depth + 1, "hit({line})")
            self._block(depth + 1, in_loop=in_loop)
            if self._choices.random() < 0.3:
                self._else(depth, in_loop)
        if not handles or self._choices.random() < 0.5:
            if self._choices.random() < 0.2:
                self._add(depth, "finally: hit({line})")
            else:
                self._add(depth, "finally:")
                self._block(depth + 1, in_loop=in_loop)

    def _with(self, depth: int, in_loop: bool) -> None:
        headers = [
            "with hit({line}) and Manager():",
            "with hit({line}) and Manager(True) as a, Manager(\n) as b:",
        ]
        if self._kind == "coroutine":
            headers.append("async with hit({line}) and Manager():")
        self._add(depth, self._choices.choice(headers))
        self._block(depth + 1, in_loop=in_loop)
