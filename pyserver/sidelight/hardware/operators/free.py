"""Operators that cost the device nothing: views, allocation, and what only the host looks at."""

from __future__ import annotations

from typing import Final

VIEWS: Final = frozenset(
    [
        "_conj",
        "_neg_view",
        "_reshape_alias",
        "_unsafe_view",
        "alias",
        "as_strided",
        "chunk",
        "detach",
        "diagonal",
        "expand",
        "expand_as",
        "flatten",
        "hsplit",
        "imag",
        "lift",
        "lift_fresh",
        "movedim",
        "mT",
        "narrow",
        "numpy_T",
        "permute",
        "positive",
        "ravel",
        "real",
        "resolve_conj",
        "resolve_neg",
        "select",
        "slice",
        "split",
        "split_with_sizes",
        "squeeze",
        "swapaxes",
        "swapdims",
        "t",
        "tensor_split",
        "transpose",
        "unbind",
        "unflatten",
        "unfold",
        "unsafe_chunk",
        "unsafe_split",
        "unsafe_split_with_sizes",
        "unsqueeze",
        "view",
        "view_as",
        "view_as_complex",
        "view_as_real",
        "vsplit",
        "dsplit",
        "_nested_view_from_buffer",
        "values",
        "indices",
    ]
)
"""They give another look at the same memory."""

ALLOCATION: Final = frozenset(
    [
        "empty",
        "empty_like",
        "empty_permuted",
        "empty_strided",
        "new_empty",
        "new_empty_strided",
        "resize",
        "resize_as",
        "set",
        "set_data",
        "_resize_output",
        "record_stream",
        "requires_grad",
        "retain_grad",
        "output_nr",
        "_has_compatible_shallow_copy_type",
        "_version",
        "is_pinned",
        "_pin_memory",
    ]
)
"""They take or name memory without touching it."""

HOST: Final = frozenset(
    [
        "item",
        "_local_scalar_dense",
        "is_nonzero",
        "equal",
        "is_same_size",
        "size",
        "stride",
        "numel",
        "dim",
        "sym_size",
        "sym_numel",
        "sym_stride",
        "is_floating_point",
        "is_complex",
        "result_type",
        "can_cast",
        "_assert_async",
        "_assert_tensor_metadata",
        "allclose",
    ]
)
"""What they give is the host's; those that read a value wait for the device."""

WAITS: Final = frozenset(["item", "_local_scalar_dense", "is_nonzero", "equal", "nonzero"])
"""The host waits until the device has finished: it wants a value."""

PASSED_THROUGH: Final = frozenset(
    [
        "to",
        "type_as",
        "contiguous",
        "reshape",
        "reshape_as",
        "conj",
        "broadcast_to",
        "pin_memory",
        "data",
        "cpu",
        "cuda",
        "cudnn_is_acceptable",
        "rot90",
        "__getitem__",
        "feature_dropout",
        "alpha_dropout",
    ]
)
"""They call other operators where there is something to do, and cost nothing where there is not."""
