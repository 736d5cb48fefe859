"""What a run would start, without starting it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sidelight.jobs.run_directory import agents_environment
from sidelight.jobs.run_request import RUNTIME_TARGET, RunRequest
from sidelight.jobs.runtime_session import RuntimeSession
from sidelight.profile.store import Store

RUN: Final = "RUN"
"""Stands in a plan's paths for the name of a directory that every run gets anew."""


@dataclass(frozen=True)
class PlannedRun:
    """What would be started.

    Attributes:
        target: As asked for.
        environment: The variables that would be set for the script, beside those there are.
        command: The interpreter and its arguments.
    """

    target: str
    environment: dict[str, str]
    command: list[str]


def plan_run(request: RunRequest, store: Store) -> PlannedRun:
    """Say what :func:`sidelight.jobs.capture.run_script` would start. Nothing is written.

    Args:
        request: What would be run.
        store: Where the profile would go.

    Raises:
        CaptureError: The script cannot be run so.
    """
    python = request.interpreter()
    environment: dict[str, str] = {}
    if request.wants_this_rank():
        if request.target == RUNTIME_TARGET:
            environment = RuntimeSession(store.new_session().with_name(RUN)).environment()
        else:
            environment = agents_environment(store.directory / "tmp" / RUN)
    return PlannedRun(request.target, environment, [str(python), *request.command])
