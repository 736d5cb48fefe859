"""A roofline chart as SVG inside a page."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, log10, sqrt
from typing import Final

from sidelight.export.html.document import Dot, RooflineChart
from sidelight.export.html.escaping import escaped

_WIDTH, _HEIGHT = 720, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 16, 16, 52
_LARGEST_RADIUS, _SMALLEST_RADIUS = 22.0, 3.0
_MOST_DECADES: Final = 40
"""Axes are no longer, whatever a trace claims."""

_SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def roofline_svg(chart: RooflineChart) -> str:
    """The chart; every text in it is escaped. Empty where there is nothing to draw."""
    if not chart.dots:
        return ""
    axes = _Axes(chart)
    parts = [*axes.grid(), *_roofs(chart, axes), *(_dot(dot, axes) for dot in chart.dots)]
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escaped(chart.title)}">'
        f"{''.join(parts)}</svg>"
    )


class _Axes:
    """Where what lies. Both axes go from one power of ten to another."""

    def __init__(self, chart: RooflineChart) -> None:
        ridges = [
            compute.flops_per_s / memory.bytes_per_s
            for compute in chart.compute
            for memory in chart.memory
        ]
        self.first_x, self.last_x = _decades([*(dot.intensity for dot in chart.dots), *ridges])
        rates = [dot.flops_per_s for dot in chart.dots]
        self.first_y, self.last_y = _decades(
            [*rates, *(compute.flops_per_s for compute in chart.compute)]
        )

    def x(self, intensity: float) -> float:
        part = (log10(intensity) - self.first_x) / (self.last_x - self.first_x)
        return _LEFT + part * (_WIDTH - _LEFT - _RIGHT)

    def y(self, flops_per_s: float) -> float:
        part = (log10(flops_per_s) - self.first_y) / (self.last_y - self.first_y)
        return _HEIGHT - _BOTTOM - part * (_HEIGHT - _TOP - _BOTTOM)

    def grid(self) -> Iterator[str]:
        """Lines at powers of ten, what they are, and what the axes are of."""
        bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
        for power in _steps(self.first_x, self.last_x):
            x = self.x(10.0**power)
            yield _line(x, _TOP, x, bottom, "grid")
            yield _text(x, bottom + 18, _power(power), "middle")
        for power in _steps(self.first_y, self.last_y):
            y = self.y(10.0**power)
            yield _line(_LEFT, y, right, y, "grid")
            yield _text(_LEFT - 8, y + 4, _power(power), "end")
        yield _text((_LEFT + right) / 2, _HEIGHT - 10, "arithmetic intensity, FLOP/byte", "middle")
        middle = (_TOP + bottom) / 2
        yield (
            f'<text x="16" y="{middle:.1f}" text-anchor="middle" '
            f'transform="rotate(-90 16 {middle:.1f})">FLOP/s</text>'
        )


def _roofs(chart: RooflineChart, axes: _Axes) -> Iterator[str]:
    """Each roof with its name: those of computing are level, those of memory lead up to them."""
    widest = max((memory.bytes_per_s for memory in chart.memory), default=None)
    highest = max((compute.flops_per_s for compute in chart.compute), default=None)
    least_x, most_x = 10.0**axes.first_x, 10.0**axes.last_x
    least_y, most_y = 10.0**axes.first_y, 10.0**axes.last_y
    for compute in chart.compute:
        rate = compute.flops_per_s
        start = max(least_x, rate / widest) if widest else least_x
        y = axes.y(rate)
        yield _line(axes.x(start), y, axes.x(most_x), y, "roof")
        yield _text(axes.x(most_x), y - 5, compute.name, "end")
    for memory in chart.memory:
        top = min(highest or most_y, memory.bytes_per_s * most_x)
        bottom = max(least_y, memory.bytes_per_s * least_x)
        if bottom < top:
            x, y = axes.x(bottom / memory.bytes_per_s), axes.y(bottom)
            yield _line(x, y, axes.x(top / memory.bytes_per_s), axes.y(top), "roof")
            # The line rises above its beginning.
            yield _text(x + 12, y + 4, memory.name, "start")


def _dot(dot: Dot, axes: _Axes) -> str:
    radius = max(_SMALLEST_RADIUS, _LARGEST_RADIUS * sqrt(min(max(dot.share, 0.0), 1.0)))
    kind = "dot predicted" if dot.is_predicted else "dot"
    return (
        f'<circle class="{kind}" cx="{axes.x(dot.intensity):.1f}" '
        f'cy="{axes.y(dot.flops_per_s):.1f}" r="{radius:.1f}"><title>{escaped(dot.label)}</title>'
        "</circle>"
    )


def _decades(values: list[float]) -> tuple[int, int]:
    """The powers of ten around all values: two different ones."""
    last = ceil(log10(max(values)) + 0.05)
    first = max(floor(log10(min(values)) - 0.05), last - _MOST_DECADES)
    return first, max(last, first + 1)


def _steps(first: int, last: int) -> range:
    return range(first, last + 1, max(1, (last - first) // 8))


def _power(power: int) -> str:
    return f"10{str(power).translate(_SUPERSCRIPTS)}"


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escaped(text)}</text>'
