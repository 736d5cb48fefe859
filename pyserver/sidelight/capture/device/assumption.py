"""What is assumed of a script that never says ``neuron``."""

from __future__ import annotations

from ..notes import Notes


class Assumption:
    """Told once, however often the recording is written down.

    Args:
        notes: Where people are told.
        device: The device that a script for the chip names.
    """

    def __init__(self, notes: Notes, device: str) -> None:
        self._notes = notes
        self._device = device
        self._told = False

    def computes_on(self, device: str) -> None:
        """The script computes on this kind of device."""
        if device == self._device or self._told:
            return
        self._told = True
        self._notes.say(
            "device_assumed",
            "info",
            f"The program never uses the device `{self._device}`: it is priced as if the device "
            f"that it computes on ({device}) were the chip. Name the device to decide what "
            "is on it.",
        )
