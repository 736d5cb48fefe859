"""What a script gets that reads the value of a tensor which has none.

What is read is not a number (or nought, where a type has nothing that says so), and the script goes
on with it. Where the value would decide what the script does next, there is no going on.
"""

from __future__ import annotations

import functools
import threading
from typing import Any, Union

import torch
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily

from . import private
from .callers import (
    expected_truth,
    loads_data,
    looks_for_overflow,
    mask_that_may_be_causal,
)
from .failures import Failures
from .mode import ValuelessMode, is_whole
from .transformers import is_causal

_Number = Union[float, complex, int, bool]


class Values:
    """Answers for the values of a mode's tensors, from its making on.

    The methods are set on torch's FakeTensor: until the script ends, all of them are this mode's.

    Args:
        mode: The mode.
        failures: Is told of what is read, and stops the script.
    """

    def __init__(self, mode: ValuelessMode, failures: Failures) -> None:
        self._mode = mode
        self._failures = failures
        self._threads = threading.local()
        mode.rules[torch.ops.aten._local_scalar_dense.default] = self._item
        mode.rules[torch.ops.aten.equal.default] = self._equal
        methods = {
            "__bool__": self.truth,
            "is_nonzero": self.truth,
            "__int__": self.whole_number,
            "__index__": self.index,
            "__format__": self.formatted,
            "numpy": self.numpy,
            "tolist": self.nested_list,
            "data_ptr": self.address,
            "__dlpack__": self.exchanged,
            "__dlpack_device__": self.exchanging_device,
        }
        for name, answer in methods.items():
            setattr(FakeTensor, name, _method(answer))
        to_dlpack = functools.wraps(private.dlpack.to_dlpack)(_method(self.exchanged))
        torch.to_dlpack = private.dlpack.to_dlpack = to_dlpack

    def truth(self, tensor: FakeTensor) -> bool:
        """``bool(tensor)``: decides what the script does next."""
        if tensor.numel() == 1 and tensor.constant is None:
            mask = mask_that_may_be_causal()
            if mask is not None:
                return is_causal(mask) or bool(self._filler(torch.bool))
            truth = expected_truth()
            if truth is None:
                raise self._failures.value_needed()
            return truth
        return torch.Tensor.__bool__(tensor)

    def index(self, tensor: FakeTensor) -> int:
        """A tensor where Python wants an index: a shape, or which one it is, depends on it."""
        if tensor.numel() == 1 and tensor.constant is None and is_whole(tensor.dtype):
            raise self._failures.value_needed()
        return torch.Tensor.__index__(tensor)

    def whole_number(self, tensor: FakeTensor) -> int:
        """``int(tensor)``, which has nothing to say "not a number" with."""
        self._threads.wants_whole = True
        try:
            return int(tensor.item())
        finally:
            self._threads.wants_whole = False

    def formatted(self, tensor: FakeTensor, specification: str) -> str:
        """``f"{tensor:.3f}"``: the number, where the tensor is one."""
        if tensor.dim() == 0:
            return tensor.item().__format__(specification)
        return object.__format__(tensor, specification)

    def numpy(self, tensor: FakeTensor, *, force: bool = False) -> Any:
        """``tensor.numpy()``: an array of the same shape and type."""
        with unset_fake_temporarily():
            return self._stand_in(tensor).numpy(force=force)

    def nested_list(self, tensor: FakeTensor) -> Any:
        """``tensor.tolist()``: the copy to the host that it makes of a device's tensor first."""
        on_host: Any = tensor.cpu()
        with unset_fake_temporarily():
            real: Any = self._stand_in(on_host)
            return real.tolist()

    def exchanged(self, tensor: torch.Tensor, **keywords: Any) -> Any:
        """What other libraries take a tensor by (DLPack): an array of the same shape and type."""
        if not isinstance(tensor, FakeTensor):
            real: Any = tensor
            return real.__dlpack__(**keywords)
        on_host: Any = tensor.cpu()
        with unset_fake_temporarily():
            stand_in: Any = self._stand_in(on_host)
            return stand_in.__dlpack__(**keywords)

    def exchanging_device(self, tensor: FakeTensor) -> tuple[Any, int]:
        """Where that is: on the host."""
        with unset_fake_temporarily():
            return torch.empty(0).__dlpack_device__()

    def address(self, tensor: FakeTensor) -> int:
        """``tensor.data_ptr()``: nowhere."""
        return 0

    def _item(self, func: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        (tensor,) = args
        if not isinstance(tensor, FakeTensor):
            return func(tensor)
        if tensor.constant is not None:
            return NotImplemented
        if looks_for_overflow() or loads_data():
            return 0
        wants_whole = getattr(self._threads, "wants_whole", False)
        return self._filler(torch.long if wants_whole else tensor.dtype)

    def _equal(self, func: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """``torch.equal``, by which torch's own checks read a truth, such as that of ``istft``."""
        known = all(map(self._mode.knows, args))
        is_truth = all(each.dim() == 0 and each.dtype is torch.bool for each in args)
        return self._filler(torch.bool) if is_truth and not known else NotImplemented

    def _stand_in(self, tensor: FakeTensor) -> torch.Tensor:
        """A real tensor in the place of one without values; to be made outside the mode."""
        if tensor.constant is not None:
            return tensor.constant
        filler = self._filler(tensor.dtype)
        real = torch.full(tensor.shape, filler, dtype=tensor.dtype, device="cpu")
        return real.requires_grad_(tensor.requires_grad)

    def _filler(self, dtype: torch.dtype) -> _Number:
        filler: _Number = float("nan")
        if dtype.is_complex:
            filler = complex(filler, filler)
        elif dtype is torch.bool:
            filler = False
        elif is_whole(dtype):
            filler = 0
        self._failures.value_read(filler)
        return filler


def _method(answer: Any) -> Any:
    """A function, which a class makes a method of, instead of a method of ours."""

    def method(tensor: FakeTensor, *arguments: Any, **keywords: Any) -> Any:
        return answer(tensor, *arguments, **keywords)

    return method
