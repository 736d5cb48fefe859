"""What a client says of itself, and its settings."""

from __future__ import annotations

import msgspec

from sidelight.server.protocol.message import Message


class ClientOptions(Message, frozen=True):
    """What a client may say in ``initializationOptions``.

    Attributes:
        command_links: Whether it runs ``command:`` links in hovers. The one that is used is
            ``sidelight.showTimeline`` with a :class:`LineParams` as its argument.
    """

    command_links: bool = False


class InlayHintSettings(Message, frozen=True):
    """What stands at line ends.

    Attributes:
        enabled: Whether anything does.
        minimum_share_percent: Lines with less than this part of the device time have no hint.
        time: Whether to show self device time a step.
        share: Whether to show its part of the whole.
        count: Whether to show how often a step enters the line.
    """

    enabled: bool = True
    minimum_share_percent: float = 0.5
    time: bool = True
    share: bool = True
    count: bool = True


class CodeLensSettings(Message, frozen=True):
    """What stands above functions and classes.

    Attributes:
        enabled: Whether anything does.
        minimum_share_percent: Functions with less than this part have no lens.
    """

    enabled: bool = True
    minimum_share_percent: float = 0.5


class Settings(Message, frozen=True):
    """The part of the ``sidelight`` settings section that the server reads.

    Attributes:
        inlay_hints: See :class:`InlayHintSettings`.
        code_lens: See :class:`CodeLensSettings`.
        source_map: Where files and directories of other machines are on this one.
    """

    inlay_hints: InlayHintSettings = msgspec.field(default_factory=InlayHintSettings)
    code_lens: CodeLensSettings = msgspec.field(default_factory=CodeLensSettings)
    source_map: dict[str, str] = msgspec.field(default_factory=dict[str, str])
