"""A profile in memory: what every reader returns, and what is stored and analysed."""

from __future__ import annotations

from functools import cached_property

from sidelight.profile.manifest import Manifest, SourceFile, Track
from sidelight.profile.quality import QualityNote
from sidelight.profile.tables import (
    CLOCK_COLUMNS,
    EVENT_COLUMNS,
    FLOW_COLUMNS,
    FRAME_COLUMNS,
    LAUNCH_COLUMNS,
    MODULE_CALL_COLUMNS,
    ORIGIN_COLUMNS,
    PRICE_COLUMNS,
    SAMPLE_COLUMNS,
    SHARE_COLUMNS,
    STACK_COLUMNS,
    STEP_COLUMNS,
    TENSOR_COLUMNS,
    WORK_COLUMNS,
    Schema,
    Table,
)


class Profile:
    """A profile's manifest and tables (columns: :mod:`sidelight.profile.tables`).

    Its parts can be assigned. One that is not given is empty, or is read from the store when it is
    first looked at (:class:`sidelight.profile.serialization.StoredTables`).

    Args:
        manifest: What is known about it beside the tables.
        strings: As the attributes below; so are the others.
    """

    def __init__(
        self,
        manifest: Manifest,
        *,
        strings: list[str] | None = None,
        tracks: list[Track] | None = None,
        files: list[SourceFile] | None = None,
        events: Table | None = None,
        frames: Table | None = None,
        stacks: Table | None = None,
        launches: Table | None = None,
        steps: Table | None = None,
        prices: Table | None = None,
        clock: Table | None = None,
        work: Table | None = None,
        origins: Table | None = None,
        shares: Table | None = None,
        samples: Table | None = None,
        flows: Table | None = None,
        tensors: Table | None = None,
        module_calls: Table | None = None,
    ) -> None:
        self.manifest = manifest
        parts: dict[str, object] = {
            "strings": strings,
            "tracks": tracks,
            "files": files,
            "events": events,
            "frames": frames,
            "stacks": stacks,
            "launches": launches,
            "steps": steps,
            "prices": prices,
            "clock": clock,
            "work": work,
            "origins": origins,
            "shares": shares,
            "samples": samples,
            "flows": flows,
            "tensors": tensors,
            "module_calls": module_calls,
        }
        # Where a cached property keeps its value: what is here is not asked for again.
        vars(self).update({name: part for name, part in parts.items() if part is not None})

    def __repr__(self) -> str:
        return f"<Profile {self.manifest.name!r}, {self.manifest.format}>"

    @cached_property
    def strings(self) -> list[str]:
        """The string table that ``*_name`` and ``function`` columns index."""
        return self._strings()

    @cached_property
    def tracks(self) -> list[Track]:
        """The timeline's lanes, indexed by ``events.track``."""
        return self._tracks()

    @cached_property
    def files(self) -> list[SourceFile]:
        """The source files, indexed by ``frames.file``."""
        return self._files()

    @cached_property
    def events(self) -> Table:
        """Every event, sorted by track, start, and longest first."""
        return self._table("events", EVENT_COLUMNS)

    @cached_property
    def frames(self) -> Table:
        """Places in the source."""
        return self._table("frames", FRAME_COLUMNS)

    @cached_property
    def stacks(self) -> Table:
        """The calling-context tree. Attribution makes it; a reader, where there are origins."""
        return self._table("stacks", STACK_COLUMNS)

    @cached_property
    def launches(self) -> Table:
        """Backward passes by the line that started them; empty until attributed."""
        return self._table("launches", LAUNCH_COLUMNS)

    @cached_property
    def steps(self) -> Table:
        """The recorded steps, warm-up left out."""
        return self._table("steps", STEP_COLUMNS)

    @cached_property
    def prices(self) -> Table:
        """The predicted kernels; empty unless it was priced."""
        return self._table("prices", PRICE_COLUMNS)

    @cached_property
    def clock(self) -> Table:
        """What the recording's instants have become; empty unless host times are predicted."""
        return self._table("clock", CLOCK_COLUMNS)

    def note(self, note: QualityNote) -> None:
        """Add an entry to the data-quality report."""
        self.manifest.quality.append(note)

    @cached_property
    def work(self) -> Table:
        """What is known of instructions, transfers and executions beside their time."""
        return self._table("work", WORK_COLUMNS)

    @cached_property
    def origins(self) -> Table:
        """The calling contexts that the file itself names for events."""
        return self._table("origins", ORIGIN_COLUMNS)

    @cached_property
    def shares(self) -> Table:
        """How events that belong to several lines are divided; empty until attributed."""
        return self._table("shares", SHARE_COLUMNS)

    @cached_property
    def samples(self) -> Table:
        """Quantities over time, by the manifest's series."""
        return self._table("samples", SAMPLE_COLUMNS)

    @cached_property
    def flows(self) -> Table:
        """Which rows of a core waited for which."""
        return self._table("flows", FLOW_COLUMNS)

    @cached_property
    def tensors(self) -> Table:
        """The tensors of the program that was profiled."""
        return self._table("tensors", TENSOR_COLUMNS)

    @cached_property
    def module_calls(self) -> Table:
        """The calls of modules that a capture noted."""
        return self._table("module_calls", MODULE_CALL_COLUMNS)

    # Where a part that was not given comes from: here from nowhere.

    def _strings(self) -> list[str]:
        return []

    def _tracks(self) -> list[Track]:
        return []

    def _files(self) -> list[SourceFile]:
        return []

    def _table(self, name: str, columns: Schema) -> Table:
        return Table.empty(columns)
