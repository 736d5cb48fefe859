"""Messages on stores, on what is shown of them, and on reading what others recorded."""

from __future__ import annotations

from typing import Literal

import msgspec

from sidelight.server.protocol.message import Message


class ProfileEntry(Message, frozen=True):
    """A stored profile, as a list shows it.

    Attributes:
        directory: Absolute path; what other messages call a profile by.
        created: ISO 8601, UTC.
        device_time_ns: Over all recorded steps; None where it is not known.
        time_kind: How that time is known.
        priced_for: What device times are predicted for, such as ``trn2, LNC 2``, beside measured
            ones or in their place; None where none are.
        shown: Whether its folder's annotations are this profile's.
    """

    directory: str
    id: str
    name: str
    created: str
    target: str
    device: str
    device_time_ns: int | None
    time_kind: Literal["measured", "predicted", "mixed"]
    priced_for: str | None
    steps: int
    rank: int | None
    world_size: int | None
    size_bytes: int
    shown: bool


class StoreListing(Message, frozen=True):
    """The profiles of one workspace folder, newest first.

    Attributes:
        folder_uri: The folder.
        folder_name: What the client calls it.
        directory: The store, whether it exists yet or not.
        runs: Directories of profiles that are ranks of one run, by rank; of runs with several.
        problems: Sentences on profiles that cannot be read.
    """

    folder_uri: str
    folder_name: str
    directory: str
    profiles: list[ProfileEntry]
    runs: list[list[str]]
    size_bytes: int
    problems: list[str]


class ProfileList(Message, frozen=True):
    """The stores of all workspace folders."""

    stores: list[StoreListing]


class ShownProfile(Message, frozen=True):
    """The profile whose numbers stand in a folder's files.

    Attributes:
        folder_uri: The folder.
        priced_for: As in :class:`ProfileEntry`.
        headline: One plain sentence, as the command line's first.
        device_time_text: Device time a step, as people read it (``27.6 ms``).
        loading: Its index is still being made; numbers follow.
        problem: Why it cannot be shown, as a sentence; None if all is well.
    """

    folder_uri: str
    directory: str
    name: str
    target: str
    device: str
    time_kind: Literal["measured", "predicted", "mixed"]
    priced_for: str | None
    steps: int
    rank: int | None
    world_size: int | None
    headline: str
    device_time_text: str
    loading: bool
    problem: str | None


class ShownProfiles(Message, frozen=True):
    """What is shown now, one entry a folder that shows something."""

    shown: list[ShownProfile]


class ProfileParams(Message, frozen=True):
    """One stored profile.

    Attributes:
        directory: Its directory.
    """

    directory: str


class RenameParams(Message, frozen=True):
    """A profile's new name."""

    directory: str
    name: str


class PricingParams(Message, frozen=True):
    """What device times are predicted for.

    Attributes:
        chip: The chip.
        lnc: Physical cores that make one logical core of it; None for the chip's own default.
        auto_cast: Which float32 operators are taken to run in bfloat16.
    """

    chip: Literal["trn1", "trn2", "trn3", "inf2"]
    lnc: int | None = None
    auto_cast: Literal["all", "matmult", "none"] = "matmult"


class OpenTraceParams(Message, frozen=True):
    """A file or folder to read into a store, and to show.

    What only Neuron's own tool can read of it is told in the answer; asked again with
    ``run_explorer``, the server runs the tool first. Progress goes to ``work_done_token``;
    ``$/cancelRequest`` ends the reading, and nothing is stored then.

    Attributes:
        path: What to read.
        folder_uri: The workspace folder whose store takes it in; None for the only or first one.
        pricing: What its operators are priced for; None leaves them without a price.
        run_explorer: Whether Neuron's own tool first makes tables of what only it can read.
        replaced: Directories of profiles to delete once the new ones are stored.
        work_done_token: As in the LSP.
    """

    path: str
    folder_uri: str | None = None
    pricing: PricingParams | None = None
    run_explorer: bool = False
    replaced: list[str] = msgspec.field(default_factory=list[str])
    work_done_token: str | int | None = None


class ExplorerOffer(Message, frozen=True):
    """What Neuron Explorer could tell of an input that only it can read whole.

    Attributes:
        path: What to open with ``run_explorer``: the input, or what of it the tool takes.
        message: What is missing without it, and how to have it, as sentences.
        command: What to run where the tool is installed; None where it is on the server's path.
    """

    path: str
    message: str
    command: str | None


class OpenedTrace(Message, frozen=True):
    """What came of an input.

    Attributes:
        profile: What is shown now: the profile, or the first of several; None where nothing but
            Neuron's own tool can read anything of it.
        directories: All that were stored, such as the ranks of a run.
        explorer: What that tool could tell; None where it could tell no more.
    """

    profile: ProfileEntry | None
    directories: list[str]
    explorer: ExplorerOffer | None


class ExportParams(Message, frozen=True):
    """A profile to write to a file that others read.

    Progress goes to ``work_done_token``; ``$/cancelRequest`` ends it, and the file is as it was.

    Attributes:
        format: What kind of file.
        path: The file, absolute; one that is there is replaced.
        work_done_token: As in the LSP.
    """

    directory: str
    format: Literal["perfetto", "chrome", "csv", "html"]
    path: str
    work_done_token: str | int | None = None


class ExportedProfile(Message, frozen=True):
    """A file that was written.

    Attributes:
        size_bytes: Its size.
        events: How many events it is of.
        missing: What of the profile is not in it, as sentences.
    """

    path: str
    size_bytes: int
    events: int
    missing: list[str]
