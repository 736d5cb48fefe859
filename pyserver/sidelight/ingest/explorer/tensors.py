"""The table of the program's tensors."""

from __future__ import annotations

from typing import Final

import numpy as np

from sidelight.ingest.explorer.core_rows import CoreRows
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.tensors import shape_text, tensor_use

_COLUMNS: Final = (
    *("variable_name", "type", "format", "shape", "size", "pcore_idx"),
    *("load_to_sbuf_dma_count", "load_to_sbuf_total_size_bytes"),
)


def add_tensors(tables: Tables, core: CoreRows) -> None:
    """Add the tensors that have a name.

    Args:
        tables: The profile's tables.
        core: Where they go.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    for batch in tables.batches("TensorInfo", _COLUMNS):
        name = core.names.codes(batch, "variable_name")
        use, uses = batch.distinct("type")
        shape, shapes = batch.distinct("shape")
        columns = {
            "name": name,
            "use": core.names.of(use, [*map(tensor_use, uses)]),
            "shape": core.names.of(shape, [*map(shape_text, shapes)]),
            "layout": core.names.codes(batch, "format"),
            "size_bytes": np.maximum(batch.integers("size"), -1),
            "loads": np.maximum(batch.integers("load_to_sbuf_dma_count"), -1),
            "loaded_bytes": np.maximum(batch.integers("load_to_sbuf_total_size_bytes"), -1),
            "physical_core": np.maximum(batch.integers("pcore_idx"), -1),
        }
        named = np.flatnonzero(name >= 0)
        core.builder.add_tensors({key: column[named] for key, column in columns.items()})
