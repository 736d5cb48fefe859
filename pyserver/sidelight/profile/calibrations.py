"""Fits of the predictor that are kept under a name, in the store's directory."""

from __future__ import annotations

import errno
import re
from typing import Annotated, Final, Literal

import msgspec

from sidelight.profile.durable import locked, plain_errors, replace_file
from sidelight.profile.errors import StoreError
from sidelight.profile.inside import read_regular
from sidelight.profile.json_files import NOT_AS_EXPECTED, encode_json
from sidelight.profile.manifest import FitError
from sidelight.profile.store import Store

_DIRECTORY: Final = "calibrations"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

_Rate = Annotated[float, msgspec.Meta(ge=1e-3, le=1e3)]
"""Wider than any fit: a file from elsewhere could hold numbers that nothing can be divided by."""

_Time = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
_Cores = Annotated[int, msgspec.Meta(ge=1, le=2)]
_AutoCast = Annotated[str, msgspec.Meta(pattern="^(all|matmult|none)$")]


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """A fit of the predictor to measured device times.

    Attributes:
        schema: Version of the stored form.
        name: What it is called.
        created: ISO 8601, UTC.
        chip: The chip it is for.
        lnc: Physical cores in its logical core.
        auto_cast: How fp32 ran.
        measured_on: The device whose times were measured.
        source: The profile that they are from.
        efficiency: Part of an engine's rate that is reached, by engine and dtype.
        kernel_start_ns: Device time of starting and ending a kernel.
        errors: How far the fit is from the measurements, by operator.
    """

    schema: Literal[1] = 1
    name: str
    created: str
    chip: str
    lnc: _Cores
    auto_cast: _AutoCast
    measured_on: str
    source: str
    efficiency: dict[str, _Rate]
    kernel_start_ns: _Time
    errors: list[FitError]


def is_calibration_name(text: str) -> bool:
    """Whether a fit can be called so: it becomes the name of a file."""
    return _NAME.fullmatch(text) is not None


def save_calibration(store: Store, calibration: Calibration) -> None:
    """Keep a fit; one of the same name is replaced.

    Raises:
        StoreError: It cannot be written.
    """
    directory = store.directory / _DIRECTORY
    with plain_errors(store.directory):
        store.prepare()
        if directory.is_symlink():  # in a store that came from elsewhere: it would lead out of it
            raise FileExistsError(errno.EEXIST, "a link is in its place", str(directory))
        directory.mkdir(exist_ok=True)
        with locked(directory):
            replace_file(directory / f"{calibration.name}.json", encode_json(calibration))


def load_calibration(store: Store, name: str) -> Calibration:
    """A kept fit.

    Raises:
        StoreError: ``no_such_calibration`` or ``calibration_damaged``.
    """
    path = store.directory / _DIRECTORY / f"{name}.json"
    try:
        if not is_calibration_name(name):
            raise FileNotFoundError(name)
        calibration = msgspec.json.decode(read_regular(path), type=Calibration)
    except FileNotFoundError as error:
        raise StoreError(
            "no_such_calibration",
            f"There is no calibration {name} in {store.directory}. Fit one to measured times with "
            f"`sidelight open TRACE --device trn2 --calibrate {name}`.",
        ) from error
    except (OSError, *NOT_AS_EXPECTED) as error:
        raise StoreError(
            "calibration_damaged", f"{path} cannot be read: {error}. Fit it again."
        ) from error
    # The file may have been renamed.
    return msgspec.structs.replace(calibration, name=name)
