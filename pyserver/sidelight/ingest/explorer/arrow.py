"""The one place that touches pyarrow, which has no types and takes a while to load."""

from __future__ import annotations

import os
from typing import Any, Final, cast

Array = Any
"""A ``pyarrow.Array``."""

_BUFFER_BYTES: Final = 1 << 20
_SMALL_BYTES: Final = 32 << 20
"""Of files up to this size pyarrow takes the columns whole. In pieces, it believes what a page says
of its own length, clears as much memory, up to 2 GiB, and reads what there is of it."""

_BATCH_BYTES: Final = 128 << 20
_FEWEST_ROWS: Final = 16
_MOST_UNPACKED: Final = 4096
"""How many times a file's size its rows may be, as far as it is believed: one that claims more
would be read row by row, for hours."""

_GROUPS_LOOKED_AT: Final = 1000


def arrow() -> Any:
    """The module ``pyarrow``."""
    import pyarrow  # pyright: ignore[reportMissingTypeStubs]

    return cast("Any", pyarrow)


def compute() -> Any:
    """The module ``pyarrow.compute``."""
    import pyarrow.compute  # pyright: ignore[reportMissingTypeStubs]

    return cast("Any", pyarrow.compute)


def open_file(source: Any) -> Any:
    """A ``pyarrow.parquet.ParquetFile`` that holds little of the file at a time.

    Args:
        source: The file, open for reading bytes. It is read in pieces, never mapped into memory: a
            file that shrinks while it is read would end the process.

    Raises:
        ArrowException, OSError: It is no whole Parquet file.
    """
    import pyarrow.parquet  # pyright: ignore[reportMissingTypeStubs]

    parquet = cast("Any", pyarrow.parquet)
    is_small = os.fstat(source.fileno()).st_size <= _SMALL_BYTES
    reading = {"buffer_size": 0 if is_small else _BUFFER_BYTES, "pre_buffer": False}
    file = parquet.ParquetFile(source, **reading)
    types = arrow().types
    texts = [
        field.name
        for field in file.schema_arrow
        if types.is_string(field.type) or types.is_binary(field.type)
    ]
    # A text that many rows have stays one: written out for each, it could fill any memory.
    return parquet.ParquetFile(source, metadata=file.metadata, read_dictionary=texts, **reading)


def batch_rows(file: Any, most_rows: int, file_bytes: int) -> int:
    """How many rows to take at a time: fewer where rows are large.

    Args:
        file: As :func:`open_file` gave it.
        most_rows: How many to take of ordinary rows.
        file_bytes: The file's size.
    """
    largest_bytes = 1.0
    for number in range(min(file.metadata.num_row_groups, _GROUPS_LOOKED_AT)):
        group = file.metadata.row_group(number)
        if group.num_rows > 0:
            group_bytes = min(group.total_byte_size, _MOST_UNPACKED * file_bytes)
            largest_bytes = max(largest_bytes, group_bytes / group.num_rows)
    return max(_FEWEST_ROWS, min(most_rows, int(_BATCH_BYTES / largest_bytes)))


def check_indexes(piece: Any) -> None:
    """Refuse rows whose texts are none of their dictionary: pyarrow does not look at what it reads.

    Args:
        piece: A ``pyarrow.RecordBatch``.

    Raises:
        ArrowException: There are such rows.
    """
    for column in piece.columns:
        if isinstance(column, arrow().DictionaryArray):
            bounds = compute().min_max(column.indices).as_py()
            if bounds["max"] is None:
                continue
            if bounds["min"] < 0 or bounds["max"] >= len(column.dictionary):
                raise arrow().ArrowInvalid("texts are not in the dictionary they should be in")


def faults() -> tuple[type[Exception], ...]:
    """What pyarrow raises over a file that is damaged, or made in a way it does not know."""
    return (
        cast("type[Exception]", arrow().ArrowException),
        OSError,
        ValueError,
        MemoryError,
        OverflowError,
    )
