"""Traces that claim sizes, types and values of any kind are priced as far as they make sense."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from test_pricing import REQUEST, opened

from sidelight.analysis.kernels import COMPILED_REGION
from sidelight.analysis.lines import line_report
from sidelight.analysis.predictions import UNPRICED
from sidelight.analysis.pricing import price
from sidelight.hardware.operators import registry
from traces.chrome import operator

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([0, 1, 3, 128, 4096, -1, 2**31, 2**48, 2**63, 10**25])
    | st.sampled_from(["float", "TensorList", "Scalar", "ScalarList", "", "long", "\x1b[31m"])
    | st.sampled_from(["[1, 2]", "[-1]", "nan", "True", "9" * 40, "0", "99"]),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(
    [
        *(f"aten::{name}" for name in registry._ATEN),  # pyright: ignore[reportPrivateUsage]
        "c10d::allreduce_",
        "aten::_foreach_norm",
        "aten::never_heard_of",
        "Optimizer.step#x",
        "autograd::engine::evaluate_function: MulBackward0",
        COMPILED_REGION,
        "\x1b[31m::evil",
    ]
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            NAMES,
            st.integers(0, 40),
            st.integers(0, 20),
            JUNK,
            JUNK,
            JUNK,
            st.integers(-1, 3),
            st.integers(0, 1),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_no_trace_makes_pricing_stumble(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Any, ...]]
) -> None:
    profile = opened(
        tmp_path_factory.mktemp("junk"),
        [
            operator(
                name,
                start,
                duration,
                **{
                    "Input Dims": dims,
                    "Input type": types,
                    "Concrete Inputs": values,
                    "Sequence number": number,
                    "Fwd thread id": thread,
                },
            )
            for name, start, duration, dims, types, values, number, thread in rows
        ],
    )
    price(profile, REQUEST)
    report = line_report(profile, "")
    predicted = profile.events["predicted_ns"]
    assert (report.predicted_ns or 0) == int(predicted[profile.events["price"] >= 0].sum())
    assert (predicted >= -1).all()
    assert all((profile.prices[name] >= 0).all() for name in profile.prices)


def test_sizes_that_are_none_are_told_and_never_overflow(tmp_path: Path) -> None:
    large: dict[str, Any] = {
        "Input Dims": [[1 << 24, 1 << 24], [1 << 24, 1 << 24]],
        "Input type": ["float"] * 2,
    }
    small: dict[str, Any] = {"Input Dims": [[64, 64], [64, 64]], "Input type": ["float"] * 2}
    events = [operator("aten::mm", 10 * index, 5, **large) for index in range(3)]
    profile = opened(tmp_path, [*events, operator("aten::mm", 100, 5, **small)])
    price(profile, REQUEST)
    notes = {note.code: note for note in profile.manifest.quality}
    assert notes["not_priced"].count == 3
    assert "record_shapes" not in notes["not_priced"].message
    assert (profile.events["price"] == UNPRICED).sum() == 3
    report = line_report(profile, "")
    assert report.predicted_ns == int(profile.prices["duration_ns"][0])
