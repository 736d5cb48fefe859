"""Bytes, against the real tensors that the same call reads and makes."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from sidelight.hardware.operators.registry import rule_for
from sidelight.hardware.work import Work
from support.recorded_operators import recorded_call

ATEN: Any = torch.ops.aten

Tensors = Iterable[torch.Tensor]
Case = Callable[[], tuple[Tensors, Tensors]]
"""Makes one call; gives the tensors that it reads, and those that it writes."""

HALF = torch.bfloat16
SINGLE = torch.float32


def filled(*shape: int, dtype: torch.dtype = SINGLE) -> torch.Tensor:
    return torch.ones(shape, dtype=dtype)


def unary(function: Callable[[torch.Tensor], Any], source: torch.Tensor) -> Case:
    def case() -> tuple[Tensors, Tensors]:
        result = function(source)
        return [source], result if isinstance(result, tuple) else [result]

    return case


def of(function: Callable[..., Any], *operands: torch.Tensor) -> Case:
    def case() -> tuple[Tensors, Tensors]:
        result = function(*operands)
        return operands, result if isinstance(result, tuple | list) else [result]

    return case


WIDE = filled(33, 65)
HALVES = filled(33, 65, dtype=HALF)
WHOLE = filled(33, 65, dtype=torch.int64)
COLUMN, ROW, NUMBER = filled(33, 1), filled(65), torch.tensor(2.0)
BATCH = filled(4, 6, 9, 11)
WEIGHTS = filled(6)

ELEMENTWISE: dict[str, tuple[str, Case]] = {
    "two operands": ("add", of(torch.add, WIDE, WIDE)),
    "a broadcast row": ("mul", of(torch.mul, WIDE, ROW)),
    "a column and a row": ("mul", of(torch.mul, COLUMN, ROW)),
    "a tensor without dimensions": ("div", of(torch.div, HALVES, NUMBER)),
    "a plain number": ("mul", unary(lambda x: x * 2.5, WIDE)),
    "halves and singles": ("add", of(torch.add, HALVES, WIDE)),
    "integers divided": ("div", of(torch.div, WHOLE, WHOLE)),
    "integers divided to whole ones": (
        "div",
        of(lambda x, y: torch.div(x, y, rounding_mode="floor"), WHOLE, WHOLE),
    ),
    "integers times a fraction": ("mul", unary(lambda x: x * 0.5, WHOLE)),
    "integers times a whole number": ("mul", unary(lambda x: x * 2, WHOLE)),
    "a comparison": ("lt", of(torch.lt, WIDE, ROW)),
    "a condition": ("where", of(torch.where, WIDE > 0, WIDE, NUMBER)),
    "three operands": ("addcmul", of(torch.addcmul, WIDE, WIDE, WIDE)),
    "bounds": ("clamp", of(torch.clamp, WIDE, COLUMN, ROW)),
    "masked": ("masked_fill", of(lambda x, m: x.masked_fill(m, 0.0), WIDE, WIDE > 0)),
    "an exponential": ("exp", unary(torch.exp, HALVES)),
    "an exponential of integers": ("exp", unary(torch.exp, WHOLE)),
    "gelu": ("gelu", unary(F.gelu, WIDE)),
    "a gated unit": ("glu", unary(lambda x: F.glu(x, 0), filled(34, 65))),
    "a square": ("pow", unary(lambda x: x**2, HALVES)),
    "a root of integers": ("sqrt", unary(torch.sqrt, WHOLE)),
    "an absolute value of complex numbers": ("abs", unary(torch.abs, torch.complex(WIDE, WIDE))),
    "complex numbers": ("complex", of(torch.complex, WIDE, WIDE)),
    "gelu backward": ("gelu_backward", of(ATEN.gelu_backward, WIDE, WIDE)),
    "silu backward": ("silu_backward", of(ATEN.silu_backward, HALVES, HALVES)),
    "elu backward": (
        "elu_backward",
        of(lambda g, x: ATEN.elu_backward(g, 1.0, 1.0, 1.0, False, x), WIDE, WIDE),
    ),
    "dropout": ("native_dropout", unary(lambda x: ATEN.native_dropout(x, 0.5, True), WIDE)),
}

REDUCTIONS: dict[str, tuple[str, Case]] = {
    "all": ("sum", unary(torch.sum, WIDE)),
    "all, of integers": ("sum", unary(torch.sum, filled(7, 5, dtype=torch.int32))),
    "all, in another dtype": ("sum", unary(lambda x: torch.sum(x, dtype=SINGLE), HALVES)),
    "the last dimension": ("mean", unary(lambda x: x.mean(-1), HALVES)),
    "the first dimension": ("sum", unary(lambda x: x.sum(0), WIDE)),
    "some dimensions, kept": ("sum", unary(lambda x: x.sum((0, 2, 3), keepdim=True), BATCH)),
    "dimensions, in another dtype": ("mean", unary(lambda x: x.mean(1, dtype=SINGLE), HALVES)),
    "an extreme with places": ("max", unary(lambda x: tuple(torch.max(x, 1)), WIDE)),
    "an extreme of all": ("min", unary(torch.min, WIDE)),
    "the larger of two": ("maximum", of(torch.max, WIDE, WIDE)),
    "extremes of dimensions": ("amax", unary(lambda x: x.amax((1, 2)), BATCH)),
    "places": ("argmax", unary(lambda x: x.argmax(1), WIDE)),
    "truth": ("any", unary(lambda x: x.any(1), WIDE > 0)),
    "variance": ("var", unary(lambda x: x.var(1), WIDE)),
    "variance and mean": ("var_mean", unary(lambda x: torch.var_mean(x, 1), WIDE)),
    "a norm": ("linalg_vector_norm", unary(lambda x: torch.linalg.vector_norm(x, dim=1), WIDE)),
    "a logarithm of sums": ("logsumexp", unary(lambda x: x.logsumexp(1), WIDE)),
    "running sums": ("cumsum", unary(lambda x: x.cumsum(1), WIDE)),
    "running sums of integers": ("cumsum", unary(lambda x: x.cumsum(1), WIDE.int())),
    "sorted": ("sort", unary(lambda x: tuple(x.sort(0)), WIDE)),
    "the largest": ("topk", unary(lambda x: tuple(x.topk(5)), HALVES)),
    "a median": ("median", unary(lambda x: tuple(x.median(1)), WIDE)),
}

PRODUCTS: dict[str, tuple[str, Case]] = {
    "product": ("mm", of(torch.mm, filled(9, 17), filled(17, 5))),
    "product and row": ("addmm", of(torch.addmm, filled(5), filled(9, 17), filled(17, 5))),
    "products": ("bmm", of(torch.bmm, *(filled(3, 8, 8, dtype=HALF),) * 2)),
    "products added": ("baddbmm", of(torch.baddbmm, *(filled(3, 8, 8),) * 3)),
    "matrix and vector": ("mv", of(torch.mv, filled(9, 17), filled(17))),
    "matrix, vector, sum": ("addmv", of(torch.addmv, filled(9), filled(9, 17), filled(17))),
    "dot product": ("dot", of(torch.dot, filled(99), filled(99))),
    "outer product": ("addr", of(torch.addr, filled(9, 5), filled(9), filled(5))),
    "linear": ("linear", of(F.linear, filled(2, 9, 17), filled(5, 17), filled(5))),
    "product, row, activation": (
        "_addmm_activation",
        of(
            lambda b, x, w: ATEN._addmm_activation(b, x, w, use_gelu=True),
            *(filled(5, dtype=HALF), filled(9, 17, dtype=HALF), filled(17, 5, dtype=HALF)),
        ),
    ),
    "two triangles and a permutation": (
        "lu_unpack",
        of(torch.lu_unpack, *torch.linalg.lu_factor(torch.eye(6, 4) + filled(6, 4))),
    ),
    "two triangles": (
        "lu_unpack",
        of(
            lambda x, p: torch.lu_unpack(x, p, unpack_pivots=False),
            *torch.linalg.lu_factor(torch.eye(4) + filled(4, 4)),
        ),
    ),
    "summed products": ("addbmm", of(torch.addbmm, filled(8, 8), *(filled(3, 8, 8),) * 2)),
    "convolution": (
        "convolution",
        of(lambda x, w: F.conv2d(x, w, stride=2, padding=1), BATCH, filled(7, 6, 3, 3)),
    ),
    "transposed convolution": (
        "convolution",
        of(F.conv_transpose1d, filled(2, 6, 9), filled(6, 4, 5), filled(4)),
    ),
}

NORMALIZATIONS: dict[str, tuple[str, Case]] = {
    "layer norm": (
        "native_layer_norm",
        of(lambda x, w, b: ATEN.native_layer_norm(x, [65], w, b, 1e-5), WIDE, ROW, ROW),
    ),
    "layer norm without weights": (
        "native_layer_norm",
        unary(lambda x: ATEN.native_layer_norm(x, [33, 65], None, None, 1e-5), WIDE),
    ),
    "rms norm": ("rms_norm", of(lambda x, w: F.rms_norm(x, (65,), w), WIDE, ROW)),
    "group norm": (
        "native_group_norm",
        of(
            lambda x, w, b: ATEN.native_group_norm(x, w, b, 4, 6, 99, 3, 1e-5),
            BATCH,
            WEIGHTS,
            WEIGHTS,
        ),
    ),
    "batch norm, not training": (
        "batch_norm",
        of(lambda x, m, v, w, b: F.batch_norm(x, m, v, w, b), BATCH, *[WEIGHTS] * 4),
    ),
    "softmax": ("_softmax", unary(lambda x: x.softmax(-1), HALVES)),
    "softmax to singles": ("softmax", unary(lambda x: x.softmax(-1, dtype=SINGLE), HALVES)),
    "logarithm of softmax": ("_log_softmax", unary(lambda x: x.log_softmax(0), WIDE)),
    "softmax backward": (
        "_softmax_backward_data",
        of(lambda g, y: ATEN._softmax_backward_data(g, y, 1, SINGLE), WIDE, WIDE),
    ),
}

MOVEMENT: dict[str, tuple[str, Case]] = {
    "clone": ("clone", unary(torch.clone, HALVES)),
    "the same layout": (
        "clone",
        unary(lambda x: torch.clone(x, memory_format=torch.preserve_format), WIDE),
    ),
    "another layout": ("clone", unary(lambda x: x.t().contiguous(), WIDE)),
    "conversion": ("_to_copy", unary(lambda x: x.to(HALF), WIDE)),
    "conversion to whole numbers": ("_to_copy", unary(lambda x: x.long(), WIDE)),
    "conversion to truth": ("_to_copy", unary(lambda x: x.bool(), WIDE)),
    "conversion to fp8": ("_to_copy", unary(lambda x: x.to(torch.float8_e4m3fn), HALVES)),
    "concatenation": ("cat", of(lambda *parts: torch.cat(parts, 1), WIDE, COLUMN, WIDE)),
    "stack": ("stack", of(lambda *parts: torch.stack(parts), WIDE, WIDE)),
    "repetition": ("repeat", unary(lambda x: x.repeat(2, 3), WIDE)),
    "repetition of each": ("repeat_interleave", unary(lambda x: x.repeat_interleave(4, 1), WIDE)),
    "flip": ("flip", unary(lambda x: x.flip(0), WIDE)),
    "roll": ("roll", unary(lambda x: x.roll(3, 1), WIDE)),
    "padding": ("constant_pad_nd", unary(lambda x: F.pad(x, (1, 2, 3, -4)), WIDE)),
    "reflected padding": (
        "reflection_pad2d",
        unary(lambda x: F.pad(x, (1, 2, 3, 4), mode="reflect"), BATCH),
    ),
    "triangle": ("tril", unary(torch.tril, WIDE)),
    "a gradient of a slice": (
        "slice_backward",
        unary(lambda g: ATEN.slice_backward(g, [33, 99], 1, 0, 65, 1), WIDE),
    ),
    "one hot": ("one_hot", unary(lambda x: F.one_hot(x, 7), filled(5, 3).long())),
    "nearest": ("upsample_nearest2d", unary(lambda x: F.interpolate(x, (18, 5)), BATCH)),
    "bilinear": (
        "upsample_bilinear2d",
        unary(lambda x: F.interpolate(x, scale_factor=2.0, mode="bilinear"), BATCH),
    ),
    "average pooling": ("avg_pool2d", unary(lambda x: F.avg_pool2d(x, 3, 2, 1), BATCH)),
    "average pooling, rounded up": (
        "avg_pool2d",
        unary(lambda x: F.avg_pool2d(x, 2, ceil_mode=True), BATCH),
    ),
    "largest of windows": (
        "max_pool2d_with_indices",
        unary(lambda x: F.max_pool2d(x, (2, 3), return_indices=True, dilation=2), BATCH),
    ),
    "adaptive pooling": (
        "_adaptive_avg_pool2d",
        unary(lambda x: F.adaptive_avg_pool2d(x, (2, 3)), BATCH),
    ),
    "windows unrolled": ("im2col", unary(lambda x: F.unfold(x, 3, padding=1, stride=2), BATCH)),
    "half a spectrum": ("_fft_r2c", unary(torch.fft.rfft, WIDE)),
    "a whole spectrum": ("_fft_c2c", unary(torch.fft.fft, torch.complex(WIDE, WIDE))),
}

MADE: dict[str, tuple[str, Callable[[], torch.Tensor]]] = {
    "zeros": ("zeros", lambda: torch.zeros(3, 5)),
    "zeros of halves": ("zeros", lambda: torch.zeros(3, 5, dtype=HALF)),
    "a number": ("full", lambda: torch.full((4, 4), 7)),
    "a range": ("arange", lambda: torch.arange(7, 91, 5)),
    "a range of fractions": ("arange", lambda: torch.arange(0.0, 1.0, 0.05)),
    "between two": ("linspace", lambda: torch.linspace(0, 1, 37)),
    "identity": ("eye", lambda: torch.eye(6, 9, dtype=HALF)),
    "normal numbers": ("randn", lambda: torch.randn(6, 9)),
    "random integers": ("randint", lambda: torch.randint(5, (6, 9))),
    "like another": ("ones_like", lambda: torch.ones_like(HALVES)),
    "new": ("new_zeros", lambda: HALVES.new_zeros(4, 5)),
}

CASES = {
    f"{family}: {name}": case
    for family, cases in {
        "elementwise": ELEMENTWISE,
        "reduction": REDUCTIONS,
        "product": PRODUCTS,
        "normalisation": NORMALIZATIONS,
        "movement": MOVEMENT,
    }.items()
    for name, case in cases.items()
}


def total_bytes(tensors: Tensors) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def work_of_recorded(operator: str, function: Callable[[], object]) -> Work:
    call = recorded_call(f"aten::{operator}", function)
    rule = rule_for(call.name)
    work = rule(call) if rule else None
    assert work is not None, f"no rule understood {call}"
    return work


@pytest.mark.parametrize("name", CASES)
def test_bytes_are_those_of_the_real_tensors(name: str) -> None:
    operator, case = CASES[name]
    read, written = case()
    work = work_of_recorded(operator, case)
    assert (work.read_bytes, work.written_bytes) == (total_bytes(read), total_bytes(written))


@pytest.mark.parametrize("name", MADE)
def test_new_tensors_are_only_written(name: str) -> None:
    operator, function = MADE[name]
    work = work_of_recorded(operator, function)
    assert (work.read_bytes, work.written_bytes) == (0, total_bytes([function()]))


def test_in_place_reads_and_writes_the_same() -> None:
    work = work_of_recorded("add", lambda: filled(8, 16).add_(filled(16)))
    assert work.read_bytes == 4 * (8 * 16 + 16)
    assert work.written_bytes == 4 * 8 * 16


IN_PLACE: dict[str, tuple[str, Callable[[torch.Tensor], torch.Tensor]]] = {
    "halves and singles": ("add", lambda x: x.add_(WIDE)),
    "a comparison": ("lt", lambda x: x.lt_(ROW)),
    "three operands": ("addcmul", lambda x: x.addcmul_(WIDE, WIDE)),
    "a power": ("pow", lambda x: x.pow_(WIDE)),
    "bits": ("__ilshift__", lambda x: x.to(torch.int16).__ilshift__(WIDE.to(torch.int16))),
    "a running sum": ("cumsum", lambda x: x.to(torch.int16).cumsum_(1)),
}


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_the_result_has_the_dtype_of_what_it_replaces(name: str) -> None:
    operator, function = IN_PLACE[name]
    work = work_of_recorded(operator, lambda: function(filled(33, 65, dtype=HALF)))
    assert work.written_bytes == total_bytes([function(filled(33, 65, dtype=HALF))])


def test_out_is_no_operand() -> None:
    left, result = filled(40, 3), filled(40, 3)
    work = work_of_recorded("mul", lambda: torch.mul(left, left, out=result))
    assert (work.read_bytes, work.written_bytes) == (2 * 480, 480)


def test_a_copy_reads_the_source_and_writes_the_target() -> None:
    target, source = filled(10, 6, dtype=HALF), filled(6)
    work = work_of_recorded("copy_", lambda: target.copy_(source))
    assert (work.read_bytes, work.written_bytes) == (6 * 4, 60 * 2)


def test_filling_reads_nothing() -> None:
    work = work_of_recorded("zero_", lambda: filled(9, 9).zero_())
    assert (work.read_bytes, work.written_bytes) == (0, 4 * 81)


def test_an_embedding_reads_the_rows_that_it_needs() -> None:
    table, indices = filled(1000, 48, dtype=HALF), torch.zeros(7, 3, dtype=torch.int64)
    work = work_of_recorded("embedding", lambda: F.embedding(indices, table))
    rows = 21 * 48 * 2
    assert work.read_bytes == rows + 21 * 8
    assert work.written_bytes == rows
    assert work.descriptors == 21


def test_the_gradient_of_a_table_is_written_as_a_whole_and_added_to_row_by_row() -> None:
    table, indices = filled(100, 16).requires_grad_(), torch.zeros(5, dtype=torch.int64)
    work = work_of_recorded(
        "embedding_dense_backward", lambda: F.embedding(indices, table).sum().backward()
    )
    rows = 5 * 16 * 4
    assert work.read_bytes == 2 * rows + 5 * 8  # what came, what is there, the indices
    assert work.written_bytes == 100 * 16 * 4 + rows


@pytest.mark.parametrize("dimension", [0, 1])
def test_slices_before_the_last_dimension_are_many_pieces(dimension: int) -> None:
    source, indices = filled(12, 30), torch.zeros(4, dtype=torch.int64)
    work = work_of_recorded("index_select", lambda: source.index_select(dimension, indices))
    picked = 4 * (30 if dimension == 0 else 12)
    assert work.read_bytes == 4 * picked + 4 * 8
    assert work.descriptors == (4 if dimension == 0 else 4 * 12)


def test_weighted_bags_are_as_many_as_their_offsets_begin() -> None:
    table, indices = filled(100, 16), torch.zeros(10, dtype=torch.int64)
    offsets = torch.tensor([0, 3, 3, 10])
    weights = filled(10)

    def bags() -> torch.Tensor:
        places = (table, indices, offsets)
        return ATEN._embedding_bag(*places, False, 0, False, weights, True)[0]

    work = work_of_recorded("_embedding_bag", bags)
    assert bags().shape == (3, 16)
    assert work.read_bytes == 10 * 16 * 4 + total_bytes([indices, offsets, weights])
    assert work.written_bytes == 3 * 16 * 4 + total_bytes([indices, offsets, offsets])
    assert work.flops == 2 * 10 * 16  # a product and a sum


def test_gathering_reads_as_many_elements_as_there_are_indices() -> None:
    source, indices = filled(50, 40), torch.zeros(50, 3, dtype=torch.int64)
    work = work_of_recorded("gather", lambda: source.gather(1, indices))
    assert work.read_bytes == 150 * 4 + 150 * 8
    assert work.written_bytes == 150 * 4
    assert work.descriptors == 150


def test_adding_to_places_reads_what_is_there() -> None:
    target, indices, source = filled(50), torch.zeros(6, dtype=torch.int64), filled(6)
    work = work_of_recorded("scatter_add_", lambda: target.scatter_add_(0, indices, source))
    assert work.read_bytes == 6 * 8 + 2 * 6 * 4
    assert work.written_bytes == 6 * 4


def test_a_loss_over_classes_picks_one_element_of_each_row() -> None:
    rows, classes = 12, 1000
    scores, target = filled(rows, classes), torch.zeros(rows, dtype=torch.int64)
    work = work_of_recorded("nll_loss_forward", lambda: F.nll_loss(scores, target))
    assert work.read_bytes == rows * (4 + 8)
    assert work.written_bytes == 2 * 4  # the loss, and the weights' sum


def test_batch_norm_in_training_updates_its_statistics() -> None:
    mean, variance = torch.zeros(6), torch.ones(6)
    work = work_of_recorded(
        "batch_norm", lambda: F.batch_norm(BATCH, mean, variance, training=True)
    )
    assert work.read_bytes == total_bytes([BATCH, mean, variance])
    assert work.written_bytes == total_bytes([BATCH, mean, variance])


def test_attention_moves_no_scores() -> None:
    query, key = filled(2, 4, 64, 32, dtype=HALF), filled(2, 4, 96, 32, dtype=HALF)
    work = work_of_recorded(
        "scaled_dot_product_attention", lambda: F.scaled_dot_product_attention(query, key, key)
    )
    assert work.read_bytes == total_bytes([query, key, key])
    assert work.written_bytes == total_bytes([query])


def test_an_optimizer_step_writes_all_but_the_gradients() -> None:
    parameters = [torch.ones(40, 30, requires_grad=True), torch.ones(17, requires_grad=True)]
    for parameter in parameters:
        parameter.grad = torch.ones_like(parameter)
    optimizer = torch.optim.AdamW(parameters, fused=True)
    optimizer.step()
    work = work_of_recorded("_fused_adamw_", optimizer.step)
    one = total_bytes(parameters)
    assert work.read_bytes == 4 * one  # parameters, gradients, two moments
    assert work.written_bytes == 3 * one


@pytest.mark.parametrize(
    ("optimizer", "read", "written", "instructions"),
    [
        (lambda each: torch.optim.SGD(each, 0.1, fused=True), 2, 1, 2),
        (lambda each: torch.optim.SGD(each, 0.1, momentum=0.9, fused=True), 3, 2, 3),
        (lambda each: torch.optim.Adam(each, fused=True), 4, 3, 4),
        (lambda each: torch.optim.Adam(each, amsgrad=True, fused=True), 5, 4, 5),
    ],
)
def test_state_that_an_optimizer_does_not_keep_costs_nothing(
    optimizer: Callable[[list[torch.Tensor]], torch.optim.Optimizer],
    read: int,
    written: int,
    instructions: int,
) -> None:
    """How many tensors of the parameters' size are read and written, and combined in pairs."""
    parameters = [torch.ones(40, 30, requires_grad=True)]
    parameters[0].grad = torch.ones_like(parameters[0])
    made = optimizer(parameters)
    made.step()
    name = f"_fused_{type(made).__name__.lower()}_"
    work = work_of_recorded(name, made.step)
    one = total_bytes(parameters)
    assert (work.read_bytes, work.written_bytes) == (read * one, written * one)
    singles = 2 if "adam" in name else 0
    assert work.vector_elements == (singles + 2 * instructions) * 1200


def test_an_operator_over_lists_reads_all_lists() -> None:
    first, second = [filled(4, 4), filled(9)], [filled(4, 4), filled(9)]
    work = work_of_recorded("_foreach_add", lambda: ATEN._foreach_add.List(first, second))
    assert work.read_bytes == 2 * total_bytes(first)
    assert work.written_bytes == total_bytes(first)


def test_norms_of_a_list_give_a_number_each() -> None:
    tensors = [filled(4, 4), filled(9), filled(2, 2)]
    work = work_of_recorded("_foreach_norm", lambda: ATEN._foreach_norm.Scalar(tensors))
    assert work.read_bytes == total_bytes(tensors)
    assert work.written_bytes == 3 * 4
