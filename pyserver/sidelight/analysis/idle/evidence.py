"""What tells of a stretch's cause, in words."""

from __future__ import annotations

from sidelight.analysis.idle.causes import CAUSES
from sidelight.analysis.idle.gaps import IdleGaps
from sidelight.analysis.idle.launches import Launches
from sidelight.analysis.idle.stretches import Stretches
from sidelight.profile import units
from sidelight.profile.model import Profile
from sidelight.profile.shown_rows import shown_name
from sidelight.profile.tables import Category

_LONGEST_NAME = 80


class Evidence:
    """Words about the stretches of a profile.

    Args:
        profile: An attributed profile.
        gaps: Its gaps.
        launches: The launches of what ends them.
        stretches: Their stretches.
    """

    def __init__(
        self, profile: Profile, gaps: IdleGaps, launches: Launches, stretches: Stretches
    ) -> None:
        self._profile, self._gaps, self._stretches = profile, gaps, stretches
        self._launch, self._launched_ns = launches.row, launches.over_ns
        self._is_predicted = profile.manifest.time_kind == "predicted"

    def before(self, stretch: int) -> str:
        """The name of the work that ended the gap of a stretch."""
        return self._name(int(self._gaps.row[self._stretches.gap[stretch]]))

    def of(self, stretch: int) -> str:
        """What tells of a stretch's cause, as a sentence."""
        gap = int(self._stretches.gap[stretch])
        witness = int(self._stretches.witness[stretch])
        cause = CAUSES[int(self._stretches.cause[stretch])]
        named = f"`{self._name(witness)}`" if witness >= 0 else ""
        work = f"`{self.before(stretch)}`"
        if cause == "host_late":
            return (
                f"{work} was launched {self._lateness(gap)} after the device had run out of work."
            )
        if cause == "between_operators":
            gap_ns = int(self._gaps.duration_ns[gap])
            return f"{work} began {self._duration(gap_ns)} after the operator before it had ended."
        if cause == "synchronize":
            return (
                f"The host had waited for the device in {named} and launched {work} only then, "
                f"{self._lateness(gap)} after the device had run out of work."
            )
        if cause == "data_loader":
            return f"The host was fetching a batch in {named} before it launched {work}."
        if cause == "compilation":
            return f"The host was compiling in {named} before it launched {work}."
        if cause == "dma_wait":
            return f"{work} could not start before {named} had moved its data."
        if cause == "collective_wait":
            on = f"before {named} had ended" if named else "while a collective was under way"
            return f"{work} did not start {on}."
        return self._unknown(gap, work)

    def _unknown(self, gap: int, work: str) -> str:
        launch = int(self._launch[gap])
        if launch >= 0:
            early = self._duration(int(self._gaps.start_ns[gap] - self._launched_ns[gap]))
            return (
                f"{work} had been launched {early} before the device ran out of other work, and "
                "nothing tells what it waited for."
            )
        row = int(self._gaps.row[gap])
        if self._profile.events["category"][row] == Category.ENGINE_WORK:
            return f"Nothing tells what {work} waited for."
        return f"Nothing tells what launched {work}."

    def _lateness(self, gap: int) -> str:
        return self._duration(int(self._launched_ns[gap] - self._gaps.start_ns[gap]))

    def _duration(self, duration_ns: int) -> str:
        return units.duration(duration_ns, predicted=self._is_predicted)

    def _name(self, row: int) -> str:
        name = shown_name(self._profile.strings[int(self._profile.events["name"][row])])
        return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
