"""What is shown, as clients are told."""

from __future__ import annotations

from collections.abc import Sequence

from sidelight.analysis.headline import headline
from sidelight.profile import units
from sidelight.profile.stored_manifest import StoredManifest
from sidelight.server.folder import Folder, Shown
from sidelight.server.protocol import ShownProfile, ShownProfiles

# Stands for a profile whose manifest cannot be read.
_UNKNOWN = StoredManifest(name="", created="", format="", device="unknown")


def shown_profiles(folders: Sequence[Folder]) -> ShownProfiles:
    """What all folders show."""
    return ShownProfiles(
        shown=[shown_profile(folder.uri, folder.shown) for folder in folders if folder.shown]
    )


def shown_profile(folder_uri: str, shown: Shown) -> ShownProfile:
    """What a folder shows."""
    manifest = shown.manifest or _UNKNOWN
    return ShownProfile(
        folder_uri=folder_uri,
        directory=str(shown.directory),
        name=manifest.name,
        target=manifest.target,
        device=manifest.device,
        time_kind=manifest.time_kind,
        priced_for=manifest.pricing.label if manifest.pricing else None,
        steps=manifest.steps,
        rank=manifest.rank,
        world_size=manifest.world_size,
        headline=headline(manifest) if shown.manifest else "",
        device_time_text=_device_time(manifest),
        loading=shown.loading,
        problem=shown.problem,
    )


def _device_time(manifest: StoredManifest) -> str:
    if manifest.device_time_ns is None:
        return ""
    mean_ns = manifest.device_time_ns / max(manifest.steps, 1)
    return units.duration(mean_ns, predicted=manifest.time_kind != "measured")
