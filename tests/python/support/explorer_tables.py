"""Writes Neuron Explorer's Parquet tables, as its schema reference describes them.

``explorer_schema.json`` has the names and types of that reference. Nothing here is shared with
what reads such tables.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

# pyarrow has no types of its own.
pa: Any = importlib.import_module("pyarrow")
pq: Any = importlib.import_module("pyarrow.parquet")

Row = Mapping[str, Any]
ArrowType = Any
ArrowTable = Any

_SCHEMA: Final = json.loads(Path(__file__).with_name("explorer_schema.json").read_text("utf-8"))

TABLES: Final[dict[str, dict[str, str]]] = _SCHEMA["tables"]
"""The tables' columns and their types; ``?`` marks those that a row may lack."""

VERSION: Final[str] = _SCHEMA["schema_version"]

_TYPES: Final[dict[str, ArrowType]] = {
    "int64": pa.int64(),
    "int32": pa.int32(),
    "float": pa.float32(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "string": pa.string(),
    "int64[]": pa.list_(pa.int64()),
    "string[]": pa.list_(pa.string()),
}


def write_tables(
    directory: Path,
    tables: Mapping[str, Sequence[Row]],
    *,
    pieces: Mapping[str, int] | None = None,
    without: Collection[str] = (),
    renamed: Mapping[str, str] | None = None,
    retyped: Mapping[str, ArrowType] | None = None,
    added: Mapping[str, ArrowType] | None = None,
    version: str | None = VERSION,
) -> Path:
    """Write tables as Neuron Explorer stores them: one without rows is absent.

    ``Metadata`` and ``SchemaFields`` are written, too, unless they are given or left out. Columns
    are named as ``Table.column``.

    Args:
        directory: Where they go; made if it is not there.
        tables: Rows by table. What a row lacks is null.
        pieces: Tables that are split, into how many files: ``X_0.parquet`` and so on.
        without: Tables and columns that are left out.
        renamed: Other names for columns; those that rows are given by stay.
        retyped: Other types for columns.
        added: Columns that the schema lacks.
        version: What the profile says its schema is; None if it does not say.

    Returns:
        The directory.

    Raises:
        KeyError: A row has a column, or ``tables`` a table, that there is not.
    """
    directory.mkdir(parents=True, exist_ok=True)
    changed = _Changes(without, renamed or {}, retyped or {}, added or {})
    written = dict(tables)
    if version is not None:
        written.setdefault("Metadata", [{}])
        written["Metadata"] = [
            {"profile_schema_version": version, **row} for row in written["Metadata"]
        ]
    for name, rows in written.items():
        if name in without or not rows:
            continue
        _write(directory, name, changed.table(name, rows), (pieces or {}).get(name))
    if "SchemaFields" not in {*without, *written} and version is not None:
        rows = [row for name in written for row in changed.schema_fields(name)]
        _write(directory, "SchemaFields", changed.table("SchemaFields", rows), None)
    return directory


def rows_of(directory: Path, name: str) -> list[dict[str, Any]]:
    """What a table holds, plainly: all of its files, in their order."""
    pattern = re.compile(rf"{re.escape(name)}(?:_(\d+))?\.parquet")
    found = [(match, file) for file in directory.iterdir() if (match := pattern.match(file.name))]
    found.sort(key=lambda pair: int(pair[0][1] or 0))
    return [row for _, file in found for row in pq.read_table(file).to_pylist()]


class _Changes:
    """How what is written differs from the schema."""

    def __init__(
        self,
        without: Collection[str],
        renamed: Mapping[str, str],
        retyped: Mapping[str, ArrowType],
        added: Mapping[str, ArrowType],
    ) -> None:
        self._without = without
        self._renamed = renamed
        self._retyped = retyped
        self._added = added

    def table(self, name: str, rows: Sequence[Row]) -> ArrowTable:
        types = self._columns(name)
        for row in rows:
            if unknown := [column for column in row if column not in types]:
                raise KeyError(f"{name} has no column {unknown[0]}")
        kept = {
            column: kind
            for column, kind in types.items()
            if f"{name}.{column}" not in self._without
        }
        return pa.table(
            {
                self._name(name, column): pa.array([row.get(column) for row in rows], kind)
                for column, kind in kept.items()
            }
        )

    def schema_fields(self, name: str) -> list[Row]:
        return [
            {
                "table_name": name,
                "table_description": "",
                "field_name": self._name(name, column),
                "field_description": "",
                **_described(TABLES[name].get(column, "?")),
            }
            for column in self._columns(name)
            if f"{name}.{column}" not in self._without
        ]

    def _columns(self, name: str) -> dict[str, ArrowType]:
        types = {column: _TYPES[kind.removesuffix("?")] for column, kind in TABLES[name].items()}
        for column, kind in {**self._retyped, **self._added}.items():
            table, _, field = column.partition(".")
            if table == name:
                types[field] = kind
        return types

    def _name(self, table: str, column: str) -> str:
        return self._renamed.get(f"{table}.{column}", column)


def _described(kind: str) -> Row:
    """How ``SchemaFields`` describes a type: in words, and more exactly where it is a number."""
    words = {"int": "integer", "flo": "number", "dou": "number", "boo": "boolean"}
    plain = kind.removesuffix("?")
    is_list = plain.endswith("[]")
    word = "array" if is_list else words.get(plain[:3], "string")
    return {
        "field_type": word,
        "field_format": plain if word in ("integer", "number") else None,
        "field_required": not kind.endswith("?"),
    }


def _write(directory: Path, name: str, table: ArrowTable, pieces: int | None) -> None:
    if pieces is None:
        pq.write_table(table, directory / f"{name}.parquet")
        return
    size = -(-len(table) // pieces)
    for piece in range(pieces):
        part = table.slice(piece * size, size)
        pq.write_table(part, directory / f"{name}_{piece}.parquet")
