"""What more than one reader has to say in the data-quality report: each fact in one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from sidelight.profile.quality import QualityNote

_MOST_QUOTED: Final = 20
_LONGEST_QUOTE: Final = 500
_MOST_NAMES: Final = 8
_LOOK_UP: Final = "Figures here may suffer from it, too; Neuron's documentation says what to do."

CPU_IS_DEVICE: Final = QualityNote(
    "cpu_is_device",
    "info",
    "No accelerator was recorded: device time here is the time operators took on the CPU. Record "
    "on a device, or price the profile for one (sidelight open --device trn2).",
)

SIMULATED: Final = QualityNote(
    "simulated_profile",
    "warning",
    "The compiler simulated this profile: no device measured its times. Profile the program on a "
    "device for measured ones.",
)


def no_device_rows(
    found: str, advice: str, instead: str = "the CPU's time is shown"
) -> QualityNote:
    """A device was recorded, or should have been, and no row is of its work.

    Args:
        found: The beginning of the sentence.
        advice: What to do.
        instead: What follows.
    """
    return QualityNote("no_device_rows", "warning", f"{found}, so {instead}. {advice}")


def no_stacks(found: str, advice: str) -> QualityNote:
    """Nothing that was recorded names a line of the user's.

    Args:
        found: The beginning of a sentence that goes on with what follows.
        advice: What to do.
    """
    return QualityNote("no_stacks", "warning", f"{found}, so all time is unattributed. {advice}")


def unverified_format(source: str, what: str) -> QualityNote:
    """A reader has never met a file that the tool itself wrote.

    Args:
        source: What it was written from.
        what: Such a file.
    """
    return QualityNote(
        "unverified_format",
        "info",
        f"This reader was written from {source}; no {what} that the tool itself wrote could be "
        "read so far. Compare a few figures with Neuron Explorer, and report what differs.",
    )


def figures_alone(what: str, advice: str) -> QualityNote:
    """A file holds figures of a whole run.

    Args:
        what: The file, as the beginning of a sentence.
        advice: What to do.
    """
    return QualityNote(
        "figures_alone",
        "info",
        f"{what} holds figures and no event: there is no timeline, and no time of any line. "
        f"{advice}",
    )


def samples_left_out(count: int) -> QualityNote:
    """Samples of counters that nobody can place."""
    return QualityNote(
        "samples_left_out",
        "info",
        "Samples of counters whose value is no finite number, whose time is missing or absurd, or "
        "that are of more series than anybody looks at, are left out of the graphs over time. No "
        "device time is concerned; record it again if they matter.",
        count,
    )


def unknown_parts(kind: str, names: Collection[str]) -> QualityNote:
    """A profile has parts that nothing here knows.

    Args:
        kind: What they are, such as ``lists``.
        names: What they are called.
    """
    shown = ", ".join(name[:60] for name in sorted(names)[:_MOST_NAMES])
    more = " and others" if len(names) > _MOST_NAMES else ""
    return QualityNote(
        "unknown_parts",
        "info",
        f"The profile holds {kind} that this version does not know: {shown}{more}. What is in them "
        "is not shown. Look for a newer Sidelight.",
        len(names),
    )


def unknown_engine(names: Sequence[str]) -> QualityNote:
    """Work on engines that no known NeuronCore has."""
    shown = ", ".join(repr(name[:40]) for name in names[:3])
    return QualityNote(
        "unknown_engine",
        "warning",
        "Work is on engines that no known NeuronCore has: its time counts, and is in no engine's "
        f"figures ({shown}). Look for a newer Sidelight.",
        len(names),
    )


def operands_left_out(count: int) -> QualityNote:
    """Instructions without their operands, for want of room."""
    return QualityNote(
        "operands_left_out",
        "info",
        "Operands, or names, of later rows are left out, as there is more text than can be held; "
        "their times are complete. Profile fewer executions to see them.",
        count,
    )


def dma_names_unknown(count: int) -> QualityNote:
    """Transfers that do not say what they moved."""
    return QualityNote(
        "dma_names_unknown",
        "info",
        "DMA transfers do not say what they moved: they are called by the kind of their queue. "
        "Record with NEURON_RT_ENABLE_DGE_NOTIFICATIONS=1 to have dynamic ones named.",
        count,
    )


def clocks_set_by_guess(set_to: str = "the first execution") -> QualityNote:
    """Nothing relates the clock of a core's profile to that of the system profile beside it.

    Args:
        set_to: At whose start the core's profile was put.
    """
    return QualityNote(
        "clocks_set_by_guess",
        "warning",
        "Device and system profile count time from different zeros, and nothing tells what lies "
        f"between these: the device's first instant is set to the start of {set_to}. Which host "
        "rows stand over which instructions may be wrong. Open the two profiles apart.",
    )


def no_neff(names: str, count: int = 1) -> QualityNote:
    """The programs that were captured are not there.

    Args:
        names: The captures, or the programs.
        count: How many captures they are.
    """
    return QualityNote(
        "no_neff",
        "warning",
        f"There is no NEFF for {names}, and without the program that was captured no tool can tell "
        "its instructions. Copy it beside the NTFF, from the compile cache "
        "(TORCH_NEURONX_NEFF_CACHE_DIR, or /tmp/neff_cache) or from where it ran.",
        count,
    )


def executions_without_launch(count: int) -> QualityNote:
    """Executions that no operator is known to have launched."""
    return QualityNote(
        "executions_without_launch",
        "warning",
        "Some executions can be tied to no operator, so that their time is unattributed. Keep the "
        "profiler on until the device is done (torch.neuron.synchronize()).",
        count,
    )


def quoted(code: str, who: str, reports: Iterable[Iterable[str]]) -> list[QualityNote]:
    """What the vendor's tool reports itself, in its words, each once with its count.

    Args:
        code: The code of all of them.
        who: Who says so, as the beginning of a sentence.
        reports: What is said, in parts; what is empty is passed over.
    """
    texts = (" - ".join(filter(None, map(_on_one_line, parts))) for parts in reports)
    counts = Counter(filter(None, texts))
    notes = [
        QualityNote(code, "warning", f"{who}: {text}. {_LOOK_UP}", count)
        for text, count in counts.most_common(_MOST_QUOTED)
    ]
    if (more := len(counts) - len(notes)) > 0:
        text = f"{who} more than is listed here. Look into the profile itself for the rest."
        notes.append(QualityNote(code, "warning", text, more))
    return notes


def _on_one_line(text: str) -> str:
    """A text without what moves a cursor, and not too long, as the beginning of a sentence."""
    head = text[: 2 * _LONGEST_QUOTE]
    shown = " ".join("".join(c if c.isprintable() else " " for c in head).split()).rstrip(".")
    return shown if len(shown) <= _LONGEST_QUOTE else shown[: _LONGEST_QUOTE - 1] + "…"
