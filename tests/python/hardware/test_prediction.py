"""Predicted times, against rooflines and cycles worked out by hand.

Nothing here asks the code what a chip can do: the figures stand below, and each expectation is
written out from them. Sizes fill tiles unless a test is about sizes that do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from sidelight.hardware.calls import Argument, OperatorCall
from sidelight.hardware.cores import logical_core
from sidelight.hardware.parameters import Parameters
from sidelight.hardware.prediction import Prediction, backward_work_of, predict_call
from sidelight.hardware.roofline import Bound
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor
from sidelight.hardware.work import Engine

FIXED_NS = 15_000 + 2 * 2_000
"""Starting and ending a kernel, a first load, a last store."""


@dataclass(frozen=True)
class Core:
    """One logical core, by the pages of AWS; rates a second, in units of 1e9."""

    cores: int
    hbm_bytes: float
    tensor: float
    vector: float
    scalar: float
    half_vector: int
    half_scalar: int
    bf16_flop: float
    fp32_flop: float
    fp8_flop: float
    fp8_rate: int
    """How much faster than bf16 the Tensor Engine is in fp8."""


CORES = {
    "trn1": Core(1, 410, 2.8, 1.12, 1.4, 1, 1, 95_000, 23_750, 95_000, 1),
    "inf2": Core(1, 410, 2.8, 1.12, 1.4, 1, 1, 95_000, 23_750, 95_000, 1),
    "trn2": Core(2, 725, 2.4, 0.96, 1.2, 2, 1, 166_750, 45_250, 324_750, 2),
    "trn3": Core(2, 1225, 2.4, 1.2, 1.2, 2, 2, 167_750, 45_750, 335_500, 2),
}
CHIPS = sorted(CORES)

BYTES = {"float32": 4, "bfloat16": 2, "float16": 2, "float8_e4m3fn": 1}
HALF = "bfloat16"

MATMUL_DTYPES = [
    ("bfloat16", "matmult"),
    ("float16", "none"),
    ("float32", "none"),
    ("float32", "matmult"),
    ("float8_e4m3fn", "none"),
]


def predicted(
    name: str,
    *arguments: Argument,
    chip: str = "trn2",
    lnc: int | None = None,
    auto_cast: str = "matmult",
) -> Prediction:
    setup = Setup(logical_core(chip, lnc), auto_cast)
    prediction = predict_call(OperatorCall(f"aten::{name}", arguments), setup)
    assert prediction is not None
    assert prediction.is_known
    return prediction


def product(
    m: int,
    k: int,
    n: int,
    dtype: str = HALF,
    *,
    chip: str = "trn2",
    lnc: int | None = None,
    auto_cast: str = "matmult",
) -> Prediction:
    operands = (Tensor((m, k), dtype), Tensor((k, n), dtype))
    return predicted("mm", *operands, chip=chip, lnc=lnc, auto_cast=auto_cast)


def peak_of(core: Core, dtype: str, auto_cast: str) -> float:
    """FLOP a nanosecond."""
    if dtype == "float8_e4m3fn":
        return core.fp8_flop
    single = dtype == "float32" and auto_cast == "none"
    return core.fp32_flop if single else core.bf16_flop


def passes_of(core: Core, dtype: str, auto_cast: str) -> float:
    """Passes over the array, relative to bf16."""
    if dtype == "float8_e4m3fn":
        return 1 / core.fp8_rate
    return 4 if dtype == "float32" and auto_cast == "none" else 1


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("dtype", "auto_cast"), MATMUL_DTYPES)
def test_a_large_product_runs_at_the_pace_of_the_array(
    chip: str, dtype: str, auto_cast: str
) -> None:
    core = CORES[chip]
    size = 5120
    prediction = product(size, size, size, dtype, chip=chip, auto_cast=auto_cast)
    flops = 268_435_456_000  # 2 * 5120**3
    # 40 stationary tiles, 40 of the contraction, 5120 columns past each.
    cycles = 40 * 40 * 5120 * passes_of(core, dtype, auto_cast)
    roof_ns = flops / peak_of(core, dtype, auto_cast)
    assert prediction.flops == flops
    assert prediction.roof_ns == pytest.approx(roof_ns, abs=1)
    assert prediction.duration_ns == pytest.approx(
        FIXED_NS + cycles / core.cores / core.tensor, abs=1
    )
    assert prediction.engine is Engine.TENSOR
    assert prediction.bound is Bound.COMPUTE
    # The pages round peaks up: at the documented clock the array does 1 / 1.15 of the fp32 figure
    # at worst. What a kernel costs to start and end is under 1% here.
    assert roof_ns <= prediction.duration_ns <= 1.17 * roof_ns


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("dtype", "auto_cast"), MATMUL_DTYPES)
def test_a_product_of_few_rows_waits_for_its_weights(chip: str, dtype: str, auto_cast: str) -> None:
    core = CORES[chip]
    prediction = product(8, 4096, 11008, dtype, chip=chip, auto_cast=auto_cast)
    elements = 8 * 4096 + 4096 * 11008 + 8 * 11008  # 45,209,600
    moved = BYTES[dtype] * elements
    memory_ns = moved / core.hbm_bytes
    assert prediction.hbm_bytes == moved
    assert prediction.roof_ns == pytest.approx(memory_ns, abs=1)
    assert prediction.duration_ns == pytest.approx(FIXED_NS + memory_ns, abs=1)
    assert prediction.bound is Bound.MEMORY
    assert prediction.engine is Engine.DMA


@pytest.mark.parametrize(
    ("chip", "lnc", "below", "above"),
    [
        # A product [m, 4096] x [4096, 4096] in bf16 moves 2 * (8192 m + 16,777,216) bytes and takes
        # 1024 tiles of m columns: 1024 m / cores / clock ns. They meet at
        # m = 33,554,432 / (1024 * bandwidth / (cores * clock) - 16,384).
        ("trn2", 2, 244, 248),  # 33,554,432 / (1024 * 725 / 4.8 - 16,384) = 242.7...
        ("trn2", 1, 244, 248),
        ("trn1", None, 248, 252),  # 33,554,432 / (1024 * 410 / 2.8 - 16,384) = 252.0
    ],
)
def test_products_cross_over_where_the_arithmetic_puts_it(
    chip: str, lnc: int | None, below: int, above: int
) -> None:
    core = CORES[chip]
    bandwidth = core.hbm_bytes / core.cores
    meet = 33_554_432 / (1024 * bandwidth / core.tensor - 16_384)
    assert below - 8 < meet < above + 8
    short, long = int(0.97 * meet), int(1.03 * meet) + 1
    setup = Setup(logical_core(chip, lnc))

    def bound(m: int) -> Bound:
        operands = (Tensor((m, 4096), HALF), Tensor((4096, 4096), HALF))
        prediction = predict_call(OperatorCall("aten::mm", operands), setup)
        assert prediction is not None
        return prediction.bound

    assert (bound(short), bound(long)) == (Bound.MEMORY, Bound.COMPUTE)


def test_square_products_cross_over_near_the_ridge() -> None:
    # 2 n**3 FLOP on 6 n**2 bytes: the chip's page puts the ridge at n / 3 = 230, that is 690; the
    # array at its documented clock is 6% slower, and is what a product waits for from 651 on.
    # Below 1,300 a kernel's start outweighs both, so the times are compared, not the bounds.
    for size in (512, 640):
        times = product(size, size, size).engines_ns
        assert times[Engine.DMA] > times[Engine.TENSOR]
    for size in (768, 1024):
        times = product(size, size, size).engines_ns
        assert times[Engine.DMA] < times[Engine.TENSOR]


@pytest.mark.parametrize(
    ("m", "k", "n", "cycles"),
    [
        (128, 128, 512, 512),  # one instruction
        (127, 128, 512, 4 * 127),  # 127 columns past four tiles, not 512 past one of 127
        (129, 128, 512, 4 * 129),  # 129 columns past four tiles, not 512 past two
        (128, 129, 512, 2 * 512),  # a second tile of the contraction for one row
        (128, 128, 513, 512 + 64),  # a second instruction for one column
        (129, 129, 513, 2 * (4 * 129 + 129)),
        (1, 128, 128, 64),  # the least that an instruction takes
        (1, 1024, 1024, 8 * 8 * 64),
        (64, 64, 64, 64),
        (1024, 1024, 1024, 8 * 8 * 1024),
    ],
)
def test_sizes_fill_tiles(m: int, k: int, n: int, cycles: int) -> None:
    prediction = product(m, k, n, lnc=1)
    assert prediction.engines_ns[Engine.TENSOR] == pytest.approx(cycles / 2.4)


def test_batches_are_as_many_products() -> None:
    one = product(256, 256, 256, lnc=1).engines_ns[Engine.TENSOR]
    operands = [Tensor((12, 256, 256), HALF)] * 2
    many = predicted("bmm", *operands, lnc=1).engines_ns[Engine.TENSOR]
    assert many == pytest.approx(12 * one)


def test_operands_that_outgrow_sbuf_are_read_again() -> None:
    # Each operand is 128 MiB, half of SBUF 28 MiB: 5 blocks of one, for each all of the other.
    size = 8192
    prediction = product(size, size, size)
    operand = 2 * size * size
    read = operand + 5 * operand
    assert prediction.hbm_bytes == 3 * operand  # each once, as the roofline has it
    assert prediction.engines_ns[Engine.DMA] == pytest.approx((read + operand) / 725)


ROWS, COLUMNS = 6144, 4096
ELEMENTS = 25_165_824
MATRIX = {dtype: Tensor((ROWS, COLUMNS), dtype) for dtype in BYTES}


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize(
    ("name", "arguments", "moved_elements"),
    [
        ("add", 2, 3),
        ("mul", 2, 3),
        ("gelu", 1, 2),
        ("relu", 1, 2),
        ("clone", 1, 2),
        ("neg", 1, 2),
    ],
)
def test_elementwise_and_copies_run_at_the_pace_of_memory(
    chip: str, dtype: str, name: str, arguments: int, moved_elements: int
) -> None:
    """The engines are faster than HBM at all of these, so the roofline is met."""
    prediction = predicted(name, *[MATRIX[dtype]] * arguments, chip=chip)
    roof_ns = moved_elements * ELEMENTS * BYTES[dtype] / CORES[chip].hbm_bytes
    assert prediction.roof_ns == pytest.approx(roof_ns, abs=1)
    assert prediction.duration_ns == pytest.approx(FIXED_NS + roof_ns, abs=1)
    assert prediction.bound is Bound.MEMORY


@pytest.mark.parametrize("chip", CHIPS)
def test_a_conversion_moves_both_widths(chip: str) -> None:
    prediction = predicted("_to_copy", MATRIX["float32"], 15, chip=chip)  # 15: bfloat16
    assert prediction.rule == "conversion"
    assert prediction.hbm_bytes == 6 * ELEMENTS
    assert prediction.duration_ns == pytest.approx(
        FIXED_NS + 6 * ELEMENTS / CORES[chip].hbm_bytes, abs=1
    )


def test_a_copy_that_preserves_its_layout_does_not_change_it() -> None:
    kept = predicted("clone", MATRIX[HALF], 1)  # 1: as it was
    assert kept == predicted("clone", MATRIX[HALF], None)
    assert kept.rule == "copy"


def test_an_activation_takes_a_product_from_psum() -> None:
    """GELU of 2048 x 2048 numbers on the Scalar Engine, ReLU on the Vector Engine."""
    operand, row = Tensor((2048, 2048), HALF), Tensor((2048,), HALF)
    elements = 2048 * 2048
    gelu = predicted("_addmm_activation", row, operand, operand, 1, 1, True).engines_ns
    assert gelu[Engine.SCALAR] == pytest.approx(elements / (2 * 128 * 1.2))
    assert gelu[Engine.VECTOR] == 0
    relu = predicted("_addmm_activation", row, operand, operand, 1, 1, False).engines_ns
    assert relu[Engine.VECTOR] == pytest.approx(elements / (2 * 2 * 128 * 0.96))
    assert relu[Engine.SCALAR] == 0


def test_products_may_name_the_dtype_of_their_result() -> None:
    """6 is torch's number of float32; without a name, the result has the operands' dtype."""
    left = Tensor((4, 64, 64), HALF)
    both = 2 * 2 * 4 * 64 * 64
    named = predicted("baddbmm", left.typed("float32"), left, left, 6, 1, 1)
    assert named.hbm_bytes == both + 2 * 4 * 4 * 64 * 64
    eight, scale = Tensor((64, 64), "float8_e4m3fn"), Tensor((), "float32")
    scaled = (eight, eight, scale, scale, None, None)
    assert predicted("_scaled_mm", *scaled, None, False).hbm_bytes == 3 * 64 * 64 + 8
    assert predicted("_scaled_mm", *scaled, 15, False).hbm_bytes == 4 * 64 * 64 + 8


def test_a_change_of_layout_uses_nine_tenths_of_the_bandwidth() -> None:
    turned = predicted("clone", MATRIX[HALF], 0)  # 0: to the contiguous layout
    assert turned.duration_ns == pytest.approx(FIXED_NS + 4 * ELEMENTS / 725 / 0.9, abs=1)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_reduction_takes_an_element_a_lane_and_cycle(chip: str, dtype: str) -> None:
    """Halves come from HBM faster than that: twice the roofline on trn3, whose HBM is fastest."""
    core = CORES[chip]
    prediction = predicted("sum", MATRIX[dtype], [1], False, None, chip=chip)
    moved = BYTES[dtype] * (ELEMENTS + ROWS)
    memory_ns = moved / core.hbm_bytes
    lanes_ns = ELEMENTS / (128 * core.cores * core.vector)
    assert prediction.duration_ns == pytest.approx(FIXED_NS + max(memory_ns, lanes_ns), abs=1)
    assert memory_ns <= prediction.duration_ns <= FIXED_NS + 2 * memory_ns
    expected = Bound.MEMORY if memory_ns > lanes_ns else Bound.COMPUTE
    assert prediction.bound is expected


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_softmax_passes_each_engine(chip: str, dtype: str) -> None:
    """A maximum and a scale on the Vector Engine, an exponential on the Scalar Engine."""
    core = CORES[chip]
    prediction = predicted("_softmax", MATRIX[dtype], -1, False, chip=chip)
    half_vector = core.half_vector if dtype == HALF else 1
    half_scalar = core.half_scalar if dtype == HALF else 1
    vector_ns = (1 + 1 / half_vector) * ELEMENTS / (128 * core.cores * core.vector)
    scalar_ns = ELEMENTS / (128 * core.cores * core.scalar * half_scalar)
    memory_ns = 2 * BYTES[dtype] * ELEMENTS / core.hbm_bytes
    slowest_ns = max(vector_ns, scalar_ns, memory_ns)
    assert prediction.duration_ns == pytest.approx(FIXED_NS + slowest_ns, abs=1)
    assert memory_ns <= prediction.duration_ns <= FIXED_NS + 2.2 * memory_ns


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_rms_norm_passes_each_engine(chip: str, dtype: str) -> None:
    """Squares on the Scalar Engine; a scale and a product with the weight on the Vector Engine."""
    core = CORES[chip]
    weight = Tensor((COLUMNS,), dtype)
    prediction = predicted("rms_norm", MATRIX[dtype], [COLUMNS], weight, 1e-6, chip=chip)
    half = core.half_vector if dtype == HALF else 1
    vector_ns = (1 + 2) * ELEMENTS / (128 * core.cores * core.vector * half)
    memory_ns = BYTES[dtype] * (2 * ELEMENTS + COLUMNS) / core.hbm_bytes
    slowest_ns = max(vector_ns, memory_ns)
    assert prediction.duration_ns == pytest.approx(FIXED_NS + slowest_ns, abs=1)
    # Three elements a lane for four bytes of HBM: 2.2 times the roofline in bf16 on trn1.
    assert memory_ns <= prediction.duration_ns <= FIXED_NS + 2.2 * memory_ns


def test_layer_norm_backward_is_the_vector_engines() -> None:
    """From the formula: 2 instructions of one operand, 4 of two, 4 reductions."""
    statistics, weight = Tensor((ROWS, 1), "float32"), Tensor((COLUMNS,), "float32")
    matrix = MATRIX["float32"]
    prediction = predicted(
        "native_layer_norm_backward",
        *(matrix, matrix, [COLUMNS], statistics, statistics, weight, weight),
        "[True, True, True]",
    )
    lanes = 2 * 128 * 0.96
    assert prediction.engines_ns[Engine.VECTOR] == pytest.approx((2 + 8 + 4) * ELEMENTS / lanes)
    moved = 4 * (3 * ELEMENTS + 2 * ROWS + 4 * COLUMNS)
    assert prediction.hbm_bytes == moved
    # 14 elements a lane for 12 bytes of HBM: 3.5 times the roofline.
    assert moved / 725 <= prediction.duration_ns <= FIXED_NS + 3.5 * moved / 725


@pytest.mark.parametrize("head", [64, 128, 256])
@pytest.mark.parametrize("length", [1024, 2048])
def test_attention_waits_for_its_scores(head: int, length: int) -> None:
    heads = 24
    operand = Tensor((1, heads, length, head), HALF)
    prediction = predicted("scaled_dot_product_attention", operand, operand, operand)
    scores = heads * length * length
    results = heads * length * head
    roof_ns = 4 * scores * head / 166_750
    assert prediction.flops == 4 * scores * head
    assert prediction.roof_ns == pytest.approx(roof_ns, abs=1)
    # All queries stream past tiles of 128 keys, once for each 128 of the head size and once to be
    # transposed; for the second product, a head's columns stream past every tile of scores.
    key_tiles = length // 128
    head_tiles = -(-head // 128)
    tensor_cycles = heads * length * key_tiles * (head_tiles + 1 + head / 128)
    assert prediction.engines_ns[Engine.TENSOR] == pytest.approx(tensor_cycles / 2 / 2.4)
    # The maximum on one engine, the exponential on the other; what leaves PSUM (the transposed
    # scores, the results) fills up whichever has time: both end together.
    vector, scalar = 2 * 128 * 0.96, 2 * 128 * 1.2
    together_ns = (scores + scores + scores + results) / (vector + scalar)
    assert prediction.engines_ns[Engine.VECTOR] == pytest.approx(together_ns)
    assert prediction.engines_ns[Engine.SCALAR] == pytest.approx(together_ns)
    # For each score, 4 * head FLOP but always three elements of the lanes: 3.7 times the roofline
    # at a head size of 64, half of that at 128, and the array's own pace at 256.
    most = {64: 3.8, 128: 1.9, 256: 1.4}[head]
    assert roof_ns <= prediction.duration_ns <= FIXED_NS + most * roof_ns


def test_attention_over_a_cache_reads_the_cache() -> None:
    """One query a sequence: memory-bound, keys and values once."""
    query, cache = Tensor((32, 32, 1, 128), HALF), Tensor((32, 32, 4096, 128), HALF)
    prediction = predicted("scaled_dot_product_attention", query, cache, cache)
    moved = 2 * 2 * 32 * 32 * (4096 + 1) * 128
    assert prediction.hbm_bytes == moved
    assert prediction.engines_ns[Engine.DMA] == pytest.approx(moved / 725)
    assert prediction.bound is Bound.MEMORY


def test_attention_backward_computes_five_products() -> None:
    heads, length, head = 16, 2048, 128
    operand = Tensor((1, heads, length, head), HALF)
    rows = Tensor((1, heads, length), "float32")
    prediction = predicted(
        "_scaled_dot_product_flash_attention_for_cpu_backward",
        *(operand, operand, operand, operand, operand, rows, 0.0, True),
    )
    scores = heads * length * length  # 67,108,864
    assert prediction.flops == 5 * 2 * scores * head
    tensor_cycles = heads * length * (length // 128) * (5 + 1)
    assert prediction.engines_ns[Engine.TENSOR] == pytest.approx(tensor_cycles / 2 / 2.4)
    roof_ns = 10 * scores * head / 166_750
    assert roof_ns <= prediction.duration_ns <= FIXED_NS + 1.4 * roof_ns


def test_an_optimizer_step_reads_four_and_writes_three() -> None:
    """AdamW: 3 instructions of one operand and 4 of two; 1.2 times the roofline in fp32."""
    count = 50_000_000
    parameter = (Tensor((count,), "float32"),)
    lists = [parameter] * 4
    step = (Tensor((), "float32"),)
    prediction = predicted("_fused_adamw_", *lists, (), step)
    moved = 7 * 4 * count
    assert prediction.hbm_bytes == moved
    vector_ns = (3 + 8) * count / (2 * 128 * 0.96)
    assert prediction.engines_ns[Engine.VECTOR] == pytest.approx(vector_ns)
    assert moved / 725 <= prediction.duration_ns <= FIXED_NS + 1.2 * moved / 725


def test_rows_of_a_table_cost_a_descriptor_each() -> None:
    """Small rows: 8 ns each on one of 32 engines; large rows: their bytes."""
    rows = 1_000_000
    indices = Tensor((rows,), "int64")
    small = predicted("embedding", Tensor((50_000, 8), HALF), indices)
    moved = 2 * rows * 16 + 8 * rows
    assert small.engines_ns[Engine.DMA] == pytest.approx(rows * 8 / 32 + moved / 875)
    large = predicted("embedding", Tensor((50_000, 4096), HALF), indices)
    moved = 2 * rows * 8192 + 8 * rows
    assert large.engines_ns[Engine.DMA] == pytest.approx(moved / 725)


def test_a_collective_crosses_the_links() -> None:
    gradient = Tensor((64 * 2**20,), HALF)
    setup = Setup()
    prediction = predict_call(OperatorCall("c10d::allreduce_", ((gradient,),)), setup)
    assert prediction is not None
    # 128 MiB twice over a quarter of 1,280 GB/s.
    assert prediction.duration_ns == pytest.approx(FIXED_NS + 2 * 128 * 2**20 / 320, abs=1)
    assert prediction.engine is Engine.COLLECTIVE


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("add", (Tensor((8, 8), "float32"), Tensor((8, 8), "float32"))),
        ("mm", (Tensor((32, 64), HALF), Tensor((64, 128), HALF))),
        ("sum", (Tensor((100,), "float32"), None)),
        ("embedding", (Tensor((100, 8), "float32"), Tensor((4,), "int64"))),
    ],
)
def test_tiny_kernels_are_all_overhead(name: str, arguments: tuple[Argument, ...]) -> None:
    prediction = predicted(name, *arguments)
    assert prediction.bound is Bound.OVERHEAD
    assert prediction.fixed_ns == FIXED_NS
    assert FIXED_NS < prediction.duration_ns < 1.1 * FIXED_NS


def test_overhead_ends_where_the_work_outweighs_it() -> None:
    """An addition in fp32 moves 12 bytes an element: 19 us of them at 1,147,917 elements."""
    meet = FIXED_NS * 725 / 12
    for count, expected in ((int(0.99 * meet), Bound.OVERHEAD), (int(1.01 * meet), Bound.MEMORY)):
        operand = Tensor((count,), "float32")
        assert predicted("add", operand, operand).bound is expected


def test_nothing_to_do_takes_no_time() -> None:
    empty = Tensor((0, 64), "float32")
    assert predicted("add", empty, empty).duration_ns == 0
    assert predicted("mm", empty, Tensor((64, 8), "float32")).duration_ns == 0


def test_casting_all_of_fp32_halves_its_bytes() -> None:
    """``--auto-cast all``: fp32 is bf16 everywhere, and costs as much."""
    sizes = (2048, 2048, 2048)
    everything = product(*sizes, "float32", auto_cast="all")
    halves = product(*sizes, HALF)
    assert everything == halves
    only_products = product(*sizes, "float32", auto_cast="matmult")
    assert only_products.hbm_bytes == 2 * halves.hbm_bytes
    assert only_products.engines_ns[Engine.TENSOR] == halves.engines_ns[Engine.TENSOR]
    assert only_products.dtype == "bf16"


@pytest.mark.parametrize(
    ("chip", "mode", "rate", "peak"),
    [
        # 2,517 TFLOP/s of trn3's chip, 1,299 of trn2's, 190 of trn1's, a logical core's share.
        ("trn3", "mx", 4, 629_250),
        ("trn2", "fp8", 2, 324_750),
        ("trn1", "fp8", 1, 95_000),
    ],
)
@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float4_e2m1fn_x2"])
@pytest.mark.parametrize("form", ["scale", "recipe"])
def test_blocks_with_a_scale_run_as_mx_formats_where_there_are_any(
    chip: str, mode: str, rate: int, peak: float, dtype: str, form: str
) -> None:
    """A pass of the array contracts 128 numbers, as many times that as the rate is higher."""
    size, core = 4096, CORES[chip]
    pairs = 2 if dtype.endswith("_x2") else 1  # numbers in an element along the contraction
    left, right = Tensor((size, size // pairs), dtype), Tensor((size // pairs, size), dtype)
    scale = Tensor((size * size // 32,), "float8_e8m0fnu")
    if form == "scale":
        scaled = predicted("_scaled_mm", left, right, scale, scale, None, None, 15, chip=chip)
    else:
        lists = ((scale,), [3], [1], (scale,), [3], [1])
        scaled = predicted("_scaled_mm_v2", left, right, *lists, None, 15, [], False, chip=chip)
    cycles = (size // (128 * rate)) * (size // 128) * size
    assert scaled.engines_ns[Engine.TENSOR] == pytest.approx(cycles / core.cores / core.tensor)
    assert scaled.dtype == (mode + ("fp8" if pairs == 1 else "fp4") if mode == "mx" else mode)
    # torch's counter takes a pair for one number.
    assert scaled.flops == 2 * size**3 // pairs
    assert scaled.roof_ns == pytest.approx(scaled.flops / peak, abs=1)
    assert scaled.hbm_bytes == 2 * size * size // pairs + 2 * size * size + 2 * scale.numel


@pytest.mark.parametrize("auto_cast", ["none", "matmult", "all"])
@pytest.mark.parametrize(
    ("dtype", "passes"), [("int8", 4), ("int64", 4), ("float64", 4), ("complex64", 16)]
)
def test_only_fp32_is_cast(auto_cast: str, dtype: str, passes: int) -> None:
    """Four passes as fp32, whatever the cast; complex numbers are four products of their parts."""
    whole = product(1024, 1024, 1024, dtype, auto_cast=auto_cast, lnc=1)
    assert whole.engines_ns[Engine.TENSOR] == pytest.approx(passes * 8 * 8 * 1024 / 2.4)
    assert whole.flops == 2 * 1024**3


def test_all_of_fp32_is_also_what_is_named() -> None:
    """``--auto-cast all``: a dtype among the arguments, and the one that is taken if none is."""
    single, code = MATRIX["float32"], 6  # torch's number of float32
    for name, arguments, moved in (
        ("_to_copy", (MATRIX[HALF], code), 2 + 2),
        ("_softmax", (MATRIX[HALF], -1, True), 2 + 2),
        ("zeros", ([ROWS, COLUMNS], code), 2),
        ("zeros", ([ROWS, COLUMNS], None), 2),
        ("cumsum", (single, 1, code), 2 + 2),
        ("div", (Tensor((ROWS, COLUMNS), "int64"), Tensor((ROWS, COLUMNS), "int64")), 16 + 2),
    ):
        prediction = predicted(name, *arguments, auto_cast="all")
        assert prediction.hbm_bytes == moved * ELEMENTS, name


def test_softmax_in_another_dtype_is_computed_in_it() -> None:
    """bf16 in, fp32 out: one element a lane and cycle, not two."""
    half, single = MATRIX[HALF], MATRIX["float32"]
    named = predicted("softmax", half, -1, 6).engines_ns[Engine.VECTOR]
    assert named == predicted("softmax", single, -1, None).engines_ns[Engine.VECTOR]
    assert named == pytest.approx(2 * ELEMENTS / (2 * 128 * 0.96))
    setup = Setup(logical_core("trn2"))
    backward = backward_work_of(OperatorCall("aten::softmax", (half, -1, 6)), setup)
    assert backward is not None
    # The gradient and the result in fp32, the source's gradient in bf16.
    assert (backward.read_bytes, backward.written_bytes) == (8 * ELEMENTS, 2 * ELEMENTS)
    assert backward.dtype == "float32"


@pytest.mark.parametrize(("name", "instructions"), [("add", 2), ("mul", 6), ("div", 11)])
def test_complex_numbers_are_pairs(name: str, instructions: int) -> None:
    """(a + bi)(c + di) is four products, a sum and a difference; a quotient also multiplies with
    the conjugate and divides by the sum of two squares."""
    pairs = Tensor((ROWS, COLUMNS), "complex64")
    vector_ns = predicted(name, pairs, pairs).engines_ns[Engine.VECTOR]
    assert vector_ns == pytest.approx(2 * instructions * ELEMENTS / (2 * 128 * 0.96))


def test_a_fitted_efficiency_stretches_its_engine_only() -> None:
    parameters = Parameters().with_efficiency({"Tensor bf16": 0.5})
    setup = Setup(parameters=parameters)
    operands = (Tensor((4096, 4096), HALF), Tensor((4096, 4096), HALF))
    fitted = predict_call(OperatorCall("aten::mm", operands), setup)
    plain = predict_call(OperatorCall("aten::mm", operands), Setup())
    assert fitted is not None
    assert plain is not None
    assert fitted.engines_ns[Engine.TENSOR] == pytest.approx(2 * plain.engines_ns[Engine.TENSOR])
    assert fitted.engines_ns[Engine.DMA] == plain.engines_ns[Engine.DMA]


def test_every_parameter_says_where_it_is_from() -> None:
    for parameter in Parameters().with_efficiency({"DMA float32": 0.8}).described():
        assert len(parameter.source) > 10
    assumed = [each.name for each in Parameters().described() if "assumption" in each.source]
    assert assumed == ["graph_launch_ns"]
