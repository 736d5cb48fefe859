"""What the script runs on: chosen when it has imported torch, or refused."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Optional, Union

from . import record
from .neuron_session import Devices, find_devices
from .notes import Notes
from .own_faults import is_own_fault
from .user_code import UserCode

if TYPE_CHECKING:
    from .fake.session import FakeSession
    from .virtual.session import VirtualSession


_STAND_INS = ("fake", "virtual")

MAY_BE_STOOD_IN = (*_STAND_INS, "auto")
"""Targets on which a device that is not there may come with torch."""

_OTHER_RECORDING = "NEURON_RT_INSPECT_ENABLE"
"""The variable that has the Neuron runtime record by itself."""


class UnsupportedTargetError(Exception):
    """The script's torch is not as a target needs it."""


class Target(NamedTuple):
    """What was chosen.

    Attributes:
        name: ``cpu``, ``neuron``, ``virtual`` or ``fake``.
        device: What the recording's device times are of.
        stand_in: What stands in for a device.
    """

    name: str
    device: str
    stand_in: Optional[Union[FakeSession, VirtualSession]] = None  # noqa: UP007, UP045


def choose_target(torch: Any, request: dict[str, Any], notes: Notes, user_code: UserCode) -> Target:
    """Choose the target, and make ready what it needs.

    Args:
        torch: The imported torch package.
        request: ``target``, as asked for, and what else the agent was given.
        notes: What there is to say.
        user_code: Which code is the script's.
    """
    wanted = request["target"]
    if wanted == "cpu":
        return Target("cpu", "cpu")
    if wanted in _STAND_INS:
        try:
            return _stand_in(torch, wanted, request, notes, user_code)
        except UnsupportedTargetError as error:
            message = f"{error}; use --target cpu to profile on the CPU"
            refuse(Path(request["directory"]), f"{wanted}_unsupported", message)
    devices = find_devices(torch, insist=wanted == "neuron")
    if wanted == "neuron" and not devices.cores:
        refuse(
            Path(request["directory"]),
            "no_neuron_device",
            f"{devices.as_sentence}; use --target virtual to predict its times, or --target cpu to "
            "profile on the CPU",
        )
    if devices.cores:
        if os.environ.get(_OTHER_RECORDING) == "1":
            refuse(
                Path(request["directory"]),
                "recordings_exclude_each_other",
                f"{_OTHER_RECORDING} is set, and the Neuron runtime cannot record so while "
                "torch.profiler records; unset the variable, or use --target neuron-xla",
            )
        if wanted == "auto":
            _say_chosen(notes, "neuron", f"torch finds {devices.cores} NeuronCores on this machine")
        return Target("neuron", "neuron")
    return _without_device(torch, devices, request, notes, user_code)


def _without_device(
    torch: Any, devices: Devices, request: dict[str, Any], notes: Notes, user_code: UserCode
) -> Target:
    """What there is where nobody insists on a target and there is no device."""
    try:
        target = _stand_in(torch, "virtual", request, notes, user_code)
    except UnsupportedTargetError as error:
        _say_chosen(notes, "cpu", f"{devices.as_sentence}, and {error}")
        return Target("cpu", "cpu")
    _say_chosen(notes, "virtual", f"{devices.as_sentence}, so that device times are predicted")
    return target


def _say_chosen(notes: Notes, target: str, reason: str) -> None:
    notes.say(
        "target_chosen", "info", f"Target {target} was chosen: {reason}. --target takes another."
    )


def refuse(directory: Path, code: str, message: str) -> NoReturn:
    """Say why there is no point in running the script, and end the process."""
    record.write_failure(directory, code, message)
    _end_process()


def _end_process() -> NoReturn:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(1)


def _stand_in(
    torch: Any, target: str, request: dict[str, Any], notes: Notes, user_code: UserCode
) -> Target:
    """Let something stand in for the device from now on.

    Where that fails and torch has no part in it, the process ends: what the script would do without
    a stand-in is not what was asked for.

    Raises:
        UnsupportedTargetError: This torch has not what that stands on.
    """
    try:
        if target == "fake":
            from .fake.session import FakeSession as StandIn
        else:
            from .virtual.session import VirtualSession as StandIn
        session = StandIn(request, notes, user_code)
        session.begin()
    except Exception as error:
        if is_own_fault(error):
            record.write_fault(Path(request["directory"]))
            _end_process()
        # torch promises none of what this stands on to stay as it is.
        raise UnsupportedTargetError(
            f"torch {torch.__version__} is not as the {target} target knows it "
            f"({type(error).__name__}: {error})"
        ) from error
    return Target(target, "cpu", session)
