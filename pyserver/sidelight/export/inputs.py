"""An operator's inputs, as arguments of its event."""

from __future__ import annotations

import msgspec

from sidelight.profile.exported_trace import SIGNATURE_KEYS
from sidelight.profile.json_files import NOT_AS_EXPECTED


def inputs_of(signature: str) -> dict[str, str]:
    """The inputs in a signature, by torch's names of them, as JSON; none of what is no signature.

    Args:
        signature: As ``events.signature`` has it.
    """
    try:
        members = msgspec.json.decode(signature, type=dict[str, msgspec.Raw])
    except NOT_AS_EXPECTED:
        return {}
    return {key: bytes(members[key]).decode() for key in SIGNATURE_KEYS if key in members}
