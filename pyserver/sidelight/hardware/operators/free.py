"""Operators that cost the device nothing: views, allocation, and what only the host looks at."""

from __future__ import annotations

from typing import Final


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VIEWS: Final = _names(
    """
    H T _coalesced _conj _dimI _dimV _fw_primal _indices _make_dual _neg_view
    _nested_view_from_buffer _nested_view_from_jagged _reshape_alias _unsafe_view _values adjoint
    alias as_strided atleast_1d atleast_2d atleast_3d broadcast_tensors broadcast_to ccol_indices
    chunk col_indices crow_indices detach diagonal dsplit expand expand_as hsplit imag indices lift
    lift_fresh linalg_diagonal mH mT matrix_H meshgrid moveaxis movedim narrow numpy_T permute
    positive real row_indices select slice split split_with_sizes squeeze swapaxes swapdims t
    tensor_split transpose unbind unflatten unfold unsafe_chunk unsafe_split
    unsafe_split_with_sizes unsqueeze values view view_as view_as_complex view_as_real vsplit
    """
)
"""They give another look at the same memory."""

ALLOCATION: Final = _names(
    """
    _cudnn_init_dropout_state _has_compatible_shallow_copy_type _pin_memory _resize_output _version
    empty empty_like empty_permuted empty_quantized empty_strided is_pinned new_empty
    new_empty_strided output_nr record_stream requires_grad resize resize_as retain_grad set
    set_data
    """
)
"""They take or name memory without touching it."""

HOST: Final = _names(
    """
    _assert_async _assert_scalar _assert_tensor_metadata _functional_assert_async
    _functional_assert_scalar _functional_sym_constrain_range
    _functional_sym_constrain_range_for_size _fused_sdp_choice _has_same_storage_numel
    _linalg_check_errors _local_scalar_dense _make_dep_token _nnz _print _use_cudnn_ctc_loss
    _use_miopen_ctc_loss _validate_compressed_sparse_indices can_cast dense_dim dim is_coalesced
    is_complex is_floating_point is_nonzero is_same_size is_set_to item numel q_per_channel_axis
    q_scale q_zero_point qscheme result_type scalar_tensor size sparse_dim stride
    sym_constrain_range sym_constrain_range_for_size sym_numel sym_size sym_stride
    """
)
"""What they give is the host's; those that read a value wait for the device."""

WAITS: Final = _names(
    "_local_scalar_dense _unique _unique2 equal is_nonzero item masked_select nonzero unique_dim"
)
"""The host waits until the device has finished: it wants a value, or a size that is in values."""

SYNCHRONIZE: Final = "sidelight::synchronize"
"""The row that a recording has where the program itself waits for the device."""

PASSED_THROUGH: Final = _names(
    """
    __getitem__ allclose alpha_dropout conj contiguous cpu cuda cudnn_is_acceptable data
    feature_alpha_dropout feature_dropout flatten pin_memory ravel reshape reshape_as resolve_conj
    resolve_neg rot90 to type_as
    """
)
"""They call other operators where there is something to do, and cost nothing where there is not."""
