"""What a trace has no place for."""

from __future__ import annotations

from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote


def not_in_chrome_trace(profile: Profile) -> list[QualityNote]:
    """What of a profile a Chrome trace lacks, however Sidelight reads it back; a note, or none."""
    parts = {
        "the text of the source files": any(file.text is not None for file in profile.files),
        "the list of the program's tensors": len(profile.tensors) > 0,
        "the work of instructions and transfers, but as arguments to look at": (
            len(profile.work) > 0
        ),
        "arrows between events, but to look at": len(profile.flows) > 0,
        "figures of the core and of the vendor's own tool": profile.manifest.core is not None
        or bool(profile.manifest.vendor_metrics),
        "figures of a benchmark": bool(profile.manifest.kpis),
    }
    missing = [what for what, is_there in parts.items() if is_there]
    if not missing:
        return []
    names = "; ".join(missing)
    message = f"A Chrome trace does not hold: {names}. Keep the profile to have it."
    return [_note(message, len(missing))]


def not_in_perfetto_trace() -> list[QualityNote]:
    """The same of a Perfetto trace, which is read back as anybody else's."""
    return [
        _note(
            "A Perfetto trace is to look at: Sidelight finds functions in it where lines were, "
            "and not all of the profile. Export a Chrome trace to have the same lines again."
        )
    ]


def _note(message: str, count: int = 1) -> QualityNote:
    return QualityNote("not_in_trace", "info", message, count)
