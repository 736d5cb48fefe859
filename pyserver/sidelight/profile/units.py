"""Numbers as people read them, in every output: units that fit, three significant digits."""

from __future__ import annotations

_TIME_UNITS = (("ns", 1), ("µs", 1e3), ("ms", 1e6), ("s", 1e9))
_COUNT_UNITS = (("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9))
_FLOP_UNITS = (("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("P", 1e15))
_SIZE_UNITS = (("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12))


def duration(nanoseconds: float, *, predicted: bool = False) -> str:
    """A time such as ``1.83 ms``, at most seven characters up to 999 s; ``≈`` if predicted."""
    approximately = "≈" if predicted else ""
    if 0 < nanoseconds < 0.995:
        return f"{approximately}<1 ns"
    return approximately + _scaled(nanoseconds, _TIME_UNITS)


def change(nanoseconds: float, *, predicted: bool = False) -> str:
    """A difference of two times such as ``+1.83 ms`` or ``-412 µs``; ``≈`` if predicted."""
    sign = "+" if nanoseconds > 0 else "-" if nanoseconds < 0 else ""
    return ("≈" if predicted else "") + sign + duration(abs(nanoseconds))


def ratio(value: float, *, predicted: bool = False) -> str:
    """How many times as much, such as ``0.81`` or ``12.4``; ``≈`` if predicted."""
    approximately = "≈" if predicted else ""
    if 0 < value < 0.005:
        return f"{approximately}<0.01"
    large = value >= 999.5
    number = _scaled(value, _COUNT_UNITS).replace(" ", "") if large else _three_digits(value)
    return approximately + number


def plain_number(value: float) -> str:
    """A figure whose name tells its unit, such as ``1,234.57``: six significant digits."""
    return f"{value:,.6g}"


def size(count_bytes: float) -> str:
    """A size such as ``12.4 MB``, in powers of 1000."""
    return _scaled(count_bytes, _SIZE_UNITS)


def flops(count: float) -> str:
    """How many floating-point operations, such as ``4.29 GFLOP``."""
    number, _, unit = _scaled(count, _FLOP_UNITS).partition(" ")
    return f"{number} {unit}FLOP"


def share(part: float, whole: float) -> str:
    """A part of a whole such as ``22.4%``; ``100%`` is all of it, and no whole gives nothing."""
    if not whole:
        return ""
    percent = 100 * part / whole
    if 0 < percent < 0.05:
        return "<0.1%"
    return "100%" if part >= whole else f"{min(percent, 99.9):.1f}%"


def mean_count(count: int, steps: int) -> str:
    """How often something happens in a step: ``3``, ``2.5``, ``12.3k``; at most five characters."""
    mean = count / max(steps, 1)
    if mean >= 9_999.5:
        return _scaled(mean, _COUNT_UNITS).replace(" ", "")
    if mean == int(mean) or mean >= 99.95:
        return str(round(mean))
    return f"{mean:.1f}" if mean >= 0.05 else "<0.1"


def _scaled(value: float, units: tuple[tuple[str, float], ...]) -> str:
    unit, scale = units[0]
    for next_unit, next_scale in units[1:]:
        # 999.5 of a unit would round to a fourth digit: the next one takes over there.
        if value < 999.5 * scale:
            break
        unit, scale = next_unit, next_scale
    number = str(round(value)) if scale == 1 and value == round(value) else None
    return f"{number or _three_digits(value / scale)} {unit}"


def _three_digits(value: float) -> str:
    decimals = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{decimals}f}"
