"""Tells from its beginning what a file of Neuron's older profilers holds."""

from __future__ import annotations

import os
import re
from enum import Enum
from pathlib import Path
from typing import Any, Final

import msgspec

from sidelight.ingest.byte_source import open_bytes
from sidelight.ingest.json_members import JsonMembers
from sidelight.ingest.json_windows import ByteSource, TooLongError, TruncatedError
from sidelight.ingest.neuron_json.values import decoded, objects_of
from sidelight.ingest.repair.findings import Findings

_BEGINNING_BYTES: Final = 1 << 20
"""How much of a file is looked at. Files have their lists in any order, and the long ones that can
come first have names of their own."""

_DEVICE: Final = frozenset(
    {
        *("instruction", "dma", "semaphore_update", "active_time", "dma_throughput", "pending_dma"),
        *("instruction_usage", "dma_queues_info", "neff_node", "neff_header", "layer_summary"),
        *("nc_mem_usage", "summary_group_order", "summary_groups", "ham"),
    }
)
_SYSTEM: Final = frozenset({"trace_event", "trace_events", "mem_usage", "cpu_util"})
_BLOCK: Final = re.compile(r"[ns]_[0-9a-f]{8,64}")
SUMMARY_LISTS: Final = frozenset({"summary", "Summary"})
"""What the list is called that some writers put a summary into."""
_FIGURE: Final = re.compile(
    r"(tensor|vector|scalar|gpsimd|sync)_engine_\w+|(static_|\w+_dynamic_)?dma_\w+|hbm_\w+_bytes"
    r"|\w+_estimated_percent|hardware_flops|neuroncore_cycle_count|total_active_time\w*"
)
_FEWEST_FIGURES: Final = 2
_TEXT_BLOCK: Final = re.compile(rb"\s*[ns]_[0-9a-f]{8,64}[ \t]*\r?\n[ \t]+\S")


class Contents(Enum):
    """What a file holds."""

    DEVICE = "device profile"
    SYSTEM = "system profile"
    SUMMARY_JSON = "summary as JSON"
    SUMMARY_TEXT = "summary as text"


def contents_of(path: Path) -> Contents | None:
    """What a file holds; None if it is no file of Neuron's older profilers, or a directory.

    Raises:
        UnreadableInputError: ``not_found``, ``empty``, ``not_readable`` or ``broken_gzip``.
    """
    if os.path.isdir(path):
        return None
    with open_bytes(path, findings=Findings()) as source:
        beginning = source.read(_BEGINNING_BYTES)
    if _TEXT_BLOCK.match(beginning):
        return Contents.SUMMARY_TEXT
    return _of_object(_Bytes(beginning))


def _of_object(source: ByteSource) -> Contents | None:
    summary: Any = None
    figures = 0
    try:
        for name, text, opening in JsonMembers(source).pieces(lambda name: name in SUMMARY_LISTS):
            if opening == b"[" and name in _DEVICE:
                return Contents.DEVICE
            if opening == b"[" and name in _SYSTEM:
                return Contents.SYSTEM
            if opening == b"{" and _BLOCK.fullmatch(name):
                return Contents.SUMMARY_JSON
            if name in SUMMARY_LISTS and opening in (b"[", b"{"):
                summary = summary or decoded(text, Findings())
            elif opening not in (b"[", b"{") and _FIGURE.fullmatch(name):
                figures += 1
    except (TruncatedError, TooLongError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    figures += sum(bool(_FIGURE.fullmatch(name)) for row in objects_of(summary) for name in row)
    return Contents.SUMMARY_JSON if figures >= _FEWEST_FIGURES else None


class _Bytes:
    """Bytes to read from, once."""

    def __init__(self, contents: bytes) -> None:
        self._contents = contents

    def read(self, size: int = -1, /) -> bytes:
        """All of them, and then nothing."""
        contents, self._contents = self._contents, b""
        return contents
