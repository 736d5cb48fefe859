"""The one place that touches pyarrow, which has no types and takes a while to load."""

from __future__ import annotations

from typing import Any, Final, cast

Array = Any
"""A ``pyarrow.Array``."""

_IN_PIECES: Final = {"buffer_size": 1 << 20, "pre_buffer": False}
_BATCH_BYTES: Final = 128 << 20
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
    file = parquet.ParquetFile(source, **_IN_PIECES)
    types = arrow().types
    texts = [
        field.name
        for field in file.schema_arrow
        if types.is_string(field.type) or types.is_binary(field.type)
    ]
    # A text that many rows have stays one: written out for each, it could fill any memory.
    return parquet.ParquetFile(source, metadata=file.metadata, read_dictionary=texts, **_IN_PIECES)


def batch_rows(file: Any, most_rows: int) -> int:
    """How many rows to take at a time: fewer where rows are large.

    Args:
        file: As :func:`open_file` gave it.
        most_rows: How many to take of ordinary rows.
    """
    largest_bytes = 1.0
    for number in range(min(file.metadata.num_row_groups, _GROUPS_LOOKED_AT)):
        group = file.metadata.row_group(number)
        if group.num_rows > 0:
            largest_bytes = max(largest_bytes, group.total_byte_size / group.num_rows)
    return max(1, min(most_rows, int(_BATCH_BYTES / largest_bytes)))


def faults() -> tuple[type[Exception], ...]:
    """What pyarrow raises over a file that is damaged, or made in a way it does not know."""
    return (
        cast("type[Exception]", arrow().ArrowException),
        OSError,
        ValueError,
        MemoryError,
        OverflowError,
    )
