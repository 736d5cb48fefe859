"""What the process that reads an input does: read, attribute, price, store."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sidelight.analysis.pricing_request import PricingRequest
from sidelight.jobs.annotations import store_annotated
from sidelight.jobs.first_look import keep_first_look
from sidelight.jobs.freed_memory import give_back_freed_memory, keep_freed_memory
from sidelight.profile.calibrations import Calibration, save_calibration
from sidelight.profile.errors import UnreadableInputError
from sidelight.profile.manifest import STAND_IN_TARGETS, FitError
from sidelight.profile.quality import QualityNote
from sidelight.profile.store import Store, StoredProfile
from sidelight.profile.stored_manifest import MANIFEST_FILE

if TYPE_CHECKING:
    from sidelight.ingest.recordings import Recording
    from sidelight.profile.model import Profile

# How far each stage takes the progress: its part of the time on traces of 60 MB.
_READ, _ATTRIBUTED = 0.65, 0.9

_RANKS_BY_ORDER: Final = QualityNote(
    "ranks_by_order",
    "info",
    "Nothing in the recording says which rank it is, so that the ranks are numbered in the order "
    "of the files' names. Compare one with what you know of it before you rely on the number.",
)


@dataclass(frozen=True)
class Unread:
    """A recording that could not be read, beside others that could.

    Attributes:
        path: Where it is.
        code: As of the error.
        message: Likewise.
    """

    path: str
    code: str
    message: str


def read_recordings(
    path: str,
    store: str,
    name: str | None,
    pricing: PricingRequest | None,
    beside: str | None,
    *,
    progress: Callable[[float], None],
) -> tuple[list[str], list[Unread]]:
    """Read every recording of an input into a store; all of them arrive there at the end.

    Args:
        path: The input.
        store: The store's directory.
        name: What to call the profiles; None leaves what the reader chose.
        pricing: What to price them for.
        beside: A directory of what Neuron's own tool has made of the input.
        progress: Told the part done.

    Returns:
        The profiles' directories, and what could not be read.

    Raises:
        UnreadableInputError: No recording can be read.
    """
    keep_freed_memory()
    work = _Work(Store(store), name, pricing)
    if os.path.isfile(Path(path, MANIFEST_FILE)):
        profile = StoredProfile(Path(path)).load()
        return [str(work.store_one(profile, progress).directory)], []
    from sidelight import ingest

    recordings = ingest.recordings(Path(path), beside=Path(beside) if beside else None)
    with ExitStack() as stack:
        stored, unread = _store_all(work, recordings, progress, stack)
        progress(1.0)
        return [str(work.store.adopt(profile).directory) for profile in stored], unread


@dataclass(frozen=True)
class _Work:
    """What is done with every profile."""

    store: Store
    name: str | None
    pricing: PricingRequest | None

    def store_one(
        self, profile: Profile, progress: Callable[[float], None], into: Store | None = None
    ) -> StoredProfile:
        """Price an attributed profile, and store it."""
        is_priced = "price" in profile.events
        is_without_times = profile.manifest.target in STAND_IN_TARGETS and not is_priced
        if self.pricing is not None or is_without_times:
            _price(profile, self.pricing or PricingRequest(), self.store)
        progress(_ATTRIBUTED)
        if self.name is not None:
            profile.manifest.name = self.name
        stored = store_annotated(into or self.store, profile)
        # The profile is there by now, and whoever looks at it makes what is missing.
        with suppress(Exception):
            keep_first_look(stored, profile)
        progress(1.0)
        return stored


def _store_all(
    work: _Work,
    recordings: Sequence[Recording],
    progress: Callable[[float], None],
    stack: ExitStack,
) -> tuple[list[StoredProfile], list[Unread]]:
    """Read all recordings into a store of their own, which goes when ``stack`` is closed."""
    from sidelight.ingest.recordings import Member, are_of_one_run, ranks_of

    staging: Store | None = None
    stored: list[StoredProfile] = []
    own_names: list[str] = []
    members: list[Member] = []
    unread: list[UnreadableInputError] = []
    paths: list[Path] = []
    for index, recording in enumerate(recordings):
        told = _part_of(progress, index / len(recordings), 1 / len(recordings))
        try:
            profiles = list(recording.read(_part_of(told, 0, _READ)))
        except UnreadableInputError as error:
            unread.append(error)
            paths.append(recording.path)
            continue
        give_back_freed_memory()
        if staging is None:
            staging = stack.enter_context(work.store.staging())
        while profiles:
            profile = _attributed(profiles.pop(0))
            give_back_freed_memory()
            own_names.append(profile.manifest.name)
            profile.manifest.name = recording.name or profile.manifest.name
            stored.append(work.store_one(profile, told, staging))
            manifest = profile.manifest
            members.append(
                Member(recording.worker, manifest.rank, manifest.world_size, manifest.device)
            )
            del profile  # the next one needs the room
    if staging is None:
        raise unread[0]
    told_ranks = [member.rank for member in members]
    if are_of_one_run(members):
        ranks = ranks_of([member.worker for member in members], told_ranks)
        if ranks != told_ranks or len(set(ranks)) > 1:
            stored = _ranked(staging, stored, ranks)
    elif work.name is None:
        stored = _named(staging, stored, own_names)
    return stored, [
        Unread(str(path), error.code, error.message)
        for path, error in zip(paths, unread, strict=True)
    ]


def _attributed(profile: Profile) -> Profile:
    """The profile, attributed; one whose times are predicted comes from an exported trace."""
    from sidelight.analysis.attribution import attribute
    from sidelight.analysis.predicted_timeline import attribute_predicted

    if profile.manifest.time_kind == "measured":
        return attribute(profile)
    attribute_predicted(profile)
    return profile


def _named(
    staging: Store, stored: Sequence[StoredProfile], names: Sequence[str]
) -> list[StoredProfile]:
    """The profiles by names of their own: they only lay in one place."""
    return [
        staging.update_manifest(str(profile.directory), name=name)
        for profile, name in zip(stored, names, strict=True)
    ]


def _ranked(
    staging: Store, stored: Sequence[StoredProfile], ranks: Sequence[int | None]
) -> list[StoredProfile]:
    """The profiles of a run, by rank: each knows its own, and how many there are."""
    known = [rank for rank in ranks if rank is not None]
    sizes = [profile.manifest.world_size or 0 for profile in stored]
    world_size = max([*sizes, len(set(known))])
    changed: list[tuple[int, StoredProfile]] = []
    for profile, rank in zip(stored, ranks, strict=True):
        if rank is None:
            changed.append((len(stored), profile))
            continue
        quality = list(profile.manifest.quality)
        if profile.manifest.rank != rank:
            quality.append(_RANKS_BY_ORDER)
        changes = {"rank": rank, "world_size": world_size, "quality": quality}
        changed.append((rank, staging.update_manifest(str(profile.directory), **changes)))
    changed.sort(key=lambda pair: pair[0])
    return [profile for _, profile in changed]


def _part_of(
    progress: Callable[[float], None], done: float, share: float
) -> Callable[[float], None]:
    return lambda fraction: progress(done + share * fraction)


def _price(profile: Profile, pricing: PricingRequest, store: Store) -> None:
    from sidelight.analysis.device_time import has_device_time
    from sidelight.analysis.predicted_timeline import lay_out_predictions, without_predictions
    from sidelight.analysis.pricing import price

    if profile.manifest.time_kind == "predicted" and not len(profile.clock):
        raise UnreadableInputError(
            "cannot_price",
            f"{profile.manifest.name} was exported with predicted times, and without those that it "
            "was recorded at. Give the profile that it was exported from other prices.",
        )
    without_predictions(profile)
    fit_errors: list[FitError] = []
    if pricing.fit_as is not None:
        pricing, fit_errors = _fitted(profile, pricing, pricing.fit_as, store)
    walk = price(profile, pricing, fit_errors)
    if profile.manifest.target in STAND_IN_TARGETS and not has_device_time(profile.events):
        lay_out_predictions(profile, walk)


def _fitted(
    profile: Profile, pricing: PricingRequest, name: str, store: Store
) -> tuple[PricingRequest, list[FitError]]:
    """Fit the predictor to the profile's own device times, and keep the fit."""
    from sidelight.analysis.calibration import calibrate

    setup = pricing.setup()
    fit = calibrate(profile, setup)
    calibration = Calibration(
        name=name,
        created=datetime.now(timezone.utc).isoformat(),
        chip=setup.core.chip,
        lnc=setup.core.lnc,
        auto_cast=setup.auto_cast,
        measured_on=profile.manifest.device,
        source=profile.manifest.name,
        efficiency=dict(fit.parameters.efficiency),
        kernel_start_ns=fit.parameters.kernel_start_ns,
        errors=fit.errors,
    )
    save_calibration(store, calibration)
    fitted = replace(
        pricing,
        parameters=fit.parameters,
        calibration=name,
        measured_on=calibration.measured_on,
    )
    return fitted, fit.errors
