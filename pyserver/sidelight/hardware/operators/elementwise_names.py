"""Which elementwise operators there are: how many operands each has, and which engine runs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def _with(operands: int, names: str) -> dict[str, int]:
    return dict.fromkeys(names.split(), operands)


ON_VECTOR: Final[Mapping[str, int]] = {
    **_with(
        1,
        """
        abs bitwise_not ceil conj_physical _conj_physical deg2rad floor frac frexp hardshrink
        hardsigmoid hardswish hardtanh leaky_relu nan_to_num neg rad2deg
        reciprocal relu relu6 round sgn sign softshrink square threshold trunc
        """,
    ),
    **_with(
        2,
        """
        __and__ __lshift__ __or__ __rshift__ __xor__ __ilshift__ __irshift__ add _add_relu
        bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor complex copysign
        div floor_divide fmax fmin fmod gcd heaviside lcm ldexp linalg_cross maximum minimum mul
        _transform_bias_rescale_qkv nextafter polar _prelu_kernel remainder rsub sub
        clamp_max clamp_min
        """,
    ),
    **_with(3, "addcdiv addcmul clamp lerp masked_fill"),
}
"""What the Vector Engine computes: names to the number of operands."""

COMPARISONS: Final[Mapping[str, int]] = {
    **_with(1, "isfinite isinf isnan isneginf isposinf logical_not signbit"),
    **_with(2, "eq ge gt isclose le logical_and logical_or logical_xor lt ne"),
}
"""What gives truth values, one byte an element."""

ON_SCALAR: Final[Mapping[str, int]] = {
    **_with(
        1,
        """
        acos acosh angle asin asinh atan atanh celu cos cosh digamma elu erf erfc erfinv exp exp2
        expm1 gelu i0 lgamma log log10 log1p log2 logit mish mvlgamma rsqrt selu sigmoid silu sin
        sinc sinh softplus special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0
        special_bessel_y1 special_entr special_erfcx special_i0e special_i1 special_i1e
        special_log_ndtr special_modified_bessel_i0 special_modified_bessel_i1
        special_modified_bessel_k0 special_modified_bessel_k1 special_ndtri
        special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1
        special_spherical_bessel_j0 sqrt tan tanh
        """,
    ),
    **_with(
        2,
        """
        atan2 hypot igamma igammac logaddexp logaddexp2 polygamma special_chebyshev_polynomial_t
        special_chebyshev_polynomial_u special_chebyshev_polynomial_v
        special_chebyshev_polynomial_w special_hermite_polynomial_h special_hermite_polynomial_he
        special_laguerre_polynomial_l special_legendre_polynomial_p
        special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u
        special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w
        special_xlog1py special_zeta xlogy
        """,
    ),
}
"""What the Scalar Engine evaluates by table."""

BACKWARD_ON_VECTOR: Final[Mapping[str, int]] = {
    **_with(
        2,
        """
        hardshrink_backward hardsigmoid_backward hardswish_backward hardtanh_backward
        leaky_relu_backward logit_backward sigmoid_backward softshrink_backward tanh_backward
        threshold_backward
        """,
    ),
    "rrelu_with_noise_backward": 3,
}
"""Gradients that are polynomials of what came and of the result: two instructions."""

BACKWARD_ON_SCALAR: Final[Mapping[str, int]] = {
    **_with(
        2,
        """
        gelu_backward glu_backward log_sigmoid_backward mish_backward silu_backward
        softplus_backward
        """,
    ),
    "elu_backward": 6,
}
"""Gradients that evaluate a function anew and multiply what came with it."""

FRACTIONS: Final = frozenset(["copysign", "deg2rad", "div", "ldexp", "rad2deg", "reciprocal"])
"""Operators of the Vector Engine that make fractions of integers."""

GIVES_REAL: Final = frozenset(["abs", "angle"])
"""Operators that give real numbers of complex ones."""

GIVES_COMPLEX: Final = frozenset(["complex", "polar"])
"""Operators that give complex numbers of real ones."""
