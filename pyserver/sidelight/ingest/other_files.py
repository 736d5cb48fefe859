"""Tells what a file is that holds no profile: people mostly took the wrong one of several."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from sidelight.ingest.byte_source import open_bytes
from sidelight.ingest.repair.findings import Findings

_LOOK_BYTES: Final = 64 << 10

_UNPACK: Final = "Unpack it and open what comes out."
_SIGNS: Final[tuple[tuple[str, str, str], ...]] = (
    (
        r'\s*\{\s*"schema"\s*:\s*".*"nodes"\s*:\s*\[',
        "is an Execution Trace of PyTorch: operators in their order, without times",
        "Open the trace that torch.profiler exported of the same run.",
    ),
    (
        r'.*"traceEvents"\s*:\s*[^\s\[]',
        'has "traceEvents" that are no list',
        "Record it again.",
    ),
    (
        r'\s*\{\s*"cells"\s*:|.*"nbformat"\s*:',
        "is a notebook",
        "Run it with torch.profiler, and open the trace that this exports.",
    ),
    (
        r"\s*<(?:!doctype html|html|\?xml)",
        "is a web page: what was downloaded is not the file itself",
        "Download it again.",
    ),
    (
        r"version https://git-lfs\.github\.com",
        "only stands for a file that Git LFS keeps elsewhere",
        "Run git lfs pull, and open it again.",
    ),
    (r"PK\x03\x04", "is a zip archive", _UNPACK),
    (r"\x1f\x8b", "is a gzip file within another", _UNPACK),
    (r"\x28\xb5\x2f\xfd", "is compressed with Zstandard", _UNPACK),
    (r"\xfd7zXZ\x00", "is compressed with xz", _UNPACK),
    (r"BZh[1-9]", "is compressed with bzip2", _UNPACK),
    (r".{257}ustar", "is a tar archive", _UNPACK),
    (
        r"\x80[\x02-\x05]",
        "is a pickle, as memory snapshots of PyTorch are: reading one would run what is in it",
        "Open the trace that torch.profiler exported of the same run.",
    ),
    (
        r"SQLite format 3\x00",
        "is a database, as Nsight Systems exports",
        "Open a trace that torch.profiler exported.",
    ),
    (r"[\s\x00]*\Z", "holds nothing but white space", "Record it again."),
    (
        r"\s*[\[{].*[\]}]\s*\Z",
        "is JSON, but no recording: it has no list of events",
        "",
    ),
    (
        r"\s*[\[{]",
        "may be JSON, but no list of events begins in it: it is no recording, or was cut off",
        "",
    ),
)
"""How a file begins, what it is then, and what to do."""

_PATTERNS: Final = tuple(
    (re.compile(sign.encode("latin-1"), re.DOTALL | re.IGNORECASE), what, advice)
    for sign, what, advice in _SIGNS
)


def what_else(path: Path) -> tuple[str, str] | None:
    """What a file is, as a part of a sentence, and what to do; None if that cannot be told.

    Args:
        path: A file that is of no format that can be opened.

    Raises:
        UnreadableInputError: As :func:`sidelight.ingest.byte_source.open_bytes`.
    """
    with open_bytes(path, findings=Findings()) as source:
        beginning = source.read(_LOOK_BYTES)
    for pattern, what, advice in _PATTERNS:
        if pattern.match(beginning):
            return what, advice
    return None
