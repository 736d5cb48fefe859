"""What track events are annotated with: names and values, as far as they mean something here."""

from __future__ import annotations

from typing import Final

from sidelight.ingest.binaries.wire import members, number, signed, text
from sidelight.ingest.perfetto.sequences import ANNOTATION_NAMES, ANNOTATION_TEXTS, Sequence

Annotations = dict[str, int | str]
"""Whole numbers and texts, by name."""

ID_NAMES: Final = ("External id", "correlation", "Sequence number")
"""Annotations that mean what arguments of these names mean in torch.profiler's traces."""

# What Neuron's system profiles call it, in the order of preference.
MODEL: Final = ("model_id", "model_name")
FLOW: Final = ("flow_id", "exec_id")
PHYSICAL_CORE: Final = ("device_core_idx", "nc_idx")
LOGICAL_CORE: Final = ("worker_gid", "lnc_idx")

EXECUTION_KEYS: Final = frozenset({*MODEL, *FLOW, *PHYSICAL_CORE, *LOGICAL_CORE})

# Fields of a DebugAnnotation.
_NAME_NUMBER, _UINT, _INT, _TEXT, _NAME, _TEXT_NUMBER = 1, 3, 4, 6, 10, 17


def annotation(message: bytes, sequence: Sequence) -> tuple[str, int | str]:
    """The name of an annotation, and its value; empty text for values of other kinds.

    Args:
        message: A ``DebugAnnotation``.
        sequence: That of its packet.

    Raises:
        WireError: It is damaged.
    """
    found = members(message)
    if _NAME in found:
        name = text(found[_NAME])
    else:
        name = sequence.text(ANNOTATION_NAMES, found.get(_NAME_NUMBER))
    if _UINT in found:
        return name, number(found[_UINT])
    if _INT in found:
        return name, signed(number(found[_INT]))
    if _TEXT_NUMBER in found:
        return name, sequence.text(ANNOTATION_TEXTS, found[_TEXT_NUMBER])
    return name, text(found.get(_TEXT))


def told(annotations: Annotations, names: tuple[str, ...]) -> str:
    """The value under the first of several names that is there, as text; empty if none is."""
    return next((str(annotations[name]) for name in names if name in annotations), "")
