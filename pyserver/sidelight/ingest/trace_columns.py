"""The columns that the rows and the arrows of Chrome traces are read into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from sidelight.profile.tables import Column, Table

ROW_COLUMNS: Final[Mapping[str, type]] = {
    "phase": np.int8,  # COMPLETE, BEGIN or END
    "lane": np.int32,  # code of (pid, tid)
    "category": np.int16,  # code of cat
    "name": np.int32,  # code of name
    "start_ns": np.int64,  # since 1970
    "duration_ns": np.int64,
    "external_id": np.int64,
    "correlation_id": np.int64,
    "sequence_nr": np.int64,
    "forward_thread": np.int64,  # autograd's own number of a thread, 0 = none
    "signature": np.int32,  # code of (dims, types, concrete inputs), 0 = none
}

FLOW_COLUMNS: Final[Mapping[str, type]] = {
    "arrow": np.int64,  # the same at both ends of an arrow, and of no other
    "leaves": np.bool_,  # whether this end is at the forward operator
    "lane": np.int32,  # of the operator
    "at_ns": np.int64,  # when the operator starts, since 1970
}
"""Ends of autograd's arrows, from forward to backward operators."""


def joined(schema: Mapping[str, type], parts: Sequence[dict[str, Column]]) -> Table:
    """Parts of a table as one. They are handed over: nothing is left in them."""
    columns: dict[str, Column] = {}
    for name, dtype in schema.items():
        # A part's column goes as soon as it is copied, so that no row is held twice.
        copied = [part.pop(name) for part in parts]
        columns[name] = np.concatenate(copied) if copied else np.empty(0, dtype)
    return Table(columns)
