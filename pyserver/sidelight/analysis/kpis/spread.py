"""Times that differ from one to the next, as percentiles."""

from __future__ import annotations

import msgspec
import numpy as np

from sidelight.analysis.nesting import IntColumn


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """How times are spread, in nanoseconds. None is not known.

    Percentiles lie between neighbouring times in proportion (type 7 of Hyndman and Fan, "Sample
    quantiles in statistical packages", The American Statistician 50(4), 1996).

    Attributes:
        count: How many there are.
        mean_ns: Their mean.
        p10_ns: One in ten is below.
        p50_ns: The median.
        p90_ns: Nine in ten are below.
        p99_ns: 99 in a hundred are below.
    """

    count: int | None = None
    mean_ns: float | None = None
    p10_ns: float | None = None
    p50_ns: float | None = None
    p90_ns: float | None = None
    p99_ns: float | None = None


def spread_of(times_ns: IntColumn) -> Spread | None:
    """The spread of times; None where there is none."""
    if not len(times_ns):
        return None
    p10, p50, p90, p99 = np.percentile(times_ns, (10, 50, 90, 99)).tolist()
    return Spread(
        count=len(times_ns),
        mean_ns=int(times_ns.sum()) / len(times_ns),
        p10_ns=p10,
        p50_ns=p50,
        p90_ns=p90,
        p99_ns=p99,
    )
