"""Quantities over time, as trace formats want them."""

from __future__ import annotations

import numpy as np

from sidelight.export.source import Indexes, Source
from sidelight.profile.manifest import Series


def exported_samples(source: Source) -> Indexes:
    """The samples whose value holds in the exported part of the time: each does until the next."""
    samples = source.profile.samples
    series, at_ns = samples["series"], samples["at_ns"]
    until_ns = np.full(len(samples), np.iinfo(np.int64).max)
    if len(samples):
        until_ns[:-1] = np.where(series[1:] == series[:-1], at_ns[1:], until_ns[:-1])
    return np.flatnonzero(source.time.overlapping(at_ns, until_ns))


def counter_name(series: Series) -> str:
    """What a quantity is called: its name, and what it was taken on."""
    return f"{series.name} ({series.owner})" if series.owner else series.name
