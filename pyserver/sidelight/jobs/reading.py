"""Read a trace, or what a capture left, into the store: in a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from sidelight.analysis.pricing_request import PricingRequest
from sidelight.jobs.annotations import store_annotated
from sidelight.jobs.worker import run_in_worker
from sidelight.profile.calibrations import Calibration, save_calibration
from sidelight.profile.manifest import STAND_IN_TARGETS, FitError
from sidelight.profile.store import Store, StoredProfile
from sidelight.profile.stored_manifest import MANIFEST_FILE

if TYPE_CHECKING:
    from sidelight.profile.model import Profile

# How far each stage takes the progress: its part of the time on traces of 60 MB.
_READ, _ATTRIBUTED = 0.65, 0.9


def read_into_store(
    path: Path | str,
    store: Store,
    *,
    name: str | None = None,
    pricing: PricingRequest | None = None,
    on_progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
) -> StoredProfile:
    """Read any supported input, attribute its device time to lines, and store it.

    This process stays small: neither the input nor numpy is loaded into it.

    Args:
        path: A trace, a capture's directory, or a stored profile's: that one gets new prices and
            becomes another profile.
        store: Where the profile goes.
        name: What to call it; None leaves what the reader chose.
        pricing: What to price it for; None prices only what has no other times.
        on_progress: Called with the part done, 0 to 1.
        cancel: Set it to give up; nothing is stored then.

    Raises:
        UnreadableInputError: The input is no profile, or holds no event at all.
        StoreError: It cannot be stored.
        WorkerError: Memory ran out, or the reading process died.
        CancelledError: It was cancelled.
    """
    path = Path(path)
    try:
        directory = run_in_worker(
            _read,
            str(path),
            str(store.directory),
            name,
            pricing,
            doing=f"reading {path}",
            on_progress=on_progress,
            cancel=cancel,
        )
    except BaseException:
        store.clean_up()  # what an ended worker had begun to write
        raise
    return StoredProfile(Path(directory))


def _read(
    path: str,
    store: str,
    name: str | None,
    pricing: PricingRequest | None,
    *,
    progress: Callable[[float], None],
) -> str:
    profile = _attributed(Path(path), lambda part: progress(part * _READ))
    if pricing is not None or profile.manifest.target in STAND_IN_TARGETS:
        _price(profile, pricing or PricingRequest(), Store(store))
    progress(_ATTRIBUTED)
    if name is not None:
        profile.manifest.name = name
    stored = store_annotated(Store(store), profile)
    progress(1.0)
    return str(stored.directory)


def _attributed(path: Path, progress: Callable[[float], None]) -> Profile:
    if (path / MANIFEST_FILE).is_file():
        return StoredProfile(path).load()
    from sidelight import ingest
    from sidelight.analysis.attribution import attribute

    return attribute(ingest.read(path, progress=progress))


def _price(profile: Profile, pricing: PricingRequest, store: Store) -> None:
    from sidelight.analysis.device_time import has_device_time
    from sidelight.analysis.predicted_timeline import lay_out_predictions, without_predictions
    from sidelight.analysis.pricing import price

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
