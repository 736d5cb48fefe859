"""Which version of the schema a profile has, and what it says of its own columns."""

from __future__ import annotations

import re
from typing import Final

from sidelight.ingest.explorer.tables import Tables
from sidelight.ingest.notes import unverified_format
from sidelight.profile.quality import QualityNote

_MAJOR: Final = re.compile(r"\s*v?(\d{1,9})(\.|\s*$)")
_KNOWN_MAJORS: Final = range(7, 13)
"""Versions whose changes are public: 7.4.0 of Neuron 2.31.0 up to 12.0.1 of Neuron 2.33.0."""

_UNVERIFIED: Final = unverified_format("Neuron Explorer's published schema", "profile")


def read_schema(tables: Tables) -> str:
    """Read what a profile says of its schema, and set the units of its columns.

    Args:
        tables: The profile's tables. Their ``units`` are set.

    Returns:
        The version; empty where the profile does not say.
    """
    fields = tables.read("SchemaFields", ("table_name", "field_name", "field_unit"))
    units = zip(
        zip(fields.texts("table_name"), fields.texts("field_name"), strict=True),
        fields.texts("field_unit"),
        strict=True,
    )
    tables.units = {column: unit for column, unit in units if unit}
    versions = tables.read("Metadata", ("profile_schema_version",)).texts("profile_schema_version")
    return next((version for version in versions if version), "")


def schema_notes(version: str) -> list[QualityNote]:
    """What follows from a version."""
    match = _MAJOR.match(version)
    if match is not None and int(match[1]) in _KNOWN_MAJORS:
        return [_UNVERIFIED]
    said = f"has version {version[:40]} of the schema" if version else "does not say its version"
    return [
        _UNVERIFIED,
        QualityNote(
            "unknown_schema_version",
            "warning",
            f"The profile {said}; known are {_KNOWN_MAJORS[0]} to {_KNOWN_MAJORS[-1]}. It is read "
            "by the names of tables and columns, so what was renamed is missing here. Compare a "
            "few figures with Neuron Explorer, or look for a newer Sidelight.",
        ),
    ]
