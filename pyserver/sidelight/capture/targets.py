"""What the script runs on: chosen when it has imported torch, or refused."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Optional, Union

from . import record
from .neuron_session import device_count
from .notes import Notes
from .user_code import UserCode

if TYPE_CHECKING:
    from .fake.session import FakeSession
    from .virtual.session import VirtualSession


_STAND_INS = ("fake", "virtual")


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
        return Target(wanted, "cpu", _stand_in(torch, wanted, request, notes, user_code))
    devices = device_count(torch, insist=wanted == "neuron")
    if wanted == "neuron" and not devices:
        refuse(
            Path(request["directory"]),
            "no_neuron_device",
            "torch finds no NeuronCore on this machine; use --target cpu to profile on the CPU",
        )
    chosen = "neuron" if devices else "cpu"
    if wanted == "auto":
        found = f"{devices} NeuronCores" if devices else "no NeuronCore"
        message = f"Target {chosen} was chosen: torch finds {found} on this machine."
        notes.say("target_chosen", "info", message)
    return Target(chosen, chosen)


def refuse(directory: Path, code: str, message: str) -> NoReturn:
    """Say why there is no point in running the script, and end the process."""
    record.write_json(directory / record.FAILURE_NAME, {"code": code, "message": message})
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(1)


def _stand_in(
    torch: Any, target: str, request: dict[str, Any], notes: Notes, user_code: UserCode
) -> FakeSession | VirtualSession:
    """Let something stand in for the device from now on, or do not run the script at all."""
    try:
        if target == "fake":
            from .fake.session import FakeSession as StandIn
        else:
            from .virtual.session import VirtualSession as StandIn
        session = StandIn(request, notes, user_code)
        session.begin()
    except Exception as error:
        # torch promises none of what this stands on to stay as it is.
        refuse(
            Path(request["directory"]),
            f"{target}_unsupported",
            f"torch {torch.__version__} is not as the {target} target knows it "
            f"({type(error).__name__}: {error}); use --target cpu to profile on the CPU",
        )
    return session
