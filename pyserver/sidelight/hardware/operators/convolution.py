"""Convolutions, as matrix products over the unrolled windows.

FLOPs as torch's flop counter has them: two for each weight that meets each element of the result;
backward, one such product for the input's gradient and one for the weight's. For the weight's
gradient of a grouped convolution torch counts the groups as if they were one; that figure is kept,
while the time is that of the products that there are.

Groups of few channels, down to one each in a depthwise convolution, fill little of the array. They
may be products one after another; some may stand side by side in one product, with zeros where one
would meet another; or the Vector Engine may take a weight after another, multiplying and adding two
operands an instruction. Whichever is fastest is taken, and the rule says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..calls import OperatorCall
from ..tensors import Tensor, product, total_bytes
from ..work import Matmul, Work
from .rule import Rule

_ARRAY: Final = 128
"""Rows, and columns, of the array of every chip's Tensor Engine."""


@dataclass(frozen=True)
class _Positions:
    """Where the arguments of a convolution are; -1 for what there is not.

    ``transposed`` may be the answer itself, where the operator's name gives it.
    """

    bias: int
    stride: int
    padding: int
    dilation: int
    groups: int
    transposed: int | bool = False
    output_padding: int = -1


_USUAL: Final = _Positions(2, 3, 4, 5, groups=8, transposed=6, output_padding=7)
_PADDING_FIRST: Final = _Positions(2, 4, 3, 5, groups=6)
_NO_BIAS: Final = _Positions(-1, 3, 2, 4, groups=5)
_FUSED: Final = _Positions(2, 3, 4, 5, groups=6)
_ADDED: Final = _Positions(4, 5, 6, 7, groups=8)
_WITH_KERNEL_SIZE: Final = _Positions(3, 4, 5, 6, groups=-1)


