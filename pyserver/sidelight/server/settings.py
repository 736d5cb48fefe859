"""The client's settings, as far as the server reads them."""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from sidelight.server.protocol import Settings

SECTION = "sidelight"

_log = logging.getLogger(__name__)


class _Pushed(msgspec.Struct):
    sidelight: Any = None


def section_of(settings: Any) -> Any:
    """The ``sidelight`` section of all settings, as clients push them; None where there is none."""
    try:
        return msgspec.convert(settings, _Pushed).sidelight
    except msgspec.ValidationError:
        return None


def read_settings(value: Any) -> Settings:
    """Read the ``sidelight`` section; what is missing, or is nothing usable, is as by default."""
    try:
        return msgspec.convert(value or {}, Settings)
    except msgspec.ValidationError as error:
        _log.warning("the settings below %s are left as by default: %s", SECTION, error)
        return Settings()
