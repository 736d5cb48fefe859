"""The format of a Chrome trace that torch.profiler wrote."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from sidelight.ingest.assemble import assemble
from sidelight.ingest.byte_source import Progress, open_bytes
from sidelight.ingest.chrome_trace import ChromeTraces
from sidelight.ingest.describe import describe
from sidelight.ingest.formats import Format
from sidelight.ingest.frames import SourceLines
from sidelight.ingest.json_windows import ArrayWindows, NoArrayError
from sidelight.ingest.memory_rows import add_memory, device_capacities
from sidelight.ingest.repair.findings import Findings
from sidelight.ingest.steps import set_profiler_steps
from sidelight.ingest.trace_documents import EVENTS_KEY
from sidelight.profile.model import Profile

_EVENT: Final = re.compile(rb'[^\[{}\]"]*\{.*?"ph"\s*:', re.DOTALL)
"""The beginning of the first event, after what may be damaged; a phase is what no event lacks."""

_TEXT: Final = re.compile(rb"[\t\n\r -~]{4}")
"""Damage spares the beginning; binary files, as archives that hold a trace, begin otherwise."""


def detect(path: Path) -> bool:
    """Whether a file begins like a Chrome trace: an object with events, or a bare list of them."""
    if os.path.isdir(path):
        return False
    with open_bytes(path, findings=Findings()) as source:
        try:
            array = ArrayWindows(source, EVENTS_KEY)
        except NoArrayError:
            return False
        if array.is_bare:
            return array.begins_with(_EVENT)
        return _TEXT.match(array.head) is not None


def read(path: Path, *, progress: Progress | None = None) -> Profile:
    """Read a trace.

    Args:
        path: A trace, plain or gzipped, whole or damaged.
        progress: Told the fraction read.

    Raises:
        UnreadableInputError: The file is missing, no trace, or holds no events.
    """
    traces = ChromeTraces()
    traces.add(path, progress)
    # Where the recording was written, or where its reader works, its program often is.
    source = SourceLines(directories=(str(path.parent.absolute()), os.getcwd()))
    assembled = assemble(traces, source, str(path))
    describe(assembled, traces)
    profile = assembled.profile
    add_memory(profile, traces.take_memory(), device_capacities(traces.headers))
    set_profiler_steps(profile, [assembled.extent_ns])
    profile.manifest.name = path.name.removesuffix(".gz").removesuffix(".json")
    profile.manifest.format = FORMAT.name
    profile.manifest.inputs = [str(path)]
    return profile


FORMAT: Final = Format("torch_trace", detect, read)
