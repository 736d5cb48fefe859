"""New tensors: filled with a number, a sequence, or random numbers."""

from __future__ import annotations

from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, product
from ..work import Work
from .random_numbers import random_work
from .reductions import INDEX
from .rule import Rule

_DEFAULT: Final = "float32"


def _fill(target: Tensor) -> Work:
    return Work("fill", written_bytes=target.nbytes, dtype=target.dtype)


def _uniform(target: Tensor) -> Work:
    return random_work(target, normal=False)


def _gaussian(target: Tensor) -> Work:
    return random_work(target, normal=True)


def _sequence(target: Tensor) -> Work:
    """``iota`` on the GpSimd Engine (AWS NKI documentation)."""
    return Work(
        "sequence of numbers",
        flops=target.numel,
        written_bytes=target.nbytes,
        gpsimd_elements=target.numel,
        dtype=target.dtype,
    )


def _sized(*, dtype_at: int, random: str = "") -> Rule:
    """Of given sizes, in a dtype that may be named."""

    def work(call: OperatorCall) -> Work | None:
        sizes = call.numbers(0)
        if sizes is None:
            return None
        # The overload with a generator has it before the dtype.
        named = call.dtype(dtype_at) or (call.dtype(dtype_at + 1) if random else None)
        target = Tensor(tuple(sizes), named or call.as_run(_DEFAULT))
        return _made(target, random)

    return work


def _full(call: OperatorCall) -> Work | None:
    """``full``: unless a dtype is named, the number that it is filled with has one."""
    sizes = call.numbers(0)
    if sizes is None:
        return None
    usual = INDEX if call.number(1) is not None else call.as_run(_DEFAULT)
    return _fill(Tensor(tuple(sizes), call.dtype(2) or usual))


def _made(target: Tensor, random: str) -> Work:
    if random == "normal":
        return _gaussian(target)
    return _uniform(target) if random else _fill(target)


def _like(*, dtype_at: int, random: str = "") -> Rule:
    """Of the sizes of a tensor, and of its dtype unless another is named."""

    def work(call: OperatorCall) -> Work | None:
        source = call.tensor(0)
        if source is None:
            return None
        return _made(source.typed(call.dtype(dtype_at) or source.dtype), random)

    return work


def _new(*, dtype_at: int) -> Rule:
    """Of given sizes, and of a tensor's dtype unless another is named."""

    def work(call: OperatorCall) -> Work | None:
        source, sizes = call.tensor(0), call.numbers(1)
        if source is None or sizes is None:
            return None
        return _fill(Tensor(tuple(sizes), call.dtype(dtype_at) or source.dtype))

    return work


def _random_integers(call: OperatorCall) -> Work | None:
    """``randint``: one or two bounds before the sizes."""
    for index in (1, 2):
        sizes = call.numbers(index)
        if sizes is not None and call.number(index) is None:
            return _uniform(Tensor(tuple(sizes), call.dtype(index + 1) or INDEX))
    return None


def _range(call: OperatorCall) -> Work | None:
    """``arange``: its end, its start and end, or a step too; what it is written to may be given."""
    given = call.tensor(3)
    if given is not None and given.numel:
        return _sequence(given)
    bounds: list[float] = []
    for argument in call.arguments[: min(3, len(call.arguments) - 1)]:
        if isinstance(argument, bool) or not isinstance(argument, (int, float)):
            break
        bounds.append(argument)
    count = min(_BOUNDS.get(len(call.arguments), 3), len(bounds))
    if not count:
        return None
    start = bounds[0] if count > 1 else 0
    end = bounds[1] if count > 1 else bounds[0]
    step = bounds[2] if count > 2 else 1
    whole = all(isinstance(bound, int) for bound in bounds[:count])
    length = max(int(-((start - end) // step)), 0) if step else 0
    named = call.dtype(count)
    return _sequence(Tensor((length,), named or (INDEX if whole else call.as_run(_DEFAULT))))


_BOUNDS: Final = {4: 3, 5: 1, 6: 2, 7: 3}
"""How many bounds ``arange`` has, by the number of its arguments."""


def _spaced(call: OperatorCall) -> Work | None:
    """``linspace``: so many numbers between two."""
    count = call.number(2)
    if count is None:
        return None
    named = call.dtype(4 if call.name.endswith("logspace") else 3)
    return _sequence(Tensor((count,), named or call.as_run(_DEFAULT)))


def _identity(call: OperatorCall) -> Work | None:
    """``eye``: square, or of two sizes."""
    rows = call.number(0)
    if rows is None:
        return None
    square = len(call.arguments) < 6
    columns = rows if square else call.number(1)
    named = call.dtype(1 if square else 2)
    target = Tensor(
        (rows, columns if columns is not None else rows), named or call.as_run(_DEFAULT)
    )
    return _sequence(target)


def _triangle_places(call: OperatorCall) -> Work | None:
    """``tril_indices``: at most the places of a whole rectangle, two numbers each."""
    rows, columns = call.number(0), call.number(1)
    if rows is None or columns is None:
        return None
    return _sequence(Tensor((2, product((rows, columns)) // 2), INDEX))


def _window(call: OperatorCall) -> Work | None:
    """``hann_window`` and its like: a cosine for each place."""
    length = call.number(0)
    if length is None:
        return None
    target = Tensor((length,), call.as_run(_DEFAULT))
    return Work(
        "window",
        flops=2 * length,
        written_bytes=target.nbytes,
        scalar_elements=length,
        gpsimd_elements=length,
    )


RULES: Final[dict[str, Rule]] = {
    "zeros": _sized(dtype_at=1),
    "_efficientzerotensor": _sized(dtype_at=1),
    "ones": _sized(dtype_at=1),
    "full": _full,
    "rand": _sized(dtype_at=1, random="uniform"),
    "randn": _sized(dtype_at=1, random="normal"),
    "randint": _random_integers,
    "zeros_like": _like(dtype_at=1),
    "ones_like": _like(dtype_at=1),
    "full_like": _like(dtype_at=2),
    "rand_like": _like(dtype_at=1, random="uniform"),
    "randn_like": _like(dtype_at=1, random="normal"),
    "randint_like": _like(dtype_at=-1, random="uniform"),
    "new_zeros": _new(dtype_at=2),
    "new_ones": _new(dtype_at=2),
    "new_full": _new(dtype_at=3),
    **dict.fromkeys(("arange", "range"), _range),
    **dict.fromkeys(("linspace", "logspace"), _spaced),
    **dict.fromkeys(("fft_fftfreq", "fft_rfftfreq"), _window),
    "eye": _identity,
    **dict.fromkeys(("tril_indices", "triu_indices"), _triangle_places),
    **{f"{name}_window": _window for name in ("bartlett", "blackman", "hamming", "hann", "kaiser")},
}
