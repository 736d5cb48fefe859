"""``sidelight open``: read profiles that somebody already has, or look at a stored one again."""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from sidelight.analysis.pricing_request import PricingRequest
from sidelight.cli.arguments import NOTHING_READ, Parser, Verb, path_name, profile_name
from sidelight.cli.failures import explain
from sidelight.cli.opened import OpenedProfile, open_stored, show_opened
from sidelight.cli.output import Output
from sidelight.cli.pricing_options import (
    add_pricing_arguments,
    calibration_name,
    pricing_request,
)
from sidelight.profile.store import Store, StoredProfile
from sidelight.profile.stored_manifest import MANIFEST_FILE

if TYPE_CHECKING:
    from sidelight.profile.quality import QualityNote


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        type=path_name,
        help="a file or folder of any supported format: a trace of torch.profiler (.json, "
        ".json.gz), a session's folder, Neuron's profiles, a benchmark's report; each recording in "
        "it becomes a profile of its own. Or a stored profile's directory, to see its source again",
    )
    parser.add_argument(
        "--run-explorer",
        action="store_true",
        help="let neuron-explorer, which must be installed here, first make tables of what only it "
        "can read (.ntff, .pb)",
    )
    add_pricing_arguments(
        parser,
        device_help="predict what the operators would take on this chip, beside what they took; of "
        "a stored profile, that makes another one",
    )
    parser.add_argument(
        "--calibrate",
        metavar="NAME",
        type=calibration_name,
        help="fit the prediction to the device times that the trace has, and keep the fit",
    )
    parser.add_argument(
        "--name", type=profile_name, help="what to call the profile (the trace's own name)"
    )


def run(options: argparse.Namespace, output: Output) -> int:
    """Read every PATH; one that cannot be read does not keep the others from it.

    With ``--json`` one profile gives its document; several PATHs, or one that holds several
    recordings, give
    ``{"profiles": [document, ...], "errors": [{"path", "code", "message"}, ...]}``.

    Returns:
        0 if something was read of every PATH, 3 otherwise.

    Raises:
        WrongUsageError: The chip to predict for has no such configuration.
        Exception: Whatever kept the only PATH from being read.
    """
    store = Store(options.store)
    pricing = pricing_request(options, store)
    paths: list[Path] = options.paths
    shown: list[OpenedProfile] = []
    errors: list[dict[str, str]] = []
    notes_above: list[QualityNote] = []
    is_first = True
    status = 0
    for path in paths:
        try:
            opened, unread = _read(path, options, pricing, store, output)
        except Exception as error:  # of any kind: what was read before it is still to be shown
            if len(paths) == 1:
                raise
            told = explain(error, debug=options.debug)
            unread = [{"path": str(path), "code": told.code, "message": told.message}]
            opened = []
            status = NOTHING_READ
        errors += unread
        if output.json:
            shown += opened
            continue
        is_stored = os.path.isfile(path / MANIFEST_FILE)
        for one in opened:
            sources = [] if is_stored else one.profile.manifest.inputs
            if is_first:
                is_first = False
            else:
                output.show(lambda console: console.print())
            show_opened(one, store, output, sources=sources, told=notes_above)
            notes_above += one.report.quality
        for each in unread:
            output.say(each["message"])
    if output.json and len(paths) == len(shown) == 1 and not errors:
        show_opened(shown[0], store, output)
    elif output.json:
        output.document({"profiles": [one.report for one in shown], "errors": errors})
    return status


def _read(
    path: Path,
    options: argparse.Namespace,
    pricing: PricingRequest | None,
    store: Store,
    output: Output,
) -> tuple[list[OpenedProfile], list[dict[str, str]]]:
    """The profiles that a PATH holds, and what in it could not be read."""
    if os.path.isfile(path / MANIFEST_FILE) and pricing is None:
        return [open_stored(StoredProfile(path.resolve()))], []
    from sidelight.jobs.reading import read_all_into_store

    with ExitStack() as stack:
        beside = None
        if options.run_explorer:
            from sidelight.jobs.explorer import tables_made_of

            beside = stack.enter_context(tables_made_of(path, store, on_line=output.say))
        on_progress = stack.enter_context(output.progress(f"reading {path.name}"))
        result = read_all_into_store(
            path,
            store,
            name=options.name,
            pricing=pricing,
            beside=beside,
            on_progress=on_progress,
        )
    unread = [
        {"path": each.path, "code": each.code, "message": each.message} for each in result.unread
    ]
    return [open_stored(profile) for profile in result.profiles], unread


VERB = Verb(
    "open",
    "Read traces and sessions into profiles, and show the device time of their lines.",
    add_arguments,
    run,
)
