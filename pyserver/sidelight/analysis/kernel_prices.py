"""The price of each kernel: alone, or in the groups that a compiler makes of a compiled region."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sidelight.analysis.kernels import Kernel
from sidelight.hardware.fused_kernels import fused_kernels
from sidelight.hardware.prediction import Prediction, eager_fixed_ns, predict
from sidelight.hardware.setup import Setup


@dataclass(frozen=True)
class Price:
    """What a kernel costs.

    Attributes:
        operator: The operator's name; of several that share it, the first's.
        prediction: Its time on the device.
        launch_ns: What submitting it takes the host.
        parts: How many operators share it.
    """

    operator: str
    prediction: Prediction
    launch_ns: int
    parts: int


@dataclass(frozen=True)
class PricedKernel:
    """One kernel with its price, and the operators that share it.

    Attributes:
        kernels: The operators: one, or those that a compiler fuses.
        price: What it costs; equal calls have one object.
        part_ns: The part of its time that each operator has; they add up to it.
    """

    kernels: Sequence[Kernel]
    price: Price
    part_ns: Sequence[int]


def price_kernels(kernels: Sequence[Kernel], setup: Setup) -> list[PricedKernel]:
    """Price kernels; those that leave the device nothing to do are left out.

    Args:
        kernels: Kernels, in order of their start.
        setup: What to price them for.
    """
    pricer = _Pricer(setup)
    alone: list[PricedKernel] = []
    graphs: defaultdict[tuple[int, bool], list[Kernel]] = defaultdict(list)
    for kernel in kernels:
        price = pricer.alone(kernel)
        duration_ns = price.prediction.duration_ns
        # What does nothing may still be what others of a graph are joined by.
        if kernel.region >= 0 and (duration_ns or kernel.operation.edges):
            graphs[kernel.region, kernel.is_backward].append(kernel)
        elif kernel.region < 0 and duration_ns:
            alone.append(PricedKernel((kernel,), price, (duration_ns,)))
    for graph in graphs.values():
        for group in pricer.graph(graph):
            parts = [graph[index] for index in group.indices]
            alone.append(PricedKernel(parts, group.price, group.part_ns))
    return alone


@dataclass(frozen=True)
class _Group:
    """Operators of a graph, by their place in it, that share a kernel."""

    indices: Sequence[int]
    price: Price
    part_ns: Sequence[int]


class _Pricer:
    """Prices kernels and graphs, equal ones once.

    Equal calls have one operation, and all live as long as the kernels: they are told apart by
    identity, as they have no hash.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._alone: dict[int, Price] = {}
        self._graphs: dict[tuple[int, ...], list[_Group]] = {}

    def alone(self, kernel: Kernel) -> Price:
        """The price of a kernel that is submitted by itself."""
        price = self._alone.get(id(kernel.operation))
        if price is None:
            setup = self._setup
            prediction = predict(
                kernel.operation.work,
                setup,
                fixed_ns=eager_fixed_ns(setup),
                is_known=kernel.is_known,
            )
            name = kernel.operation.call.name
            price = Price(name, prediction, setup.parameters.eager_launch_ns, 1)
            self._alone[id(kernel.operation)] = price
        return price

    def graph(self, kernels: Sequence[Kernel]) -> list[_Group]:
        """The kernels that a compiler makes of a graph."""
        key = tuple(id(kernel.operation) for kernel in kernels)
        groups = self._graphs.get(key)
        if groups is None:
            groups = self._graphs[key] = self._fuse(kernels)
        return groups

    def _fuse(self, kernels: Sequence[Kernel]) -> list[_Group]:
        """Price a compiled graph: its operators share kernels."""
        groups: list[_Group] = []
        operations = [kernel.operation for kernel in kernels]
        known = [kernel.is_known for kernel in kernels]
        for fused in fused_kernels(operations, known, self._setup):
            parts = [kernels[index] for index in fused.indices]
            name = parts[0].operation.call.name
            price = Price(name, fused.prediction, fused.launch_ns, len(parts))
            weights = [self.alone(kernel).prediction.duration_ns for kernel in parts]
            part_ns = shares(fused.prediction.duration_ns, weights)
            groups.append(_Group(fused.indices, price, part_ns))
        return groups


def shares(total: int, weights: Sequence[int]) -> list[int]:
    """Split a whole number in proportion to weights, by largest remainder: the parts add up."""
    whole = sum(weights)
    if not whole:
        weights, whole = [1] * len(weights), len(weights)
    parts = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda i: -(total * weights[i] % whole))
    for index in by_remainder[: total - sum(parts)]:
        parts[index] += 1
    return parts
