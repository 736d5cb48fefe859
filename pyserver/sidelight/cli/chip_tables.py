"""The chips' figures as people read them: all chips side by side, or one with its sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from rich.console import Console
from rich.text import Text

from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.text import left, right
from sidelight.hardware.chips import Chip, Figure, chip
from sidelight.hardware.cores import LogicalCore
from sidelight.hardware.roofline import ridge_point

_GAP = 2
_NOTHING = "-"
_SPELLINGS = {
    "peak": "dense peak",
    "clock": "clock of",
    "speedup": "speedup of",
    "hbm": "HBM",
    "dma": "DMA",
    "sbuf": "SBUF",
    "psum": "PSUM",
    "neuronlink": "NeuronLink",
    "tensor": "Tensor",
    "vector": "Vector",
    "scalar": "Scalar",
    "gpsimd": "GpSimd",
}

_Row = tuple[str, Sequence[str]]
"""A label, and a cell for each logical core; no cells in a row that heads others."""


def render_chips(console: Console, cores: Sequence[LogicalCore]) -> None:
    """Print a table of logical cores, one of each chip.

    Args:
        console: Where to; its width is respected.
        cores: The logical cores.
    """
    print_paragraph(console, "One logical core, which is what a process gets", "bold")
    _print_cores(console, cores)
    console.print()
    print_paragraph(
        console,
        "`sidelight hardware --device trn2` shows each figure of a chip with its source, and what "
        "else AWS's pages say of it.",
        "dim",
    )


def render_chip(console: Console, whole: Chip, cores: Sequence[LogicalCore]) -> None:
    """Print every figure of a chip, and what its logical cores can do.

    Args:
        console: Where to; its width is respected.
        whole: The chip.
        cores: Its logical cores, one a configuration.
    """
    title = f"{whole.title} ({whole.name}): {whole.physical_cores} physical cores"
    if len(whole.lnc_choices) > 1:
        title += f"; by default {whole.default_lnc} of them make a logical core"
    print_paragraph(console, title, "bold")
    pages: list[str] = []
    for prefix, heading in (("chip_", "One chip"), ("core_", "One physical core")):
        console.print()
        print_paragraph(console, heading, "bold")
        _print_figures(console, [f for f in whole.figures if f.name.startswith(prefix)], pages)
    console.print()
    print_paragraph(console, "One logical core", "bold")
    _print_cores(console, cores)
    console.print()
    print_paragraph(console, "Sources", "bold")
    for number, page in enumerate(pages, 1):
        print_paragraph(console, page, mark=f"[{number}]")


def _print_figures(console: Console, figures: Sequence[Figure], pages: list[str]) -> None:
    """Print figures with the numbers of their pages; ``pages`` grows by those that are new."""
    alike = [list(group) for _, group in groupby(figures, lambda figure: replace(figure, name=""))]
    labels = [_label([figure.name for figure in group]) for group in alike]
    values = [_value(group[0].value, group[0].unit) for group in alike]
    label_width, value_width = max(map(len, labels)), max(map(len, values))
    # Where there is no room for both beside each other, values stand below their labels.
    has_room = label_width + value_width + len("    " + "  [1]") <= console.width
    for label, value, (figure, *_) in zip(labels, values, alike, strict=True):
        begin = f"  {left(label, label_width)}" if has_room else f"  {label}\n  "
        row = f"{begin}  {left(value, value_width)}  {_page_number(figure.source, pages)}"
        console.print(Text(row), soft_wrap=True)
        remarks = [_remark(figure.source)]
        for other, source in figure.others:
            number, remark = _page_number(source, pages), _remark(source)
            elsewhere = f"elsewhere {_value(other, figure.unit)} {number}"
            remarks.append(f"{elsewhere}, {remark}" if remark else elsewhere)
        for remark in filter(None, [*remarks, figure.why]):
            print_paragraph(console, remark, "dim", mark="   ")


def _label(names: Sequence[str]) -> str:
    """``dense peak bf16, fp16`` for ``chip_peak_bf16`` and ``chip_peak_fp16``."""
    words = [[_SPELLINGS.get(word, word) for word in name.split("_")[1:]] for name in names]
    columns = zip(*words, strict=False)
    shared = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))
    ends = ", ".join(" ".join(each[shared:]) for each in words)
    return " ".join([*words[0][:shared], ends]).rstrip()


def _value(value: float, unit: str) -> str:
    return f"{value:.7g} {unit}"


def _page_number(source: str, pages: list[str]) -> str:
    page = source.partition(": ")[0]
    if page not in pages:
        pages.append(page)
    return f"[{pages.index(page) + 1}]"


def _remark(source: str) -> str:
    return source.partition(": ")[2]


def _print_cores(console: Console, cores: Sequence[LogicalCore]) -> None:
    """Print a column for each logical core, in several tables where there is no room for one."""
    rows = [("", [core.label for core in cores]), *_core_rows(cores)]
    label_width = max(len(label) for label, _ in rows)
    width = _GAP + max(len(cell) for _, cells in rows for cell in cells)
    at_once = max((console.width - label_width) // width, 1)
    for start in range(0, len(cores), at_once):
        if start:
            console.print()
        for number, (label, cells) in enumerate(rows):
            shown = "".join(right(cell, width) for cell in cells[start : start + at_once])
            row = (left(label, label_width) + shown).rstrip()
            console.print(Text(row, "" if number else "dim"), soft_wrap=True)


def _core_rows(cores: Sequence[LogicalCore]) -> list[_Row]:
    dtypes = list(dict.fromkeys(dtype for core in cores for dtype in core.tensor_flops_per_s))

    def each(show: Callable[[LogicalCore], str]) -> list[str]:
        return [show(core) for core in cores]

    def by_dtype(show: Callable[[LogicalCore, str], str]) -> list[_Row]:
        return _merged(
            (
                dtype,
                [
                    show(core, dtype) if dtype in core.tensor_flops_per_s else _NOTHING
                    for core in cores
                ],
            )
            for dtype in dtypes
        )

    return [
        ("physical cores", each(_physical_cores)),
        ("dense peak, TFLOP/s", []),
        *by_dtype(lambda core, dtype: f"{core.tensor_flops_per_s[dtype] / 1e12:.6g}"),
        ("ridge point, FLOP/byte", []),
        *by_dtype(lambda core, dtype: f"{ridge_point(core, dtype):.3g}"),
        ("HBM", each(lambda core: _size(core.hbm_bytes))),
        ("HBM bandwidth", each(lambda core: _rate(core.hbm_bytes_per_s))),
        ("DMA bandwidth", each(lambda core: _rate(core.dma_bytes_per_s))),
        ("NeuronLink", each(lambda core: _rate(core.neuronlink_bytes_per_s))),
        ("SBUF", each(lambda core: _size(core.sbuf_bytes))),
        ("PSUM", each(lambda core: _size(core.psum_bytes))),
        ("clocks, GHz", []),
        *_merged(
            [
                ("Tensor", each(lambda core: f"{core.tensor_hz / 1e9:g}")),
                ("Vector", each(lambda core: f"{core.vector_hz / 1e9:g}")),
                ("Scalar", each(lambda core: f"{core.scalar_hz / 1e9:g}")),
                ("GpSimd", each(lambda core: f"{core.gpsimd_hz / 1e9:g}")),
            ]
        ),
    ]


def _merged(rows: Iterable[_Row]) -> list[_Row]:
    """The rows, indented, and neighbours that say the same made one."""
    return [
        ("  " + ", ".join(label for label, _ in group), cells)
        for cells, group in groupby(rows, lambda row: row[1])
    ]


def _physical_cores(core: LogicalCore) -> str:
    return f"{core.physical_cores} of {chip(core.chip).physical_cores}"


def _size(count_bytes: int) -> str:
    gib = count_bytes / 2**30
    return f"{gib:g} GiB" if gib >= 1 else f"{count_bytes / 2**20:g} MiB"


def _rate(bytes_per_s: float) -> str:
    return (
        f"{bytes_per_s / 1e12:.4g} TB/s" if bytes_per_s >= 1e12 else f"{bytes_per_s / 1e9:.4g} GB/s"
    )
