"""What is first asked of a large profile's timeline: kept with it, so that nobody waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from sidelight.analysis.timelines.kept import KEPT_FROM_EVENTS, KeptTimeline
from sidelight.profile.derived import read_derived, write_derived
from sidelight.profile.json_files import NOT_AS_EXPECTED
from sidelight.profile.stored_profile import StoredProfile

if TYPE_CHECKING:
    from sidelight.profile.model import Profile

KEPT_AS: Final = "timeline"
"""What it is called among a profile's derived results."""


def kept_first_look(stored: StoredProfile) -> KeptTimeline | None:
    """What is kept of a stored profile's timeline; None if it is not there whole."""
    content = read_derived(stored.directory, KEPT_AS)
    try:
        return msgspec.json.decode(content, type=KeptTimeline) if content else None
    except NOT_AS_EXPECTED:
        return None


def keep_first_look(stored: StoredProfile, profile: Profile) -> KeptTimeline | None:
    """Make and keep what is first asked of a profile's timeline, if it is large.

    Args:
        stored: The profile, as it is stored.
        profile: The same, with its tables.

    Returns:
        None for a profile whose index is made before anybody waits for it.
    """
    if len(profile.events) < KEPT_FROM_EVENTS:
        return None
    from sidelight.analysis.timelines.first_look import first_look

    kept = first_look(profile, stored.manifest)
    write_derived(stored.directory, KEPT_AS, msgspec.json.encode(kept))
    return kept
