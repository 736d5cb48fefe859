"""The one place that touches pyarrow, which has no types and takes a while to load."""

from __future__ import annotations

from typing import Any, cast

Array = Any
"""A ``pyarrow.Array``."""


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
    return parquet.ParquetFile(source, buffer_size=1 << 20, pre_buffer=False)


def faults() -> tuple[type[Exception], ...]:
    """What pyarrow raises over a file that is damaged, or made in a way it does not know."""
    return (
        cast("type[Exception]", arrow().ArrowException),
        OSError,
        ValueError,
        MemoryError,
        OverflowError,
    )
