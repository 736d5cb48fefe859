"""The processes and devices that tracks are of."""

from __future__ import annotations

from sidelight.profile.model import Profile


class Processes:
    """A profile's tracks by the process or device that they are of.

    Args:
        profile: The profile.

    Attributes:
        names: What each process or device is called.
        of_track: The number of each track's, from 1.
    """

    def __init__(self, profile: Profile) -> None:
        numbers: dict[tuple[str, str], int] = {}
        self.of_track = [
            numbers.setdefault((track.kind, track.pid), len(numbers) + 1)
            for track in profile.tracks
        ]
        self.names = [_name(kind, pid) for kind, pid in numbers]


def _name(kind: str, pid: str) -> str:
    what = "process" if kind == "host" else "device"
    return f"{what} {pid}" if pid.isdecimal() else pid
