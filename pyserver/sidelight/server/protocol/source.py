"""Messages on source files: what stands beside their lines, and where they are."""

from __future__ import annotations

from sidelight.server.protocol.message import Message


class DocumentParams(Message, frozen=True):
    """An open document.

    Attributes:
        uri: The document.
    """

    uri: str


class HeatLine(Message, frozen=True):
    """A line that is drawn warmer than others.

    Attributes:
        line: 0-based, in the document as it is now.
        level: 1 (least) to 8 (most).
        share: Its part of the profile's device time, 0 to 1.
        stale: The line was changed since the profile was taken.
    """

    line: int
    level: int
    share: float
    stale: bool


class Heat(Message, frozen=True):
    """The warm lines of a document, hottest first, at most 1,000.

    Attributes:
        version: The document's version they are true for; None where the client gave none.
    """

    version: int | None
    lines: list[HeatLine]


class DocumentLineParams(Message, frozen=True):
    """A line of an open document.

    Attributes:
        uri: The document.
        line: 0-based, as it is now.
    """

    uri: str
    line: int


class LineParams(Message, frozen=True):
    """A line of the source, by the profile's own count.

    Attributes:
        file: As the profile has it.
        line: 1-based, as it was when the profile was taken.
    """

    directory: str
    file: str
    line: int


class Place(Message, frozen=True):
    """A place in the source.

    Attributes:
        file: As the profile has it, for people.
        uri: The file on this machine; None where it is not found.
        line: 1-based, as it was when the profile was taken.
        current_line: 1-based, where that line is now; None where it was removed.
        device_time_ns: Its part of the event's device time, which is divided over several lines;
            None where it is not.
        device_time_text: The same, as people read it.
    """

    file: str
    uri: str | None
    line: int
    current_line: int | None
    device_time_ns: int | None
    device_time_text: str | None


class SourceCandidates(Message, frozen=True):
    """Files of the workspace that a profile's file may be.

    Attributes:
        directory: The profile's.
        file: The profile's file, as the profile has it.
        uris: The files to look at.
    """

    directory: str
    file: str
    uris: list[str]


class SourceCandidate(Message, frozen=True):
    """A file that a profile's file may be.

    Attributes:
        same_end: How many last parts of the two paths agree.
        alike: The part of the profile's lines that it has, 0 to 1; None where the profile does not
            have the text.
    """

    uri: str
    same_end: int
    alike: float | None


class RankedSources(Message, frozen=True):
    """Those that may be it, the likeliest first."""

    candidates: list[SourceCandidate]
