"""The errors people meet, as plain sentences.

Every error that leaves a room for a person is a :class:`SidelightError`: one or two sentences that
name the file and the next step, with a stable code for machines. Anything else that escapes is a
fault of ours.
"""


class SidelightError(Exception):
    """An expected failure.

    Args:
        code: Stable snake_case identifier, as ``--json`` prints it.
        message: One or two plain sentences naming the file concerned and the next step.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class UnreadableInputError(SidelightError):
    """The input cannot be read as a profile: wrong format, broken beyond repair, or empty."""


class ProfileNotFoundError(SidelightError):
    """No stored profile answers to the directory, id or name that was asked for."""


class StoreError(SidelightError):
    """The profile store cannot be read or written."""


class CaptureError(SidelightError):
    """The script could not be profiled."""
