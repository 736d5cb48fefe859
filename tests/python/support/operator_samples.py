"""Calls torch's own samples of its operators on the virtual device and on the CPU.

    PYTHONPATH=tests/python python tests/python/support/operator_samples.py PART PARTS

writes how each operator of a part of torch's list fared, as one line of JSON.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from support.device_checks import begin

SAMPLES = 3
"""Of float32, with gradients; of each other type there is one."""

TYPES = ("float32", "bfloat16", "complex64", "int64", "bool")

UNDEFINED = ("empty", "empty_like", "empty_permuted", "empty_strided", "new_empty")
"""How the names of operators begin whose results have no values to compare."""


def fates(part: int, parts: int) -> dict[str, str]:
    """How the operators of a part of the list fared.

    Returns:
        Operator to what went wrong; nothing where the device gave what the CPU did.
    """
    # By its path: samples ask where they are made, which takes long in a module run by its name.
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", __file__, str(part), str(parts)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


class Differs(Exception):  # noqa: N818
    """The device gave something else."""


def samples(operator: Any, device: str, dtype: Any, count: int) -> list[Any]:
    """The first samples of an operator's inputs; none where torch has none without a GPU."""
    from torch.testing._internal.common_utils import set_rng_seed

    set_rng_seed(0)
    differentiable = operator.supports_autograd and (dtype.is_floating_point or dtype.is_complex)
    made = operator.sample_inputs(device, dtype, requires_grad=differentiable)
    return list(islice(made, count))


def results(operator: Any, sample: Any) -> tuple[list[Any], list[Any]]:
    """What an operator gives for a sample, and the gradients of the sample's tensors."""
    import torch
    from torch.utils._pytree import tree_leaves

    torch.manual_seed(1)
    given = tree_leaves(operator(sample.input, *sample.args, **sample.kwargs))
    ends = [each for each in given if isinstance(each, torch.Tensor) and each.requires_grad]
    starts = [
        each
        for each in tree_leaves((sample.input, sample.args, sample.kwargs))
        if isinstance(each, torch.Tensor) and each.requires_grad
    ]
    if not ends or not starts:
        return given, []
    ones = [torch.ones_like(end) for end in ends]
    torch.manual_seed(2)
    try:
        return given, list(torch.autograd.grad(ends, starts, ones, allow_unused=True))
    except RuntimeError as error:
        return given, [str(error).split(" ")[0]]


def compare(on_device: Any, on_host: Any, *, has_values: bool) -> None:
    """Raise where a part of a result is not the same on both."""
    import torch

    if not isinstance(on_host, torch.Tensor):
        same = on_device == on_host or on_host != on_host
        if type(on_device) is not type(on_host) or not same:
            raise Differs(f"{on_device} instead of {on_host}")
        return
    for look in ("dtype", "shape", "layout"):
        if getattr(on_device, look) != getattr(on_host, look):
            raise Differs(f"has another {look}")
    if on_host.layout is torch.strided and on_device.stride() != on_host.stride():
        raise Differs("has other strides")
    if has_values:
        back, host = on_device.detach().cpu(), on_host.detach()
        if not is_close(back, host, 0.0):
            raise Differs("rounds differently" if is_close(back, host) else "has other values")


def check_device(result: Any) -> None:
    """Raise where a tensor is not where it belongs; sparse ones are the host's."""
    import torch

    is_dense = isinstance(result, torch.Tensor) and result.layout is torch.strided
    if is_dense and result.device.type != "neuron":
        raise Differs("is not on the device")


def is_close(one: Any, other: Any, tolerance: float | None = None) -> bool:
    """Whether tensors have the same values, within a tolerance or torch's for their type."""
    import torch

    try:
        torch.testing.assert_close(one, other, rtol=tolerance, atol=tolerance, equal_nan=True)
    except AssertionError:
        return False
    return True


def pairs(operator: Any) -> Iterator[tuple[Any, Any]]:
    """Samples on the device, and the same on the host."""
    import torch

    supported = operator.supported_dtypes("cpu")
    for name in TYPES:
        dtype = getattr(torch, name)
        if dtype in supported:
            count = SAMPLES if dtype is torch.float32 else 1
            made = samples(operator, "neuron", dtype, count)
            host_made = samples(operator, "cpu", dtype, count)
            for on_device, on_host in zip(made, host_made, strict=False):
                is_same = is_same_sample(on_device, on_host)
                yield on_device if is_same else on_host.transform(to_device), on_host


def is_same_sample(on_device: Any, on_host: Any) -> bool:
    """Whether a sample came out on the device as on the host: some are made for other devices."""
    from torch.utils._pytree import tree_leaves

    mine, theirs = (
        tree_leaves((sample.input, sample.args, sample.kwargs)) for sample in (on_device, on_host)
    )
    try:
        for one, other in zip(mine, theirs, strict=True):
            if not isinstance(other, str):
                compare(one, other, has_values=True)
    except (Differs, ValueError):
        return False
    return True


def to_device(value: Any) -> Any:
    """A part of a sample, on the device where it is a tensor."""
    import torch

    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().to("neuron").requires_grad_(value.requires_grad)


def fate(operator: Any) -> str:
    """What went wrong with the first sample that did not come out the same; nothing if none."""
    has_values = not operator.name.startswith(UNDEFINED)
    for sample, host_sample in pairs(operator):
        try:
            expected, expected_gradients = results(operator, host_sample)
        except Exception:
            continue  # torch's own tests leave it out, or expect it.
        try:
            found, gradients = results(operator, sample)
            for mine, theirs in zip(found, expected, strict=True):
                check_device(mine)
                compare(mine, theirs, has_values=has_values)
        except Exception as error:
            return words(error)
        try:
            for mine, theirs in zip(gradients, expected_gradients, strict=True):
                check_device(mine)
                compare(mine, theirs, has_values=has_values)
        except Exception as error:
            return f"gradient {words(error)}"
    return ""


def words(error: Exception) -> str:
    """An error in short."""
    if isinstance(error, Differs):
        return str(error)
    return f"{type(error).__name__}: {str(error).partition('.')[0][:100]}"


def operators(part: int, parts: int) -> list[Any]:
    """Every so many operators of torch's list, each with all its variants."""
    from torch.testing._internal.common_methods_invocations import op_db

    chosen = sorted({operator.name for operator in op_db})[part::parts]
    return [operator for operator in op_db if operator.name in chosen]


def main(part: int, parts: int) -> None:
    """Write how a part's operators fared."""
    import torch

    torch.set_num_threads(1)
    begin()
    warnings.simplefilter("ignore")
    found: dict[str, str] = {}
    for operator in operators(part, parts):
        variant = operator.variant_test_name
        name = f"{operator.name} ({variant})" if variant else operator.name
        found[name] = fate(operator)
    print(json.dumps(found))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
