"""Write the TypeScript side of the protocol: ``extension/src/protocol.ts``, and of the documents
that messages carry as text: ``extension/src/documents.ts``.

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

from sidelight.analysis.roofline.change import RooflineChange
from sidelight.analysis.summary import Overview
from sidelight.analysis.tables.windows import TablePage
from sidelight.server import protocol

DOCUMENTS: tuple[type[msgspec.Struct], ...] = (Overview, RooflineChange, TablePage)
"""What messages carry as text."""

_SOURCE = Path(__file__).resolve().parent.parent / "extension" / "src"

_HEADER = """\
// Generated from pyserver/sidelight/server/protocol/ by `make protocol`. Do not edit.
// Times are whole nanoseconds unless the name says otherwise.
"""

_DOCUMENTS_HEADER = """\
// Generated from pyserver/sidelight/analysis/ by `make protocol`. Do not edit.
// What messages carry as JSON text: the keys are those of `sidelight summary --json`. Times are
// nanoseconds from the profile's start, or sums over the recorded steps.
"""

_SCALARS: dict[Any, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


def targets() -> dict[Path, str]:
    """What is to stand in each generated file."""
    return {
        _SOURCE / "protocol.ts": typescript(),
        _SOURCE / "documents.ts": documents_typescript(),
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


def documents_typescript() -> str:
    """The whole file of the documents' types."""
    structs: dict[str, type[msgspec.Struct]] = {}

    def gather(hint: Any) -> None:
        if inspect.isclass(hint) and issubclass(hint, msgspec.Struct):
            known = structs.setdefault(hint.__name__, hint)
            if known is not hint:
                raise TypeError(f"{hint} and {known} have one name")
            if hint not in visited:
                visited.add(hint)
                for inner in get_type_hints(hint).values():
                    gather(inner)
        for argument in get_args(hint):
            gather(argument)

    visited: set[type] = set()
    for document in DOCUMENTS:
        gather(document)
    return "\n".join(
        [
            _DOCUMENTS_HEADER,
            *(_interface(structs[name], is_sent_whole=True) for name in sorted(structs)),
        ]
    )


def _messages() -> list[type[protocol.Message]]:
    return [
        value
        for value in vars(protocol).values()
        if inspect.isclass(value)
        and issubclass(value, protocol.Message)
        and value is not protocol.Message
    ]


def _interface(message: type[msgspec.Struct], *, is_sent_whole: bool = False) -> str:
    """A message's type. What has a default may be left out, but never by who sends it whole."""
    summary, attributes = _documentation(message)
    lines = [f"/** {summary} */", f"export interface {message.__name__} {{"]
    hints = get_type_hints(message)
    for field in msgspec.structs.fields(message):
        if field.name in attributes:
            lines.append(f"  /** {attributes[field.name]} */")
        optional = "" if field.required or is_sent_whole else "?"
        lines.append(f"  {field.encode_name}{optional}: {_type(hints[field.name])};")
    return "\n".join([*lines, "}\n"])


def _documentation(message: type[msgspec.Struct]) -> tuple[str, dict[str, str]]:
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
    if origin is tuple:
        return f"readonly [{', '.join(_type(argument) for argument in arguments)}]"
    if origin is dict:
        _, value = arguments  # JSON's keys are texts
        return f"Readonly<Record<string, {_type(value)}>>"
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(_type(argument) for argument in arguments))
    if inspect.isclass(hint) and issubclass(hint, msgspec.Struct):
        return hint.__name__
    raise TypeError(f"no TypeScript for {hint}")


if __name__ == "__main__":
    for target, text in targets().items():
        target.write_text(text, encoding="utf-8")
        sys.stdout.write(f"wrote {target}\n")
