"""``sidelight open``: read traces that somebody already has, or look at a profile again."""

from __future__ import annotations

import argparse
from pathlib import Path

from sidelight.analysis.pricing_request import PricingRequest
from sidelight.cli.arguments import NOTHING_READ, Parser, Verb, profile_name
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


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        type=Path,
        help="a trace of torch.profiler (.json, .json.gz), each of which becomes a profile of its "
        "own; or a stored profile's directory, to see its source again",
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

    With ``--json`` one PATH gives its document; several give
    ``{"profiles": [document, ...], "errors": [{"path", "code", "message"}, ...]}``.

    Returns:
        0 if every PATH was read, 3 otherwise.

    Raises:
        WrongUsageError: The chip to predict for has no such configuration.
        Exception: Whatever kept the only PATH from being read.
    """
    store = Store(options.store)
    pricing = pricing_request(options, store)
    paths: list[Path] = options.paths
    if len(paths) == 1:
        show_opened(_read(paths[0], options.name, pricing, store, output), store, output)
        return 0
    documents: list[object] = []
    errors: list[dict[str, str]] = []
    for path in paths:
        try:
            opened = _read(path, options.name, pricing, store, output)
            if output.json:
                documents.append(opened.report)
            else:
                show_opened(opened, store, output)
        except Exception as error:  # of any kind: what was read before it is still to be shown
            told = explain(error, debug=options.debug)
            errors.append({"path": str(path), "code": told.code, "message": told.message})
            if not output.json:
                output.say(told.message)
    if output.json:
        output.document({"profiles": documents, "errors": errors})
    return NOTHING_READ if errors else 0


def _read(
    path: Path, name: str | None, pricing: PricingRequest | None, store: Store, output: Output
) -> OpenedProfile:
    if (path / MANIFEST_FILE).is_file() and pricing is None:
        return open_stored(StoredProfile(path.resolve()))
    from sidelight.jobs.reading import read_into_store

    with output.progress(f"reading {path.name}") as on_progress:
        stored = read_into_store(path, store, name=name, pricing=pricing, on_progress=on_progress)
    return open_stored(stored)


VERB = Verb(
    "open",
    "Read traces into profiles, and show the device time of their lines.",
    add_arguments,
    run,
)
