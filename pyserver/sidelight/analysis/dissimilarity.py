"""What keeps two profiles from being compared with full right."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence

from sidelight.analysis.comparison import compared_times
from sidelight.analysis.headline import provenance
from sidelight.analysis.kernel_text import pricing_text
from sidelight.analysis.report import LineReport
from sidelight.profile.manifest import Attribution, Pricing, SourceFile
from sidelight.profile.quality import QualityNote

# How many physical cores make a logical one, by the runtime's newer name and its older one.
_LNC_VARIABLES = ("NEURON_RT_VIRTUAL_CORE_SIZE", "NEURON_LOGICAL_NC_CONFIG")

_ATTRIBUTIONS: dict[Attribution, str] = {
    "exact": "exact",
    "apportioned": "apportioned",
    "mixed": "apportioned in part",
}


def dissimilarities(
    base: LineReport, new: LineReport, pairs: Sequence[tuple[SourceFile, SourceFile]]
) -> Iterator[QualityNote]:
    """What to know before the differences between two profiles are believed.

    Args:
        base: What was before.
        new: What is now.
        pairs: The files that both know.
    """
    if base.profile == new.profile:
        yield QualityNote(
            "same_profile",
            "warning",
            "Base and new are the same profile, so nothing differs. A name means the newest "
            "profile of that name; `sidelight profiles` lists the ids of the others.",
        )
    yield from _of_the_times(base, new)
    if base.format != new.format:
        yield QualityNote(
            "formats_differ",
            "info",
            f"Base was read from a {base.format}, new from a {new.format}: one may know lines or "
            "operators that the other does not. Record both in the same way to compare "
            "line by line.",
        )
    yield from _of_the_sources(base, new, pairs)


def different_cores(base: Mapping[str, str], new: Mapping[str, str]) -> Iterator[QualityNote]:
    """Whether two runs had logical cores of different sizes.

    Args:
        base: The environment variables that base ran with.
        new: The same of new.
    """
    was, now = _lnc(base), _lnc(new)
    if was and now and was != now:
        yield QualityNote(
            "lnc_differs",
            "warning",
            f"Base ran with LNC {was}, new with LNC {now}: a logical core is not the same share of "
            "the chip on both sides. Run both with one of them.",
        )


def _lnc(environment: Mapping[str, str]) -> str | None:
    return next((environment[name] for name in _LNC_VARIABLES if name in environment), None)


def _of_the_times(base: LineReport, new: LineReport) -> Iterator[QualityNote]:
    was, now = provenance(base.device, base.time_kind), provenance(new.device, new.time_kind)
    if base.time_kind != new.time_kind:
        yield QualityNote(
            "time_kinds_differ",
            "warning",
            f"Base is {was}, new is {now}: these times differ for other reasons than the code too. "
            f"{_what_compares(base, new)}",
        )
    elif was != now:
        yield QualityNote(
            "devices_differ",
            "warning",
            f"Base is {was}, new is {now}: what differs need not come from the code. Run "
            "both on the same device, or price both for one.",
        )
    if base.pricing and new.pricing and _rates(base.pricing) != _rates(new.pricing):
        priced = f"{pricing_text(base.pricing)}; new for {pricing_text(new.pricing)}"
        yield QualityNote(
            "pricings_differ",
            "warning",
            f"Base is priced for {priced}. Predictions by different rates differ for other reasons "
            "than the code too. Price both alike (sidelight open --device).",
        )
    if base.attribution != new.attribution:
        yield QualityNote(
            "attributions_differ",
            "info",
            f"The lines' times of base are {_ATTRIBUTIONS[base.attribution]}, those of new "
            f"{_ATTRIBUTIONS[new.attribution]}: apportioned time was split over the lines that may "
            "have caused it. Compare their totals rather than single lines.",
        )


def _what_compares(base: LineReport, new: LineReport) -> str:
    """What to do where one side's times are measured and the other's are predicted."""
    if compared_times(base, new) == "predicted":
        return "So what is predicted for both is compared."
    priced = base.pricing or new.pricing
    unpriced = base if base.predicted_ns is None else new
    return (
        "Measured compares with measured, and predicted with predicted: `sidelight open "
        f"{shlex.quote(unpriced.profile)} "
        f"--device {priced.chip if priced else 'trn2'}` prices what is not priced yet."
    )


def _rates(pricing: Pricing) -> object:
    rates = {parameter.name: parameter.value for parameter in pricing.parameters}
    return pricing.label, pricing.auto_cast, pricing.calibration, rates


def _of_the_sources(
    base: LineReport, new: LineReport, pairs: Sequence[tuple[SourceFile, SourceFile]]
) -> Iterator[QualityNote]:
    base_files, new_files = ({line.file for line in report.lines} for report in (base, new))
    in_use = [
        (before, after)
        for before, after in pairs
        if before.path in base_files or after.path in new_files
    ]
    if base_files and new_files and not in_use:
        yield QualityNote(
            "no_common_source",
            "info",
            "No file of base is a file of new, so every line is on one side only. Totals and "
            "operators compare all the same. Check that both are of one program.",
        )
    unknown = sum(before.text is None or after.text is None for before, after in in_use)
    if unknown:
        files = "one file" if unknown == 1 else f"{unknown} files"
        yield QualityNote(
            "source_text_unknown",
            "info",
            f"The text of {files} is not known on both sides: their lines are taken to be where "
            "they were. Profiles of runs by Sidelight keep the text.",
            unknown,
        )
