"""``neuron:1`` and further, which a program may name where there is one device: said once."""

from __future__ import annotations

import os

from ..notes import Notes

_OWN_NUMBER = "LOCAL_RANK"
"""The variable by which a launcher tells a process which of a machine's devices is its own."""


class OneDevice:
    """Says that the devices a program names by other numbers are the one there is.

    Args:
        notes: Where people are told.
    """

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._told = False

    def named(self, index: int) -> None:
        """The program names a device by a number other than 0."""
        if self._told or os.environ.get(_OWN_NUMBER) == str(index):
            return
        self._told = True
        self._notes.say(
            "one_device",
            "warning",
            f"The program names the device `neuron:{index}`, and there is one, `neuron:0`: all of "
            "its work is on that, one after another. For a device each, start its processes with "
            "torchrun, as in `torchrun --nproc-per-node 2 -m sidelight profile SCRIPT`.",
        )
