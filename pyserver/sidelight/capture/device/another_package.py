"""What is said where the device is left to another package, which has it or is to have it."""

from __future__ import annotations

from ..notes import Notes
from . import private


def say_device_is_left(notes: Notes, device: str, *, predicts_it: bool) -> None:
    """Say who has the device, and what to do.

    Args:
        notes: Where people are told.
        device: The device that scripts for the chip name.
        predicts_it: Whether what the program does on another's device is predicted all the same.
    """
    registered = private.registered_device()
    if registered == device:
        if predicts_it:
            return
        message = (
            f"A package of your environment has the device `{device}`, so that the virtual one "
            "steps aside: what the program does on it is not predicted. Use --target fake, or an "
            "environment without that package."
        )
    else:
        who = (
            "torch-neuronx is installed, and has made no device: it may be a placeholder, or find "
            "no chip. It is left alone"
            if registered == private.UNNAMED_DEVICE
            else f"Another backend (`{registered}`) is registered, and torch takes one"
        )
        message = (
            f"{who}, so that there is no device `{device}` here. Use an environment without that "
            "package to have it stood in for."
        )
    notes.say("device_left_to_package", "warning", message)
