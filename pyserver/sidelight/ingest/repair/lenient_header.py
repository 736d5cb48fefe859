"""Reads what a damaged trace says about itself, as far as it can be understood."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, Final, cast

from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.repair.lenient_json import LenientJson, UnparsableError, whole_text
from sidelight.ingest.trace_events import TIME_LIMIT_NS
from sidelight.ingest.trace_header import Header

_BASE: Final = "baseTimeNanoseconds"
_KEYS: Final = (
    "deviceProperties",
    "distributedInfo",
    "host_name",
    "roctracer_version",
    "hip_runtime_version",
)


def lenient_header(envelope: str, findings: Findings) -> Header:
    """Read a trace's document, its events taken out.

    Args:
        envelope: Its text.
        findings: Told what had to be repaired or is lost.
    """
    parser = LenientJson(findings)
    try:
        document, rest = parser.mended_value(envelope.lstrip())
    except UnparsableError:
        document, rest = _members(envelope, parser), ""
        findings.once(Finding.DAMAGED_HEADER)
    if rest.strip():
        findings.add(Finding.TRAILING)
    if not isinstance(document, dict):
        return Header()
    members = cast("dict[str, Any]", document)
    base_ns = _base_ns(members.get(_BASE, 0))
    if base_ns is None:
        findings.once(Finding.DAMAGED_HEADER)
    others = {key: members[key] for key in _KEYS if key in members}
    text = json.dumps(others, ensure_ascii=False, default=float)
    return Header(base_ns or 0, **json.loads(whole_text(text)))


def _members(envelope: str, parser: LenientJson) -> dict[str, Any]:
    """What members can be read one by one, where the whole cannot."""
    members: dict[str, Any] = {}
    for key in (_BASE, *_KEYS):
        if found := re.search(rf'"{key}"\s*:\s*', envelope):
            try:
                members[key], _ = parser.value(envelope, found.end())
            except UnparsableError:
                continue
    return members


def _base_ns(value: Any) -> int | None:
    """What the times count from, since 1970; None if that is no possible time."""
    try:
        base = Decimal(value) if isinstance(value, (int, str, Decimal)) else None
    except ArithmeticError:
        return None
    if base is None or not base.is_finite() or not 0 <= base <= TIME_LIMIT_NS:
        return None
    return int(base)
