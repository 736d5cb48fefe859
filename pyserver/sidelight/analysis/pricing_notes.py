"""What the data-quality report says of a profile's prices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

from sidelight.analysis.kernels import KernelWalk
from sidelight.analysis.nesting import IntColumn
from sidelight.analysis.signatures import lacks_a_list
from sidelight.hardware.calls import OperatorCall
from sidelight.profile import units
from sidelight.profile.manifest import STAND_IN_TARGETS, Pricing
from sidelight.profile.model import Profile
from sidelight.profile.quality import QualityNote

NOT_PRICED = "not_priced"
KERNELS_NOT_PRICED = "kernels_not_priced"
COMPILED_CODE_NOT_PRICED = "compiled_code_not_priced"
PARTLY_PRICED = frozenset({NOT_PRICED, KERNELS_NOT_PRICED, COMPILED_CODE_NOT_PRICED})
"""Codes of what is missing from a predicted sum."""

HOST_TIME_PREDICTED = "host_time_predicted"
PRICING_CODES = PARTLY_PRICED | {
    "priced_by_bytes",
    "products_priced_by_bytes",
    "priced_as_if_all",
    "priced_in_pieces",
    "host_work_priced",
    "memory_exceeds_capacity",
    "memory_not_estimated",
    "calibrated_on_another_device",
    HOST_TIME_PREDICTED,
}
"""Codes of all that is said of prices: it goes when a profile is priced anew."""

_NEURON = "neuron"
"""What readers call the device of a trace that was recorded on a chip."""

_MOST_NAMES = 8

_LONG_LISTS = (
    "torch's profiler writes no sizes of lists of more than 30 tensors: run the script with "
    "--target fake, or on device `neuron` with --target virtual, where they are known."
)


def note_pricing(
    profile: Profile,
    walk: KernelWalk,
    pricing: Pricing,
    *,
    without_sizes: Sequence[int],
    unexplained: IntColumn,
    launching: Set[int],
) -> None:
    """Say what was guessed, what has no price, and whether it fits.

    Args:
        profile: The profile; its report is added to.
        walk: The kernels it was priced by.
        pricing: What it was priced for.
        without_sizes: Events of operators that lack sizes, or have none that make sense.
        unexplained: Events of the device that nothing with a price launched.
        launching: The kernels, by their events, in which others of the device were launched.
    """
    for note in (
        _priced_by_bytes(walk),
        _products_priced_by_bytes(walk),
        _in_pieces(profile, walk),
        _picked_all(walk),
        _not_priced(profile, without_sizes),
        _compiled_code(walk),
        _kernels_not_priced(profile, unexplained),
        _host_work(profile, walk, launching),
        _other_device(pricing),
        _memory(profile, pricing),
    ):
        if note:
            profile.note(note)


def _priced_by_bytes(walk: KernelWalk) -> QualityNote | None:
    calls = [kernel.operation.call for kernel in walk.kernels if not kernel.is_known]
    names = Counter(call.name for call in calls if not _may_multiply(call))
    if not names:
        return None
    return QualityNote(
        "priced_by_bytes",
        "info",
        "For some operators there is no rule, or the trace lacks what it needs; they are "
        f"priced by the bytes they were given: {_listed(names)}.",
        names.total(),
    )


def _products_priced_by_bytes(walk: KernelWalk) -> QualityNote | None:
    calls = [kernel.operation.call for kernel in walk.kernels if not kernel.is_known]
    names = Counter(call.name for call in calls if _may_multiply(call))
    if not names:
        return None
    return QualityNote(
        "products_priced_by_bytes",
        "warning",
        "Some operators without a rule are given several matrices. They are priced by the bytes of "
        f"those, which is far too little where they multiply them: {_listed(names)}. Write them "
        "with operators of torch's own to have them priced by what they do.",
        names.total(),
    )


def _may_multiply(call: OperatorCall) -> bool:
    """Whether an operator was given several matrices: what it does with them may take long."""
    return sum(len(tensor.shape) > 1 for tensor in call.tensors) > 1


def _in_pieces(profile: Profile, walk: KernelWalk) -> QualityNote | None:
    if not walk.in_pieces:
        return None
    names = Counter(profile.strings[int(profile.events["name"][row])] for row in walk.in_pieces)
    return QualityNote(
        "priced_in_pieces",
        "warning",
        "Some operators on many tensors at once are priced as the operators that they call, which "
        f"takes longer than a single kernel: {_listed(names)}. {_LONG_LISTS}",
        names.total(),
    )


def _picked_all(walk: KernelWalk) -> QualityNote | None:
    operations = [kernel.operation for kernel in walk.kernels]
    names = Counter(each.call.name for each in operations if each.work.picks_all)
    if not names:
        return None
    return QualityNote(
        "priced_as_if_all",
        "info",
        "How much some operators pick is in values, which a recording does not have. They are "
        f"priced as if it were all that there is, which is the most: {_listed(names)}.",
        names.total(),
    )


def _not_priced(profile: Profile, rows: Sequence[int]) -> QualityNote | None:
    if not rows:
        return None
    names = Counter(profile.strings[int(profile.events["name"][row])] for row in rows)
    signatures: set[int] = set(profile.events["signature"][list(rows)].tolist())
    advice = " Record with record_shapes=True to see them." if -1 in signatures else ""
    long_lists = any(lacks_a_list(profile.strings[each]) for each in signatures if each >= 0)
    if long_lists:
        advice += f" {_LONG_LISTS}"
    return QualityNote(
        NOT_PRICED,
        "warning",
        "What some operators work on is not in the recording, or is nothing that can be, so that "
        f"they have no price: {_listed(names)}.{advice}",
        names.total(),
    )


def _compiled_code(walk: KernelWalk) -> QualityNote | None:
    calls = len(walk.generated_code)
    if not calls:
        return None
    return QualityNote(
        COMPILED_CODE_NOT_PRICED,
        "warning",
        "Of compiled code the trace shows only the operators that it calls, so that the kernels "
        "which the compiler made have no price. Run the script with --target fake to price all "
        "that is compiled.",
        calls,
    )


def _kernels_not_priced(profile: Profile, rows: IntColumn) -> QualityNote | None:
    time_ns = int(profile.events["device_ns"][rows].sum())
    if not time_ns:
        return None
    return QualityNote(
        KERNELS_NOT_PRICED,
        "warning",
        f"{units.duration(time_ns)} of the measured device time has no prediction beside it: no "
        "operator with a price launched those kernels. Replayed graphs, compiled code and kernels "
        "written by hand are such. Compare what is predicted with the rest alone.",
        len(rows),
    )


def _host_work(profile: Profile, walk: KernelWalk, launching: Set[int]) -> QualityNote | None:
    """Where a device was recorded: what has a price, and launched nothing on it."""
    events = profile.events
    rows = [kernel.row for kernel in walk.kernels if kernel.row not in launching]
    is_priced = (events["price"][rows] >= 0) & (events["step"][rows] >= 0)
    predicted_ns = int(events["predicted_ns"][rows][is_priced].sum())
    if not launching or not predicted_ns:
        return None
    return QualityNote(
        "host_work_priced",
        "info",
        "Some operators with a price launched nothing on the device that was recorded: they may "
        f"have run on the host. {units.duration(predicted_ns, predicted=True)} of the predicted "
        "time is theirs. Subtract it if they did.",
        int(is_priced.sum()),
    )


def _other_device(pricing: Pricing) -> QualityNote | None:
    """Where the rates are those of a device that is no Neuron one."""
    if pricing.measured_on in (None, _NEURON):
        return None
    return QualityNote(
        "calibrated_on_another_device",
        "warning",
        f"The fit {pricing.calibration} is of times that were measured on {pricing.measured_on}, "
        f"so that predicted times are those of a {pricing.chip} with that device's rates. Fit one "
        f"to a trace that was recorded on {pricing.chip}.",
    )


def _memory(profile: Profile, pricing: Pricing) -> QualityNote | None:
    manifest = profile.manifest
    memory = manifest.memory
    if memory is None:
        if manifest.target in STAND_IN_TARGETS or manifest.device == _NEURON:
            return None
        return QualityNote(
            "memory_not_estimated",
            "info",
            "Whether it fits on the device is not known: a trace does not say what the program "
            "holds. Run the script with --target fake to have that estimated.",
        )
    if memory.peak_bytes <= pricing.hbm_bytes:
        return None
    return QualityNote(
        "memory_exceeds_capacity",
        "warning",
        f"It does not fit: the program holds ≈{units.size(memory.peak_bytes)} at its peak, and "
        f"one logical core ({pricing.label}) has {units.size(pricing.hbm_bytes)} of HBM. "
        "Use a smaller batch or model, fewer bits, or more cores.",
    )


def _listed(names: Counter[str]) -> str:
    listed = ", ".join(name for name, _ in names.most_common(_MOST_NAMES))
    more = len(names) - _MOST_NAMES
    return f"{listed} and {more} more" if more > 0 else listed
