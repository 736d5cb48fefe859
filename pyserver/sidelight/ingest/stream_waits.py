"""Rows of a device's streams that are no work, though their category is that of work.

Most makers' profilers keep waits apart, or leave them out: CUDA's and XPU's have categories of
their own (``cuda_sync``, ``cuda_event``, ``xpu_sync``), and Kineto drops ROCm's barriers as it
reads them. MTIA's stand among its work, under the names below: one row spans the time that a stream
waits for another, the other marks the moment it waits for. Both were found in a real trace, one of
the public ones of HolisticTraceAnalysis: the rows that wait name the stream they wait on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from sidelight.ingest.vocabulary import Vocabulary
from sidelight.profile.tables import Category

_NO_WORK: Final[Mapping[str, frozenset[str]]] = {
    "mtia_ccp_events": frozenset(("event_wait", "event_record")),
}
"""The names of such rows, by their category in the trace."""


def tell_waits(
    category: npt.NDArray[np.int8],
    trace_category: npt.NDArray[np.integer[Any]],
    name: npt.NDArray[np.int32],
    trace_categories: Vocabulary[str],
    names: Vocabulary[str],
) -> npt.NDArray[np.int8]:
    """The categories with a stream's waits told apart: they are shown, and no device time.

    Args:
        category: What each row counts as by its category in the trace.
        trace_category: Code of that category.
        name: Code of the row's name.
        trace_categories: The categories in the trace, by code.
        names: The names, by code.
    """
    for code, text in enumerate(trace_categories.values()):
        waits = _NO_WORK.get(text.casefold())
        if waits is not None:
            is_wait = np.fromiter((each in waits for each in names.values()), np.bool_, len(names))
            rows = (trace_category == code) & is_wait[name]
            category = np.where(rows, np.int8(Category.OTHER), category)
    return category
