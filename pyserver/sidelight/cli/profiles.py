"""``sidelight profiles``: what the store holds."""

from __future__ import annotations

import argparse

from sidelight.cli.arguments import Parser, Verb, whole_number
from sidelight.cli.output import Output
from sidelight.profile.store import Store, StoredProfile


def add_arguments(parser: Parser) -> None:
    """Declare the verb's arguments."""
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--delete", metavar="PROFILE", help="delete this one, by name, id or path")
    action.add_argument(
        "--prune",
        metavar="N",
        type=whole_number(0),
        help="delete all but the newest N; the ranks of one run count as one",
    )


def run(options: argparse.Namespace, output: Output) -> int:
    """Delete what is asked for, then list what there is.

    Returns:
        0.

    Raises:
        ProfileNotFoundError: The profile to delete does not exist.
        StoreError: The store cannot be read, or the profile not be deleted.
    """
    store = Store(options.store)
    removed: list[StoredProfile] = []
    if options.delete is not None:
        removed = [store.delete(options.delete)]
    elif options.prune is not None:
        removed = list(store.prune(options.prune))
    stored = store.list()
    if output.json:
        output.document({"profiles": [_entry(profile) for profile in stored]})
        return 0
    for profile in removed:
        output.say(f"deleted {profile.id}")
    for problem in store.problems():
        output.say(problem.message)
    from sidelight.cli.profile_table import render_profile_table

    output.show(lambda console: render_profile_table(console, stored, store.directory))
    return 0


def _entry(profile: StoredProfile) -> dict[str, object]:
    manifest = profile.manifest
    return {
        "profile": str(profile.directory),
        "name": manifest.name,
        "created": manifest.created,
        "target": manifest.target,
        "device": manifest.device,
        "device_time_ns": manifest.device_time_ns,
        "rank": manifest.rank,
        "world_size": manifest.world_size,
        "bytes": profile.size_bytes(),
    }


VERB = Verb(
    "profiles",
    "List stored profiles, newest first; delete those no longer needed.",
    add_arguments,
    run,
)
