"""What is to be profiled, and how."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sidelight.analysis.pricing_request import PricingRequest
from sidelight.jobs.interpreter import choose_interpreter
from sidelight.profile.errors import CaptureError

RUNTIME_TARGET: Final = "neuron-xla"
"""The target at which the Neuron runtime itself records, told to by variables of the environment,
and torch.profiler has no part."""


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """A script to profile.

    Attributes:
        script: The program; None where ``module`` is given.
        module: A module to run as ``python -m`` does.
        arguments: What follows it on the command line.
        target: ``auto``, ``neuron``, ``neuron-xla``, ``virtual``, ``fake`` or ``cpu``.
        pricing: What to predict device times for; None for nothing.
        python: The interpreter; None for the active virtual environment's, else this one.
        warmup: Steps to leave out at the start.
        steps: Steps to record after them.
        until: Whether the script runs to its end or only until all steps are recorded.
        ranks: Under a launcher, the ranks to record; None for all.
        name: What to call the profile; None for the script's own name.
        script_output_to_stderr: Keep stdout free of the script's output.
    """

    script: str | None
    module: str | None
    arguments: list[str]
    target: str
    pricing: PricingRequest | None
    python: Path | None
    warmup: int
    steps: int
    until: str
    ranks: frozenset[int] | None
    name: str | None
    script_output_to_stderr: bool

    @property
    def command(self) -> list[str]:
        """The script or module and its arguments, as Python is given them."""
        program = [self.script] if self.script is not None else ["-m", self.module or ""]
        return [*program, *self.arguments]

    @property
    def program(self) -> str:
        """The script or module, as sentences call it."""
        return self.script or f"-m {self.module}"

    @property
    def profile_name(self) -> str:
        """The name asked for, or the script's without its ending."""
        return self.name or (Path(self.script).stem if self.script else self.module) or "profile"

    def interpreter(self) -> Path:
        """The interpreter that runs it.

        Raises:
            CaptureError: There is no such script or interpreter.
        """
        if self.script is not None and not Path(self.script).exists():
            raise CaptureError(
                "script_missing", f"There is no script {self.script}. Check the path."
            )
        return choose_interpreter(self.python)

    def wants_this_rank(self) -> bool:
        """Whether this process's rank, under a launcher, is to be recorded."""
        rank = os.environ.get("RANK", "")
        return self.ranks is None or not rank.isdigit() or int(rank) in self.ranks
