"""Rows by their names, and by where they ran."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sidelight.analysis.nesting import IntColumn, Mask
from sidelight.profile.manifest import Track, TrackEngine
from sidelight.profile.model import Profile


def named_rows(profile: Profile, among: Mask, is_meant: Callable[[str], object]) -> Mask:
    """Which of some rows have a name that is meant.

    Args:
        profile: Any profile.
        among: The rows that come into question. Only their names are looked at, each once: a
            profile's strings are mostly no names of them, and there may be as many as events.
        is_meant: Whether a name is; what is true of it is enough.
    """
    used: list[int] = names_of(profile, among).tolist()
    meant = np.zeros(len(profile.strings), np.bool_)
    meant[[name for name in used if is_meant(profile.strings[name])]] = True
    found = np.array(among)
    found[among] = meant[profile.events["name"][among]]
    return found


def names_of(profile: Profile, among: Mask) -> IntColumn:
    """The names of some rows, as string ids, each once.

    Args:
        profile: Any profile.
        among: The rows.
    """
    is_used = np.zeros(len(profile.strings), np.bool_)
    is_used[profile.events["name"][among]] = True
    return np.flatnonzero(is_used)


def rows_on_host(profile: Profile) -> Mask:
    """Which rows are of the host's threads.

    Args:
        profile: Any profile.
    """
    return _on_tracks(profile, lambda track: track.kind == "host")


def rows_of_engine(profile: Profile, engine: TrackEngine) -> Mask:
    """Which rows are of an engine, whichever core's.

    Args:
        profile: Any profile.
        engine: The engine.
    """
    return _on_tracks(profile, lambda track: track.engine == engine)


def _on_tracks(profile: Profile, is_meant: Callable[[Track], bool]) -> Mask:
    tracks = np.array([is_meant(track) for track in profile.tracks], np.bool_)
    return tracks[profile.events["track"]]
