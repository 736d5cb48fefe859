"""What a page first asks of a large profile's timeline, kept: tables need not be read for it.

Cheap to import, no numpy in here.
"""

from __future__ import annotations

from typing import Final

import msgspec

from sidelight.analysis.headline import headline
from sidelight.analysis.timelines.drawn_types import TimelineOverview, Window
from sidelight.analysis.timelines.stretches import finest_level, stretch
from sidelight.profile.stored_manifest import StoredManifest

KEPT_FROM_EVENTS: Final = 200_000
"""Of a profile that has fewer, the index is made before anybody waits for it."""

NARROWEST_PX: Final = 300
"""In how many pixels, at least, a whole timeline is drawn from what is kept."""


class KeptWindow(msgspec.Struct, frozen=True):
    """A window of the whole timeline.

    Attributes:
        level: Events shorter than 2^level ns are merged.
    """

    level: int
    window: Window


class KeptTimeline(msgspec.Struct, frozen=True):
    """An overview, and windows of the whole timeline, the finest first.

    The finest is as fine as a window of all of it can be; each other is a level coarser than the
    one before it.
    """

    overview: TimelineOverview
    windows: list[KeptWindow]

    def overview_of(self, manifest: StoredManifest) -> TimelineOverview:
        """The overview.

        Args:
            manifest: The profile's, as it is by now: it may have been renamed.
        """
        return msgspec.structs.replace(
            self.overview, name=manifest.name, headline=headline(manifest), quality=manifest.quality
        )

    def window(self, from_ns: int, to_ns: int, width: int, most: int) -> Window | None:
        """The window that an index would give; None where that is not kept.

        Args:
            from_ns: Its start.
            to_ns: Its end.
            width: In how many pixels it is drawn.
            most: How many spans are enough.
        """
        from_ns, to_ns = stretch(from_ns, to_ns)
        if from_ns > self.overview.start_ns or to_ns <= self.overview.end_ns or not self.windows:
            return None
        wanted = max(finest_level(from_ns, to_ns, width, most), self.windows[0].level)
        found = next((kept.window for kept in self.windows if kept.level == wanted), None)
        return msgspec.structs.replace(found, from_ns=from_ns, to_ns=to_ns) if found else None
