"""The rules as a whole: which operators they know, and that no call can upset them."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportPrivateUsage=false
from __future__ import annotations

import math
import re

import pytest
import torch
from hypothesis import given, settings, strategies as st

from sidelight.hardware.calls import Argument, OperatorCall
from sidelight.hardware.operators import registry
from sidelight.hardware.operators.collectives import RULES as COLLECTIVES
from sidelight.hardware.prediction import predict, predict_call, work_of
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor

EVERY_OPERATOR = [name.partition(".")[0] for name in torch._C._dispatch_get_all_op_names()]

LEFT_TO_THEIR_BYTES = re.compile(
    r"""aten::(
        .*sparse.* | _spsolve | .*nested.* | .*jagged.* | .*coo.* | .*csr.* | .*_test_.* | _foobar
      | .*(ccol|col|crow|row)_indices.* | .*_philox.* | .*histogram.* | .*segment_reduce.*
      | _cslt.* | _convert.* | .*moving_avg.* | quantized_(gru|lstm) | .*_jvp | .*_copy
      | _(triton|native)_multi_head_attention | _transformer.*
      | .*(mps|miopen|nnpack|to_mkldnn|mkldnn_re|_mkldnn_).* | mkldnn.*_backward.*
      | _?cudnn_(attention|rnn|affine|grid|convolution_transpose).*
      | batch_norm_(backward|gather|update).* | _batch_norm_with_update_functional
      | slow_conv_transpose[23]d | _slow_conv2d_backward | conv_tbc
      | (linear|matmul|max_pool2d|masked_scatter|_pdist|_standard_gamma)_(grad|backward)
      | _dirichlet_grad | _sample_dirichlet | _(make|fake_quantize)_per.* | _fake_quantize.*backward
      | _dyn_quant_pack.* | _unsafe_masked.* | _embedding_bag_per.* | _grid_sampler.*backward
      | _(chunk_cat|trilinear|coalesce|spdiags|compute_linear_combination|mixed_dtypes_linear)
      | _(lstm_mps|fill_mem_eff_dropout_mask|pack_padded_sequence|cholesky_solve_helper)
      | _(empty|flash_attention_forward_no).* | _(new_zeros_with_same_feature_meta|copy_from_and.*)
      | _amp_update_scale | embedding_renorm | (hspmm|sspaddmm|isin|renorm|int_repr|from_file)
      | hash_tensor | normal_functional | q_per_channel_(scales|zero_points) | slice_inverse
      | rrelu_with_noise_functional | to_padded_tensor | values_copy
    )_?""",
    re.VERBOSE,
)
"""What no device runs as one kernel, other backends' own names, and what models do not call."""


def has_kernel_of_its_own(name: str) -> bool:
    return not torch._C._dispatch_has_kernel_for_dispatch_key(name, "CompositeImplicitAutograd")


def test_every_operator_with_a_kernel_has_a_rule_or_costs_nothing() -> None:
    names = {
        name.partition(".")[0]
        for name in torch._C._dispatch_get_all_op_names()
        if name.startswith("aten::") and has_kernel_of_its_own(name)
    }
    assert len(names) > 900
    without = [
        name
        for name in sorted(names)
        if not (registry.rule_for(name) or registry.is_free(name) or registry.is_free_alone(name))
        and not LEFT_TO_THEIR_BYTES.fullmatch(name)
    ]
    assert without == []


@pytest.mark.parametrize("name", sorted(registry.ruled_names()))
def test_every_rule_is_for_an_operator_of_torch(name: str) -> None:
    known = set(EVERY_OPERATOR)
    assert {f"aten::{name}", f"aten::{name}_"} & known, f"torch has no {name}"


def test_no_operator_is_both_free_and_priced() -> None:
    both = [name for name in registry.ruled_names() if registry.is_free(f"aten::{name}")]
    assert both == []


@pytest.mark.parametrize("name", sorted(COLLECTIVES))
def test_every_collective_is_one_of_torch(name: str) -> None:
    known = {each.partition("::")[2].rstrip("_") for each in EVERY_OPERATOR if "c10d" in each}
    assert name in known


