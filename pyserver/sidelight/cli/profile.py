"""``sidelight profile``: run an unchanged script under the profiler."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sidelight.cli.arguments import (
    FAILED,
    WRONG_USAGE,
    Parser,
    Verb,
    WrongUsageError,
    profile_name,
    whole_number,
)
from sidelight.cli.opened import open_stored, show_opened
from sidelight.cli.output import Output
from sidelight.cli.planned import show_plan
from sidelight.cli.pricing_options import add_pricing_arguments, pricing_request
from sidelight.cli.printable import printable
from sidelight.cli.progress_lines import ProgressLines
from sidelight.hardware.chips import DEFAULT_CHIP
from sidelight.profile.manifest import STAND_IN_TARGETS
from sidelight.profile.store import Store

if TYPE_CHECKING:
    from sidelight.jobs.run_request import RunRequest
    from sidelight.jobs.stages import Stage


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    parser.usage = "sidelight profile [options] (SCRIPT | -m MODULE) [ARGS ...]"
    parser.runs_command = True
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("script", nargs="?", metavar="SCRIPT", help="the program to run, unchanged")
    what.add_argument("-m", dest="module", metavar="MODULE", help="or a module, as in `python -m`")
    parser.add_argument(
        "--target",
        choices=("auto", "neuron", "neuron-xla", "virtual", "fake", "cpu"),
        default="auto",
        help="where it runs (default: auto: neuron where there is a device, else virtual); "
        "neuron-xla lets the Neuron runtime record scripts that use torch-xla, into files of its "
        "own; virtual "
        "computes on the CPU what a script does on the device `neuron`, and fake computes nothing "
        "and takes almost no memory: what the lines would cost on the chip is predicted",
    )
    add_pricing_arguments(
        parser,
        device_help="the chip whose times are predicted (with --target virtual or fake: "
        f"{DEFAULT_CHIP})",
    )
    parser.add_argument(
        "--python",
        metavar="PATH",
        type=Path,
        help="the interpreter that runs it (that of the active virtual environment)",
    )
    parser.add_argument(
        "--warmup",
        metavar="N",
        type=whole_number(0),
        default=3,
        help="steps to leave out at the start (default: %(default)s)",
    )
    parser.add_argument(
        "--steps",
        metavar="N",
        type=whole_number(1),
        default=20,
        help="steps to record after them (default: %(default)s)",
    )
    parser.add_argument(
        "--until",
        choices=("end", "captured"),
        default="end",
        help="run the script to its end (the default), or stop it once all steps are recorded",
    )
    parser.add_argument(
        "--ranks",
        metavar="0,3",
        type=_ranks,
        help="under torchrun, record these ranks only (all)",
    )
    parser.add_argument(
        "--name", type=profile_name, help="what to call the profile (the script's own name)"
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="print the environment that would be set and the command, and run nothing",
    )
    # For programs that start this one, the editor's extension first of all.
    parser.add_argument("--progress-fd", type=whole_number(3), metavar="N", help=argparse.SUPPRESS)


def _ranks(text: str) -> frozenset[int]:
    try:
        return frozenset(whole_number(0)(rank) for rank in text.split(","))
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of ranks, such as 0,3") from None


def run(options: argparse.Namespace, output: Output) -> int:
    """Run the script, store what was recorded, and show it.

    Returns:
        0 if the script ended well and a profile is stored, or none was asked for; 1 otherwise.

    Raises:
        WrongUsageError: The options make no sense together.
        CaptureError: The script could not be run, nothing was recorded, or what was recorded
            cannot be read.
        StoreError: The profile cannot be stored.
    """
    from sidelight.jobs.capture import run_script
    from sidelight.jobs.planned_run import plan_run

    progress = ProgressLines(options.progress_fd)
    store = Store(options.store)
    request = _request(options, store, output)
    if options.dry_run:
        show_plan(plan_run(request, store), output)
        return 0

    def on_stage(stage: Stage) -> None:
        progress.write(stage)
        if stage.name == "running_on":
            output.say(f"the profile is stored: {request.profile_name} ({stage.profile})")

    result = run_script(request, store, on_stage=on_stage, is_abandoned=progress.reader_is_gone)
    if result.stored is None:
        output.error("rank_not_recorded", "This rank was not asked for with `--ranks`.")
    else:
        show_opened(open_stored(result.stored), store, output)
    if result.script_exit == WRONG_USAGE and (misplaced := _misplaced(options)):
        output.say(
            f"{', '.join(misplaced)} went to the script, as all that stands after it does. Options "
            "of sidelight profile stand before the script."
        )
    return 0 if result.script_succeeded else FAILED


def _misplaced(options: argparse.Namespace) -> list[str]:
    """What the script got that is called like an option of this verb."""
    own = {f"--{name.replace('_', '-')}" for name in vars(options)}
    given = [argument.partition("=")[0] for argument in options.command_arguments]
    return [printable(argument) for argument in given if argument in own]


def _request(options: argparse.Namespace, store: Store, output: Output) -> RunRequest:
    """What is asked for.

    Raises:
        WrongUsageError: The options make no sense together.
        StoreError: There is no such calibration.
    """
    from sidelight.jobs.run_request import RUNTIME_TARGET, RunRequest

    pricing = pricing_request(options, store, always=options.target in STAND_IN_TARGETS)
    if options.target == RUNTIME_TARGET and (pricing is not None or options.until == "captured"):
        raise WrongUsageError(
            "usage",
            f"With `--target {RUNTIME_TARGET}` the Neuron runtime records, and Sidelight sees no "
            "step and no operator: leave out `--until captured` and what is about predictions.",
        )
    return RunRequest(
        script=options.script,
        module=options.module,
        arguments=options.command_arguments,
        target=options.target,
        pricing=pricing,
        python=options.python,
        warmup=options.warmup,
        steps=options.steps,
        until=options.until,
        ranks=options.ranks,
        name=options.name,
        script_output_to_stderr=output.json,
    )


VERB = Verb(
    "profile",
    "Run a PyTorch script, unchanged, and show the device time of its lines.",
    add_arguments,
    run,
    failure_status=FAILED,
)
