"""How far uncalibrated predictions are from what others measured on Trainium2.

    python bench/prediction_error.py PATH_TO_SHARED

Two tables: public measurements of whole programs, which ``measured_programs/`` rebuilds and target
``fake`` prices; and the kernel latencies in ``traces/neuron/kernel-fusion/reports_*.json`` of the
folder that is given, which are left out where that folder is not there. A ratio is the prediction
divided by the measurement. Nothing is fitted here.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sidelight.hardware.calls import OperatorCall
from sidelight.hardware.cores import logical_core
from sidelight.hardware.fusion import Operation, fused_work
from sidelight.hardware.parameters import Parameters
from sidelight.hardware.prediction import eager_fixed_ns, predict, predict_call, work_of
from sidelight.hardware.setup import Setup
from sidelight.hardware.tensors import Tensor
from sidelight.hardware.work import Matmul

PROGRAMS = Path(__file__).with_name("measured_programs")
REPORTS = Path("traces", "neuron", "kernel-fusion")
DTYPES = {"fp32": "float32", "bf16": "bfloat16"}


@dataclass(frozen=True)
class Program:
    """A program that somebody measured on one logical core of Trainium2.

    Attributes:
        name: What it is.
        command: The file in ``measured_programs`` and its arguments.
        measured_ms: Wall time, which holds the launches.
        graphs: How many graphs are launched; 0 where every kernel is.
        shares: By how much the time is divided before it was published.
    """

    name: str
    command: tuple[str, ...]
    measured_ms: float
    graphs: int = 1
    shares: int = 1


def _product(columns: int, part_of_peak: float) -> Program:
    """A product whose rate was published, as a part of 166.75 TFLOP/s."""
    measured_s = 2 * 2048 * 2048 * columns / (166.75e12 * part_of_peak)
    command = ("matmul.py", "2048", "2048", str(columns))
    return Program(f"product 2048 x 2048 x {columns}, bf16", command, 1e3 * measured_s)


MEASURED = (
    _product(2048, 0.43),
    _product(5632, 0.71),
    _product(65536, 0.90),
    Program("RMSNorm, compiled, forward and backward", ("rmsnorm.py",), 0.81, graphs=2),
    *(
        Program(
            f"Llama block, compiled, batch of {batch}, attention {attention}",
            ("llama_block.py", str(batch), attention),
            measured_ms,
            graphs=2,
            shares=batch,
        )
        for batch, measured_ms in ((1, 11.2), (4, 8.7))
        for attention in ("written", "fused")
    ),
    Program("ESM-2 650M, S=32, eager", ("esm2.py", "eager"), 124.5, graphs=0),
    Program("ESM-2 650M, S=32, compiled", ("esm2.py", "compiled"), 15.6),
)


def predicted_program_ms(program: Program) -> tuple[float, float]:
    """What launching takes and what the device does, by target ``fake``, in milliseconds."""
    script, *arguments = program.command
    options = ["--target", "fake", "--device", "trn2", "--json"]
    with tempfile.TemporaryDirectory() as store:
        command = [sys.executable, "-m", "sidelight", "profile", *options, "--store", store]
        ended = subprocess.run(
            [*command, str(PROGRAMS / script), *arguments], capture_output=True, text=True
        )
    report: dict[str, Any] = json.loads(ended.stdout)
    if "device_time_ns" not in report:
        raise SystemExit(f"{script} could not be priced: {report}")
    kernels = sum(op["count"] for line in report["lines"] for op in line["ops"])
    parameters = Parameters()
    launches_ns = program.graphs * parameters.graph_launch_ns or (
        kernels * parameters.eager_launch_ns
    )
    shares = 1e6 * program.shares
    return launches_ns / shares, report["device_time_ns"] / shares


@dataclass(frozen=True)
class Kernel:
    """A kernel that somebody measured: its name and sizes, and both times in microseconds."""

    name: str
    sizes: str
    measured_us: float
    predicted_us: float

    @property
    def ratio(self) -> float:
        """The prediction divided by the measurement."""
        return self.predicted_us / self.measured_us


SETUP = Setup(logical_core("trn2", 1), auto_cast="none")
"""NKI kernels run on one physical core, in the dtype they are written in."""


def kernels_of(reports: Iterable[Path]) -> list[Kernel]:
    """Every measured kernel of the reports, priced."""
    kernels: list[Kernel] = []
    for path in reports:
        report: dict[str, Any] = json.loads(path.read_text("utf-8"))
        for name, rows in report.items():
            if name == "latency_throughput":
                kernels += [_attention(row) for row in rows]
            elif name.startswith(("sbuf_breakeven", "roofline")):
                kernels += [kernel for row in rows for kernel in _layers(row)]
    return kernels


def _layers(row: dict[str, Any]) -> list[Kernel]:
    """``gelu(x @ w + bias)``: as two kernels through HBM, and as one."""
    m, k, n, dtype = row["M"], row["K"], row["N"], DTYPES[row["dtype"]]
    sizes = f"{m} x {k} x {n}"
    operands = tuple(Tensor(shape, dtype) for shape in ((n,), (m, k), (k, n)))
    product = _operation(OperatorCall("aten::addmm", operands))
    # The kernels spread the bias over the partitions by a product with ones, and add it afterwards.
    spread = Matmul(1, m, 1, n, dtype, stays_in_psum=True)
    work = replace(
        product.work,
        matmuls=(*product.work.matmuls, spread),
        vector_elements=m * n,
    )
    product = replace(product, work=work)
    activation = _operation(OperatorCall("aten::gelu", (Tensor((m, n), dtype),)))
    apart_us = _kernel_us([product]) + _kernel_us([activation])
    together_us = _kernel_us([product, activation])
    return [
        Kernel(f"layer, two kernels, {row['dtype']}", sizes, row["baseline_us"], apart_us),
        Kernel(f"layer, one kernel, {row['dtype']}", sizes, row["fused_us"], together_us),
    ]


def _attention(row: dict[str, Any]) -> Kernel:
    """Attention of one head: its three phases through HBM, or fused."""
    length, head, dtype = row["seqlen"], row["d_head"], DTYPES[row["dtype"]]
    heads = Tensor((1, length, head), dtype)
    sizes = f"{length} x {head}"
    if row["kernel"] == "fused":
        call = OperatorCall("aten::scaled_dot_product_attention", (heads, heads, heads))
        prediction = predict_call(call, SETUP)
        assert prediction is not None
        predicted_us = prediction.duration_ns / 1e3
    else:
        scores = Tensor((1, length, length), "float32")
        turned = Tensor((1, head, length), dtype)
        phases = [
            _operation(OperatorCall("aten::bmm", (heads, turned))),
            _operation(OperatorCall("aten::softmax", (scores, -1))),
            _operation(OperatorCall("aten::bmm", (scores, heads.typed("float32")))),
        ]
        # One launch; between the phases, a store and a load.
        latencies_ns = 2 * SETUP.parameters.dma_latency_ns
        works_ns = [predict(operation.work, SETUP, fixed_ns=latencies_ns) for operation in phases]
        total_ns = SETUP.parameters.kernel_start_ns + sum(each.duration_ns for each in works_ns)
        predicted_us = total_ns / 1e3
    name = f"attention, {row['kernel']}, {row['dtype']}"
    return Kernel(name, sizes, row["p50_us"], predicted_us)


def _operation(call: OperatorCall) -> Operation:
    work, _ = work_of(call, SETUP)
    assert work is not None
    return Operation(call, work)


def _kernel_us(operations: Sequence[Operation]) -> float:
    work = fused_work(operations)
    return predict(work, SETUP, fixed_ns=eager_fixed_ns(SETUP)).duration_ns / 1e3


def summary(ratios: Sequence[float]) -> str:
    """Median, and how far nine in ten are within, as cells of a table."""
    errors = sorted(abs(ratio - 1) for ratio in ratios)
    p90 = errors[min(int(0.9 * len(errors)), len(errors) - 1)]
    return f"{statistics.median(ratios):.2f} | {p90:.0%}"


def main() -> None:
    """Print both tables, in Markdown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("shared", type=Path, help="the folder with traces/neuron/kernel-fusion")
    parser.add_argument("--kernels", action="store_true", help="list every kernel of the reports")
    arguments = parser.parse_args()
    _print_programs()
    folder: Path = arguments.shared / REPORTS
    reports = sorted(folder.glob("reports_*.json"))
    if not reports:
        print(f"\nThere are no kernel latencies: {folder} has no reports_*.json.")
        return
    _print_kernels(kernels_of(reports), every=arguments.kernels)


