"""What ``profile --dry-run`` prints: the environment that would be set, and the command."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from sidelight.cli.output import Output

if TYPE_CHECKING:
    from rich.console import Console

    from sidelight.jobs.planned_run import PlannedRun


def show_plan(plan: PlannedRun, output: Output) -> None:
    """Print a planned run: its document, or lines as a shell takes them."""
    from sidelight.jobs.planned_run import RUN

    if output.json:
        output.document(plan)
        return

    def render(console: Console) -> None:
        for name, value in plan.environment.items():
            console.print(f"{name}={shlex.quote(value)}", soft_wrap=True)
        console.print(shlex.join(plan.command), soft_wrap=True)

    output.show(render)
    if any(RUN in value.split("/") for value in plan.environment.values()):
        output.say(f"nothing was run; {RUN} stands for a directory that each run gets anew")
