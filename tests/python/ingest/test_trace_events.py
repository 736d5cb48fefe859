"""Times come back as the nanoseconds that are written, and ids as numbers."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

from hypothesis import given, settings, strategies as st

from sidelight.ingest.trace_events import TIME_LIMIT_NS, decode_events, integers


def written(time_ns: int) -> str:
    """Whole nanoseconds as microseconds with three decimals."""
    sign = "-" if time_ns < 0 else ""
    return f"{sign}{abs(time_ns) // 1000}.{abs(time_ns) % 1000:03}"


@settings(max_examples=100, deadline=None)
@given(
    times_ns=st.lists(
        st.one_of(
            st.integers(0, 8_796_093_022_207_999),  # after a base: below 2**43 microseconds
            st.integers(1_600_000_000 * 10**9, 1_900_000_000 * 10**9),  # since 1970
            st.integers(-(10**12), 10**12),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_times_equal_exact_decimal_arithmetic(times_ns: list[int]) -> None:
    texts = [written(time_ns) for time_ns in times_ns]
    events = ",".join(f'{{"ph":"X","ts":{text},"dur":{text}}}' for text in texts)
    _, starts_ns, durations_ns = decode_events(f"[{events}]".encode())
    exact = [int((Decimal(t) * 1000).to_integral_value(ROUND_HALF_EVEN)) for t in texts]
    assert starts_ns.tolist() == exact == times_ns
    assert durations_ns.tolist() == times_ns


def test_whole_microseconds_since_1970() -> None:
    _, starts_ns, _ = decode_events(b'[{"ts": 1695835542514261}, {"ts": 1.695835542514261e15}]')
    assert starts_ns.tolist() == [1695835542514261000] * 2


def test_absurd_times_are_limited_at_once() -> None:
    _, starts_ns, _ = decode_events(b'[{"ts": 1e300}, {"ts": -1e300}, {"ts": 1}]')
    assert starts_ns.tolist() == [TIME_LIMIT_NS, -TIME_LIMIT_NS, 1000]


def test_ids_of_every_kind() -> None:
    values = [7, "8", "stream", None, 2**64, -1]
    ids, bad = integers(lambda: values, len(values))
    assert ids.tolist() == [7, 8, -1, -1, -1, -1]
    assert bad == 3