def test_an_operator_in_place_has_the_rule_of_the_other() -> None:
    assert registry.rule_for("aten::add_") is registry.rule_for("aten::add")
    assert registry.rule_for("aten::__or__") is not None
    assert registry.rule_for("aten::no_such_operator") is None
    assert registry.rule_for("mylib::add") is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("aten::mm", True),
        ("torch_ipex::linear", True),
        ("autograd::engine::evaluate_function: AddmmBackward0", False),
        ("Optimizer.step#SGD.step", False),
        ("ProfilerStep#3", False),
        ("my::region of mine", False),
        ("sidelight::compiled_region", False),
    ],
)
def test_marked_regions_are_no_operators(name: str, expected: bool) -> None:
    assert registry.is_operator(name) is expected


def test_an_unknown_operator_is_priced_by_its_bytes() -> None:
    operands = (Tensor((10, 6), "float32"), Tensor((10, 20), "bfloat16"), 3)
    work, known = work_of(OperatorCall("mylib::mix", operands), Setup())
    assert work is not None
    assert not known
    assert (work.read_bytes, work.written_bytes) == (240 + 400, 400)


def test_an_operator_without_tensors_has_no_price() -> None:
    assert predict_call(OperatorCall("mylib::seed", (4, "x", None)), Setup()) is None


SHAPES = st.lists(st.integers(0, 5), max_size=5).map(tuple)
DTYPES = st.sampled_from(["float32", "bfloat16", "int64", "bool", "complex64", "float8_e4m3fn"])
TENSORS = st.builds(Tensor, SHAPES, DTYPES)
ARGUMENTS: st.SearchStrategy[Argument] = st.one_of(
    TENSORS,
    TENSORS,
    st.lists(TENSORS, max_size=3).map(tuple),
    st.lists(st.integers(-3, 5), max_size=4),
    st.integers(-3, 20),
    st.floats(allow_nan=False),
    st.booleans(),
    st.sampled_from([None, "", "[True, False, True]", "[2., 1.5]", "mean", "[nan]"]),
)
RULED = sorted(f"aten::{name}" for name in registry.ruled_names())
LISTED = ["aten::_foreach_add_", "aten::_foreach_norm", "aten::_foreach_copy_"]
SPOKEN = [f"c10d::{name}_" for name in sorted(COLLECTIVES)]


@settings(max_examples=3000, deadline=None)
@given(
    st.sampled_from([*RULED, *LISTED, *SPOKEN]),
    st.lists(ARGUMENTS, max_size=12).map(tuple),
)
def test_no_arguments_upset_a_rule(name: str, arguments: tuple[Argument, ...]) -> None:
    """They come from a file: whatever they are, a rule understands them or says it does not."""
    work, _ = work_of(OperatorCall(name, arguments), Setup())
    if work is None:
        return
    demands = (
        *(work.flops, work.read_bytes, work.written_bytes, work.vector_elements),
        *(work.reduced_elements, work.scalar_elements, work.gpsimd_elements),
        *(work.descriptors, work.link_bytes, work.reread_bytes),
    )
    assert all(isinstance(each, int) and each >= 0 for each in demands), work
    prediction = predict(work, Setup(), fixed_ns=1000)
    assert prediction.duration_ns >= 0
    assert math.isfinite(prediction.duration_ns)


@settings(max_examples=500, deadline=None)
@given(
    st.sampled_from(sorted(registry.backward_names())),
    st.lists(ARGUMENTS, max_size=8).map(tuple),
)
def test_no_arguments_upset_a_backward_rule(name: str, arguments: tuple[Argument, ...]) -> None:
    rule = registry.backward_rule_for(f"aten::{name}")
    assert rule is not None
    work = rule(OperatorCall(f"aten::{name}", arguments))
    assert work is None or min(work.flops, work.read_bytes, work.written_bytes) >= 0
