"""What was repaired in an input or left out of it, counted, and how people are told."""

from __future__ import annotations

from collections import Counter
from enum import Enum

from sidelight.profile.quality import QualityNote, Severity

_AGAIN = "Copy or record it again to have them."


class Finding(Enum):
    """Something that was repaired or left out: a quality note's code, severity and message."""

    # Repaired: nothing of the recording is missing.
    ENCODING = (
        "repaired_encoding",
        "info",
        "The file is not written in plain UTF-8, or begins with a byte order mark; it was "
        "converted. Nothing is lost.",
    )
    TEXT = (
        "repaired_text",
        "info",
        "Texts hold bytes or escapes that are none: they are shown as \N{REPLACEMENT CHARACTER} or "
        "as they are written, so names may differ there. If names are wrong, record it again.",
    )
    NUMBERS = (
        "repaired_numbers",
        "info",
        "Values that are no numbers (NaN, Infinity) are read as unknown, and are in no sum. "
        "Nothing else is lost.",
    )
    COMMAS = (
        "repaired_commas",
        "info",
        "Commas with nothing after them were taken out. Nothing is lost.",
    )
    TYPES = (
        "repaired_types",
        "info",
        "Values of another type than the format's, as numbers written as text, were read for what "
        "they mean; those that mean nothing are unknown. Nothing need be done.",
    )
    PHASE = (
        "phase_assumed",
        "info",
        "Events that do not say what they are (ph) but have a start and a duration are read as "
        "complete ones. Nothing is lost.",
    )
    LONG_TEXTS = (
        "long_texts",
        "info",
        "Names longer than 16,384 characters are shown in part, and inputs of operators beyond a "
        "million are left out. Times are complete; look into the file itself for the rest.",
    )
    SEVERAL_LISTS = (
        "several_event_lists",
        "info",
        "The trace has its list of events more than once: the events of all were read. "
        "Nothing is lost.",
    )
    SEVERAL_TRACES = (
        "several_traces",
        "warning",
        "The file holds several traces one after another: the events of all were read. If one "
        "repeats another its time counts twice; then split the file and open one part.",
    )
    TRAILING = (
        "trailing_data",
        "info",
        "What follows the end of the trace was left out; no event was found in it. Nothing need be "
        "done.",
    )
    # Left out, or in doubt.
    DAMAGED_EVENTS = (
        "damaged_events",
        "warning",
        "Events that are damaged beyond reading are left out, and so is their time. " + _AGAIN,
    )
    NO_EVENTS = (
        "not_events",
        "warning",
        "Entries of the list of events that are none, or of a kind (ph) that the format does not "
        "have, are left out. If time is missing, record it again.",
    )
    CUT_OFF = (
        "cut_off",
        "warning",
        "The file ends before its events do: the recording or the copy was cut off. Every whole "
        "event was read; later ones are missing. " + _AGAIN,
    )
    DAMAGED_GZIP = (
        "damaged_gzip",
        "warning",
        "The compressed file is damaged: what was unpacked may be wrong in places, and its end may "
        "be missing. Copy or record it again.",
    )
    DAMAGED_HEADER = (
        "damaged_header",
        "warning",
        "What the trace says about itself is damaged: the time of day, the devices or the rank may "
        "be missing. Copy or record it again.",
    )
    CHANGED = (
        "changed_while_read",
        "warning",
        "The file changed while it was read, as one does that is still being written. Open it "
        "again when it is complete.",
    )

    def __init__(self, code: str, severity: Severity, message: str) -> None:
        self.code = code
        self.severity: Severity = severity
        self.message = message


_LOSSES = frozenset({Finding.DAMAGED_EVENTS, Finding.NO_EVENTS, Finding.CUT_OFF})


class Findings:
    """Counts what was repaired and left out."""

    def __init__(self) -> None:
        self._counts: Counter[Finding] = Counter()

    def add(self, finding: Finding, count: int = 1) -> None:
        """Count something that was found ``count`` times more."""
        if count:
            self._counts[finding] += count

    def once(self, finding: Finding) -> None:
        """Note something that an input is or is not, however often it is noticed."""
        self._counts[finding] = 1

    def __contains__(self, finding: Finding) -> bool:
        return self._counts[finding] > 0

    @property
    def lost_events(self) -> bool:
        """Whether there were events that are left out."""
        return not _LOSSES.isdisjoint(self._counts)

    def add_all(self, findings: Findings) -> None:
        """Count what another one has counted."""
        self._counts += findings._counts

    def notes(self) -> list[QualityNote]:
        """One entry of the data-quality report for each finding."""
        return [
            QualityNote(finding.code, finding.severity, finding.message, self._counts[finding])
            for finding in Finding
            if finding in self
        ]