def _print_programs() -> None:
    print("| program | measured, launches included | launches | device | predicted | ratio |")
    print("|---|---:|---:|---:|---:|---:|")
    ratios: list[float] = []
    for program in MEASURED:
        launches_ms, device_ms = predicted_program_ms(program)
        predicted_ms = launches_ms + device_ms
        ratios.append(predicted_ms / program.measured_ms)
        times = (program.measured_ms, launches_ms, device_ms, predicted_ms)
        cells = " | ".join(f"{time:.3g} ms" for time in times)
        print(f"| {program.name} | {cells} | {ratios[-1]:.2f} |", flush=True)
    print(f"\nMedian ratio and error that nine in ten are within: {summary(ratios)}\n")


def _print_kernels(kernels: Sequence[Kernel], *, every: bool) -> None:
    if every:
        for kernel in kernels:
            times = f"{kernel.measured_us:.0f} us, predicted {kernel.predicted_us:.0f} us"
            print(f"{kernel.name}, {kernel.sizes}: {times}, {kernel.ratio:.2f}")
        print()
    print("| kernels | number | median ratio | nine in ten within | lowest | highest |")
    print("|---|---:|---:|---:|---:|---:|")
    names = list(dict.fromkeys(kernel.name for kernel in kernels))
    for name in [*names, "all"]:
        ratios = [kernel.ratio for kernel in kernels if name in (kernel.name, "all")]
        extremes = f"{min(ratios):.2f} | {max(ratios):.2f}"
        print(f"| {name} | {len(ratios)} | {summary(ratios)} | {extremes} |")


if __name__ == "__main__":
    main()
