"""What a Chrome trace says about itself, beside its events."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from sidelight.ingest.trace_events import TIME_LIMIT_NS

_UnixNs = Annotated[int, msgspec.Meta(ge=0, le=TIME_LIMIT_NS)]


class Header(
    msgspec.Struct,
    rename={"base_ns": "baseTimeNanoseconds", "warnings": "WARNING", "errors": "ERROR"},
):
    """A trace's members that mean something here."""

    base_ns: _UnixNs = 0
    deviceProperties: Any = None  # noqa: N815
    distributedInfo: Any = None  # noqa: N815
    host_name: Any = None
    roctracer_version: Any = None
    hip_runtime_version: Any = None
    warnings: Any = None
    errors: Any = None


def decode_header(envelope: bytes) -> Header:
    """Read a trace's document, its events taken out; a bare list has nothing to say.

    Raises:
        msgspec.DecodeError: It is no valid document.
        UnicodeDecodeError, RecursionError: Likewise.
    """
    if envelope.lstrip().startswith(b"["):
        msgspec.json.decode(envelope)
        return Header()
    return msgspec.json.decode(envelope, type=Header)