def result_shape(
    source: Tensor,
    weight: Tensor,
    stride: list[int],
    padding: list[int],
    dilation: list[int],
    *,
    transposed: bool,
    output_padding: list[int],
    groups: int,
) -> tuple[int, ...] | None:
    """The shape that a convolution gives (formulas: torch's ``Conv2d`` and ``ConvTranspose2d``)."""
    dimensions = len(source.shape) - 2
    if dimensions < 1 or len(weight.shape) != dimensions + 2:
        return None
    steps, pads, spreads, more = (
        values * dimensions if len(values) == 1 else values
        for values in (stride, padding, dilation, output_padding)
    )
    if min(len(steps), len(pads), len(spreads), len(more)) < dimensions or 0 in steps:
        return None
    sizes: list[int] = []
    for index in range(dimensions):
        size, kernel = source.shape[2 + index], weight.shape[2 + index]
        window = spreads[index] * (kernel - 1)
        if transposed:
            sizes.append((size - 1) * steps[index] - 2 * pads[index] + window + more[index] + 1)
        else:
            sizes.append((size + 2 * pads[index] - window - 1) // steps[index] + 1)
    channels = weight.shape[1] * groups if transposed else weight.shape[0]
    return (source.shape[0], channels, *(max(size, 0) for size in sizes))


def _convolution(at: _Positions) -> Rule:
    def work(call: OperatorCall) -> Work | None:
        source, weight, bias = call.tensor(0), call.tensor(1), call.tensor(at.bias)
        stride, padding = call.numbers(at.stride), call.numbers(at.padding)
        dilation = call.numbers(at.dilation) or [1]
        if not (source and weight and stride and padding):
            return None
        transposed = at.transposed if at.transposed is False else call.flag(at.transposed)
        groups = call.number(at.groups) or _depthwise_groups(call, source)
        shape = result_shape(
            source,
            weight,
            stride,
            padding,
            dilation,
            transposed=transposed,
            output_padding=call.numbers(at.output_padding) or [0],
            groups=groups,
        )
        if shape is None:
            return None
        result = source.shaped(shape)
        products = _products(source, weight, result, transposed=transposed, groups=groups)
        work = Work(
            "convolution",
            flops=products.flops,
            read_bytes=total_bytes([source, weight]) + (bias.nbytes if bias else 0),
            written_bytes=result.nbytes,
            matmuls=(products,),
            dtype=source.dtype,
        )
        return _of_groups(work, [_Product(products)], groups)

    return work


def _depthwise_groups(call: OperatorCall, source: Tensor) -> int:
    return source.size(1) if "depthwise" in call.name else 1


def _products(
    source: Tensor, weight: Tensor, result: Tensor, *, transposed: bool, groups: int
) -> Matmul:
    """The products that a convolution is: windows by weights.

    The windows are as many as there are places in the result, or, transposed, in the source.
    """
    places = source if transposed else result
    positions = places.shape[0] * product(places.shape[2:])
    groups = max(groups, 1)
    contraction = product(weight.shape[1:]) if not transposed else weight.shape[0] // groups
    columns = weight.shape[0] // groups if not transposed else product(weight.shape[1:])
    return Matmul(groups, positions, contraction, columns, source.dtype)


def _of_groups(work: Work, products: Sequence[_Product], groups: int) -> Work:
    """The work of a convolution, with the other ways that there are where it has groups.

    Args:
        work: With a product for each group.
        products: Its products.
        groups: How many groups there are.
    """
    if groups < 2:
        return work
    side_by_side = [
        replace(
            work,
            rule=f"{work.rule}, {at_once} groups at once in the array",
            matmuls=tuple(product.side_by_side(at_once) for product in products),
        )
        for at_once in sorted(
            {each.filling for each in products}
            | {2**power for power in range(1, groups.bit_length())}
        )
        if 1 < at_once <= groups
    ]
    on_vector = replace(
        work,
        rule=f"{work.rule} on the Vector Engine",
        matmuls=(),
        # An operand of two bytes is read beside a sum in fp32: no faster mode applies.
        reduced_elements=work.reduced_elements + sum(each.flops for each in work.matmuls),
    )
    rule = f"{work.rule}, a product for each group"
    return replace(work, rule=rule, alternatives=(*side_by_side, on_vector))


@dataclass(frozen=True)
class _Product:
    """A convolution's product for each group.

    Attributes:
        matmul: The products.
        is_of_weight: Whether its rows and columns are of one group, as the weight's gradient has
            them; else contraction and columns are.
    """

    matmul: Matmul
    is_of_weight: bool = False

    @property
    def filling(self) -> int:
        """How many groups fill the array."""
        other = self.matmul.m if self.is_of_weight else self.matmul.k
        return min(_ARRAY // max(other, 1), _ARRAY // max(self.matmul.n, 1))

    def side_by_side(self, at_once: int) -> Matmul:
        """So many groups in one product, with zeros where one would meet another."""
        matmul = self.matmul
        return replace(
            matmul,
            batch=-(-matmul.batch // at_once),
            m=matmul.m * at_once if self.is_of_weight else matmul.m,
            k=matmul.k if self.is_of_weight else matmul.k * at_once,
            n=matmul.n * at_once,
        )


def _convolution_backward(call: OperatorCall) -> Work | None:
    gradient, source, weight = call.tensor(0), call.tensor(1), call.tensor(2)
    if not (gradient and source and weight):
        return None
    if not len(gradient.shape) == len(source.shape) == len(weight.shape) >= 3:
        return None
    transposed, groups = call.flag(7), call.number(9) or 1
    wanted = call.flags(10) or [True, True, True]
    forward = _products(source, weight, gradient, transposed=transposed, groups=groups)
    to_source = Matmul(groups, forward.m, forward.n, forward.k, source.dtype)
    to_weight = Matmul(groups, forward.k, forward.m, forward.n, source.dtype)
    channels = gradient.size(1)
    made = [weight.shaped((channels,))] * wanted[2]
    made += [source] * wanted[0] + [weight] * wanted[1]
    needed = [source] * wanted[1] + [weight] * wanted[0]
    work = Work(
        "convolution backward",
        flops=to_source.flops * wanted[0] + groups * to_weight.flops * wanted[1],
        read_bytes=total_bytes([gradient, *needed]),
        written_bytes=total_bytes(made),
        matmuls=(to_source,) * wanted[0] + (to_weight,) * wanted[1],
        # The bias's gradient is the sum of what came.
        reduced_elements=gradient.numel * wanted[2],
        dtype=source.dtype,
    )
    products = [_Product(to_source)] * wanted[0]
    products += [_Product(to_weight, is_of_weight=True)] * wanted[1]
    return _of_groups(work, products, groups)


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(
        ("convolution", "_convolution", "convolution_overrideable"), _convolution(_USUAL)
    ),
    **dict.fromkeys(
        (
            "mkldnn_convolution",
            "_mps_convolution",
            "miopen_convolution",
            "miopen_depthwise_convolution",
        ),
        _convolution(_PADDING_FIRST),
    ),
    "cudnn_convolution": _convolution(_NO_BIAS),
    **dict.fromkeys(("cudnn_convolution_relu", "miopen_convolution_relu"), _convolution(_FUSED)),
    **dict.fromkeys(
        ("cudnn_convolution_add_relu", "miopen_convolution_add_relu"), _convolution(_ADDED)
    ),
    **dict.fromkeys(
        (
            "_conv_depthwise2d",
            "conv_depthwise3d",
            "slow_conv_dilated2d",
            "slow_conv_dilated3d",
            "_slow_conv2d_forward",
            "slow_conv3d_forward",
        ),
        _convolution(_WITH_KERNEL_SIZE),
    ),
    **dict.fromkeys(
        ("convolution_backward", "convolution_backward_overrideable"), _convolution_backward
    ),
}
