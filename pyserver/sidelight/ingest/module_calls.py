"""The calls of modules that a capture noted: rows of a recording, but no events of a profile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.row_order import row_order
from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.tables import MODULE_CALL_COLUMNS, Category, Column, Table

_CALL_PREFIX: Final = "sidelight:module:"


def tell_module_calls(
    category: npt.NDArray[np.int8], name: npt.NDArray[np.int32], names: Vocabulary[str]
) -> npt.NDArray[np.bool_]:
    """Which rows are calls of modules.

    Args:
        category: What each row is.
        name: What each is called, as a code of ``names``.
        names: The names.
    """
    is_call = np.fromiter(
        (text.startswith(_CALL_PREFIX) for text in names.values()), np.bool_, len(names)
    )
    return is_call[name] & (category == Category.OPERATOR)


def module_call_table(
    track: Column, name: Column, start_ns: Column, duration_ns: Column, names: Vocabulary[str]
) -> Table:
    """The table of the calls of modules.

    Args:
        track: The track of each.
        name: The name of its row, as a code of ``names``.
        start_ns: Its start.
        duration_ns: Its duration.
        names: The names; what people call the modules is added.
    """
    rows: Sequence[int] = np.unique(name).tolist()
    texts = names.values()
    code = np.zeros(len(texts), np.int32)
    for row_name in rows:
        code[row_name] = names.code(texts[row_name].removeprefix(_CALL_PREFIX))
    order = row_order(track, start_ns, duration_ns)
    columns = {
        "track": track,
        "name": code[name],
        "start_ns": start_ns,
        "duration_ns": duration_ns,
    }
    return Table.of(MODULE_CALL_COLUMNS, {key: value[order] for key, value in columns.items()})
