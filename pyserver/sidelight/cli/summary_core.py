"""What a core's arithmetic, bandwidth and DMA were used for, in a few lines."""

from __future__ import annotations

from rich.console import Console

from sidelight.analysis.splits.dma import DmaUse
from sidelight.analysis.splits.split import Split
from sidelight.analysis.summary import ProfileSummary
from sidelight.cli.paragraphs import print_paragraph
from sidelight.cli.summary_groups import Row, print_group
from sidelight.profile import units
from sidelight.profile.stored_manifest import StoredManifest


def render_core_use(console: Console, summary: ProfileSummary, manifest: StoredManifest) -> None:
    """Print what the core was used for.

    Args:
        console: Where to; its width is respected.
        summary: The profile's.
        manifest: The profile's.
    """
    use = summary.core
    for title, split in (
        ("Of the Tensor Engines' peak", use.flops),
        ("Of HBM's bandwidth", use.hbm),
    ):
        if split is not None:
            print_group(console, title, _parts(split))
            print_paragraph(console, split.remark, "dim", mark=" ")
    if use.dma is not None:
        print_group(console, "DMA", _dma(use.dma))


def _parts(split: Split) -> list[Row]:
    is_predicted = split.source == "predicted"
    approximately = "≈" if is_predicted else ""
    write = units.flops if split.unit == "FLOP" else units.size
    return [
        (
            part.name,
            approximately + units.share(part.amount, split.capacity),
            approximately + write(part.amount),
        )
        for part in split.parts
        if part.amount is not None
    ]


def _dma(dma: DmaUse) -> list[Row]:
    rows: list[Row] = []
    if dma.transfers is not None and dma.moved_bytes is not None:
        rows.append(("transfers", f"{dma.transfers:,}", units.size(dma.moved_bytes)))
    if dma.mean_bytes is not None:
        rows.append(("mean size", units.size(round(dma.mean_bytes)), ""))
    if dma.small_transfers is not None and dma.transfers:
        share = units.share(dma.small_transfers, dma.transfers)
        name = f"of less than {dma.small_below_bytes:,} B"
        rows.append((name, share, "too small to use the bandwidth"))
    if dma.efficiency is not None:
        rows.append(("of the bandwidth, while active", units.share(dma.efficiency, 1), ""))
    return rows
