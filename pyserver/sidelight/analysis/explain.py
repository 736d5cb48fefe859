"""What a predicted time rests on: a line's kernels, with engine, FLOPs, bytes and roof."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from sidelight.analysis.annotations import KernelDetail
from sidelight.analysis.grouping import Groups
from sidelight.analysis.predictions import PricedRows, is_priced
from sidelight.analysis.shapes import input_shapes
from sidelight.analysis.source_lines import SourceLines
from sidelight.profile.model import Profile


def explain_lines(profile: Profile) -> Mapping[tuple[str, int], list[KernelDetail]]:
    """The predicted kernels of every line, those with most time first.

    Equal calls of an operator on a line are one entry.

    Args:
        profile: An attributed profile; one that was not priced has no kernels.

    Returns:
        The kernels by file and line.
    """
    events, prices, strings = profile.events, profile.prices, profile.strings
    kernels: defaultdict[tuple[str, int], list[KernelDetail]] = defaultdict(list)
    if not is_priced(events):
        return kernels
    source_lines = SourceLines(profile)
    places = list(source_lines.numbers)
    found = PricedRows(profile)
    operator = events["operator"][found.rows].astype(np.int64)
    groups = Groups(
        [
            events["backward"][found.rows],
            found.price,
            events["signature"][operator],
            events["name"][operator],
            source_lines.innermost(events["stack"][found.rows]),
        ]
    )
    # Of several that share a kernel each keeps its own name.
    names = np.where(prices["parts"] > 1, -1, prices["operator"])
    sums = [
        groups.sum(values).tolist()
        for values in (
            np.ones(len(found.rows), np.int64),
            *(found.part_of(column) for column in ("predicted_ns", "flops", "hbm_bytes")),
        )
    ]
    keys: list[tuple[int, ...]] = list(zip(*(key.tolist() for key in groups.keys), strict=True))
    for (backward, price, signature, name, number), count, total_ns, flops, hbm_bytes in zip(
        keys, *sums, strict=True
    ):
        if number < 0:
            continue
        shapes = input_shapes(strings[int(signature)]) if signature >= 0 else []
        kernels[places[number]].append(
            KernelDetail(
                name=strings[int(names[price])] if names[price] >= 0 else strings[int(name)],
                shapes=shapes,
                backward=bool(backward),
                rule=strings[int(prices["rule"][price])],
                engine=strings[int(prices["engine"][price])],
                dtype=strings[int(prices["dtype"][price])],
                flops=int(prices["flops"][price]),
                hbm_bytes=int(prices["hbm_bytes"][price]),
                duration_ns=int(prices["duration_ns"][price]),
                fixed_ns=int(prices["fixed_ns"][price]),
                roof_ns=int(prices["roof_ns"][price]),
                launch_ns=int(prices["launch_ns"][price]),
                bound=strings[int(prices["bound"][price])],
                parts=int(prices["parts"][price]),
                count=count,
                total_ns=total_ns,
                total_flops=flops,
                total_hbm_bytes=hbm_bytes,
            )
        )
    for details in kernels.values():
        details.sort(key=lambda kernel: (-kernel.total_ns, kernel.name))
    return kernels
