"""The table of dependencies: which instruction or transfer waited for which.

It names the rows' tables in its own way (``instruction``, ``dma_block``). A transfer is a set of
packets: what waits for it waits for the last of them, and what it waits for holds up the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np

from sidelight.ingest.explorer.collectives import OPERATIONS
from sidelight.ingest.explorer.columns import NO_TIME, Batch, Integers
from sidelight.ingest.explorer.core_rows import CoreRows
from sidelight.ingest.explorer.instructions import INSTRUCTIONS
from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.explorer.transfers import PACKETS, TRANSFERS
from sidelight.profile.quality import QualityNote

FLOWS: Final = "Flow"

_NOT_A_LETTER: Final = re.compile(r"[^a-z]")
_TABLES: Final = {
    **{table.lower(): table for table in (INSTRUCTIONS, PACKETS, TRANSFERS, OPERATIONS)},
    "dmablock": TRANSFERS,
}


def add_flows(tables: Tables, core: CoreRows) -> QualityNote:
    """Add the arrows between rows that are there.

    Args:
        tables: The profile's tables.
        core: Where the rows are.

    Returns:
        What was left out.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    batch = tables.read(FLOWS, ("in_id", "in_table", "out_id", "out_table", "dependency_type"))
    source = _rows(batch, "in", core.row_ids.last_to_end)
    target = _rows(batch, "out", core.row_ids.first_to_start)
    known = (source >= 0) & (target >= 0)
    kind = core.names.codes(batch, "dependency_type")
    core.builder.flows.add(source[known], target[known], kind[known])
    return QualityNote(
        "flows_left_out",
        "info",
        "Dependencies name rows that are not in the profile, or tables that this version does not "
        "know: they are left out. No time is concerned; make the profile's tables anew, without "
        "leaving any out, if they matter.",
        int(np.count_nonzero(~known)),
    )


def _rows(batch: Batch, end: str, find: Callable[[str, Integers], Integers]) -> Integers:
    """The rows at one end of each dependency; -1 for none."""
    ids = batch.integers(f"{end}_id", NO_TIME)
    index, texts = batch.distinct(f"{end}_table")
    found = np.full(len(batch), -1, np.int64)
    for code, text in enumerate(texts):
        table = _TABLES.get(_NOT_A_LETTER.sub("", text.lower()))
        of_table = np.flatnonzero(index == code)
        if table is not None:
            found[of_table] = find(table, ids[of_table])
    return found
