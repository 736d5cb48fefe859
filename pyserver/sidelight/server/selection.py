"""Which profile of a store is shown: the newest, unless a person said otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sidelight.profile.runs import group_into_runs, lowest_rank
from sidelight.profile.stored_profile import StoredProfile


@dataclass(frozen=True)
class StoreContents:
    """What a store holds.

    Attributes:
        profiles: The profiles that can be read, newest first.
        problems: What is wrong with each of the others, by its directory, newest first.
    """

    profiles: Sequence[StoredProfile] = ()
    problems: Mapping[Path, str] = field(default_factory=dict[Path, str])

    def directories(self) -> frozenset[Path]:
        """All of them, also those that cannot be read."""
        return frozenset(self.problems).union(profile.directory for profile in self.profiles)


@dataclass(frozen=True)
class Wanted:
    """What is to be shown of a store.

    Attributes:
        candidates: The first of these that can be shown, is.
        problem: Why something newer is not among them.
    """

    candidates: Sequence[Path] = ()
    problem: str | None = None


class Selection:
    """What a person chose to see of a store; holds until a profile is written after the choice."""

    def __init__(self) -> None:
        self._known: frozenset[Path] | None = None
        self._chosen: Path | None = None

    def choose(self, directory: Path, contents: StoreContents) -> None:
        """Show this profile."""
        self._known, self._chosen = contents.directories(), directory

    def clear(self, contents: StoreContents) -> None:
        """Show none."""
        self._known, self._chosen = contents.directories(), None

    def wanted(self, contents: StoreContents) -> Wanted:
        """What is to be shown, now that the store holds ``contents``."""
        if self._known is not None and contents.directories() <= self._known:
            if self._chosen is None:
                return Wanted()
            if self._chosen in contents.directories():
                return Wanted([self._chosen], contents.problems.get(self._chosen))
        self._known = None
        return _newest(contents)


def _newest(contents: StoreContents) -> Wanted:
    """The newest run's lowest rank; should it not open, that of the run before, and so on.

    What ended before the device did anything has nothing to show beside a line: it comes last.
    """
    runs = [lowest_rank(run) for run in group_into_runs(contents.profiles)]
    runs.sort(key=lambda profile: profile.manifest.device_time_ns == 0)
    candidates = [profile.directory for profile in runs]
    newest_problem = max(contents.problems, key=lambda directory: directory.name, default=None)
    newest = max((profile.id for profile in contents.profiles), default="")
    if newest_problem is None or newest_problem.name < newest:
        return Wanted(candidates)
    return Wanted(candidates, contents.problems[newest_problem])
