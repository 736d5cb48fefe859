"""Runs the language server on this process's standard input and output."""

from __future__ import annotations

import logging
import os
import sys

from sidelight.server import (
    analysis,
    code_lens,
    exporting,
    find_lines,
    heat,
    hover,
    inlay_hints,
    lifecycle,
    markers,
    opening,
    profiles,
    roofline,
    sources,
    timeline,
)
from sidelight.server.session import Session

_FEATURES = (
    lifecycle,
    hover,
    inlay_hints,
    code_lens,
    heat,
    profiles,
    opening,
    exporting,
    timeline,
    markers,
    analysis,
    roofline,
    find_lines,
    sources,
)


def serve(store: str, *, debug: bool) -> None:
    """Serve the client at the other end of standard input and output until it leaves.

    Args:
        store: Where each workspace folder's profiles are: absolute, or below the folder.
        debug: Whether to log all that happens.
    """
    # The client reads standard output: whatever else is printed there, by a library or a child,
    # would end the conversation.
    with os.fdopen(os.dup(1), "wb") as to_client:
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        logging.basicConfig(
            stream=sys.stderr,
            level=logging.DEBUG if debug else logging.WARNING,
            format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        )
        if not debug:  # it logs what requests are refused with, which the client is told
            logging.getLogger("pygls").setLevel(logging.CRITICAL)
        session = Session(store)
        for feature in _FEATURES:
            feature.register(session)
        try:
            session.start_io(stdout=to_client)
        finally:
            session.close()
