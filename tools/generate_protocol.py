"""Write the TypeScript side of the protocol: ``extension/src/protocol.ts``.

``make protocol`` runs it; ``tests/python/server/test_protocol_drift.py`` fails when it should have
been run.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from sidelight.server import protocol

TARGET = Path(__file__).resolve().parent.parent / "extension" / "src" / "protocol.ts"

_HEADER = """\
// Generated from pyserver/sidelight/server/protocol.py by `make protocol`. Do not edit.
// Times are whole nanoseconds unless the name says otherwise.
"""

_SCALARS: dict[Any, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


def typescript() -> str:
    """The whole file."""
    parts = [_HEADER]
    parts += [_interface(message) for message in _messages()]
    parts.append(_columns())
    parts.append(
        "/** What the client asks the server for, by method. */\nexport interface Requests {"
    )
    for request in protocol.REQUESTS:
        result = request.result.__name__ + (" | null" if request.optional_result else "")
        parts.append(
            f'  "{request.method}": {{ params: {request.params.__name__}; result: {result} }};'
        )
    parts.append("}\n\n/** What the server tells the client unasked, by method. */")
    parts.append("export interface Notifications {")
    for notification in protocol.NOTIFICATIONS:
        parts.append(f'  "{notification.method}": {notification.params.__name__};')
    parts.append("}\n")
    return "\n".join(parts)


def _messages() -> list[type[protocol.Message]]:
    return [
        value
        for value in vars(protocol).values()
        if inspect.isclass(value)
        and issubclass(value, protocol.Message)
        and value is not protocol.Message
    ]


def _interface(message: type[protocol.Message]) -> str:
    summary, attributes = _documentation(message)
    lines = [f"/** {summary} */", f"export interface {message.__name__} {{"]
    hints = get_type_hints(message)
    for field in msgspec.structs.fields(message):
        if field.name in attributes:
            lines.append(f"  /** {attributes[field.name]} */")
        optional = "" if field.required else "?"
        lines.append(f"  {field.encode_name}{optional}: {_type(hints[field.name])};")
    return "\n".join([*lines, "}\n"])


def _documentation(message: type[protocol.Message]) -> tuple[str, dict[str, str]]:
    """A message's first sentence, and what its docstring says of each attribute."""
    text = inspect.cleandoc(message.__doc__ or "")
    summary, _, details = text.partition("\n")
    attributes: dict[str, str] = {}
    _, _, section = details.partition("Attributes:\n")
    for entry in re.split(r"\n(?= {4}\w)", f"\n{section}"):
        name, colon, meaning = entry.partition(":")
        if colon:
            attributes[name.strip()] = _comment(meaning)
    return _comment(summary), attributes


def _comment(text: str) -> str:
    """Docstring text on one line, in TypeScript's words."""
    text = re.sub(r":\w+:`([^`]*)`", r"\1", " ".join(text.split())).replace("``", "`")
    return re.sub(r"\bNone\b", "null", text)


def _columns() -> str:
    rows = [f'  ["{name}", "{kind}"],' for name, kind in protocol.SPAN_COLUMNS]
    return "\n".join(
        [
            "/** The columns of a window's spans, in order: name and type. */",
            "export const SPAN_COLUMNS = [",
            *rows,
            "] as const;\n",
        ]
    )


def _type(hint: Any) -> str:
    if hint in _SCALARS:
        return _SCALARS[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is list:
        (item,) = arguments
        inner = _type(item)
        return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
    if origin is dict:
        _, value = arguments  # JSON's keys are texts
        return f"Readonly<Record<string, {_type(value)}>>"
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin in (Union, UnionType):
        return " | ".join(_type(argument) for argument in arguments)
    if inspect.isclass(hint) and issubclass(hint, protocol.Message):
        return hint.__name__
    raise TypeError(f"no TypeScript for {hint}")


if __name__ == "__main__":
    TARGET.write_text(typescript(), encoding="utf-8")
    sys.stdout.write(f"wrote {TARGET}\n")
