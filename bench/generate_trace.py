"""Write a torch.profiler Chrome trace of any size: a training loop with stacks and shapes.

    python bench/generate_trace.py trace.json --megabytes 200 [--minified] [--device]

The text is laid out as Kineto writes it (or on one line with ``--minified``), and the rows nest as
a real recording's do, so that a reader meets the same work on it.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Event = dict[str, Any]

PROCESS = 4711
MAIN_THREAD = 4711
BACKWARD_THREAD = 4790
STREAM = 7
BASE_UNIX_NS = 1_790_857_026_000_000_000
KERNELS = (
    "ampere_sgemm_128x64_tn",
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl>",
    "void at::native::layer_norm_grad_input_kernel<float>",
    "flash_fwd_kernel<64, 128, 128>",
    "void at::native::multi_tensor_apply_kernel<float>",
)
LAYERS = ("linear", "layer_norm", "gelu", "scaled_dot_product_attention")
FUNCTIONS_PER_LAYER = 28


class Recording:
    """Makes the events of one training step after another.

    Args:
        device: Whether operators launch kernels, with runtime calls and flows.
        passes: Forward and backward passes in a step, as where gradients are accumulated.
    """

    def __init__(self, *, device: bool, passes: int = 1) -> None:
        self._device = device
        self._passes = passes
        self._random = random.Random(20)
        self._now_ns = 5_150_120_973_088_688
        self._external_id = 0
        self._sequence_nr = 0
        self._step = 0
        self._stream_free_ns = 0

    def step(self) -> Iterator[Event]:
        """The events of the next step."""
        self._step += 1
        start_ns = self._now_ns
        for _ in range(self._passes):
            forwards: list[tuple[int, int]] = []
            for layer in range(24):
                yield from self._layer(layer, forwards)
            for sequence_nr, forward_ns in reversed(forwards):
                yield from self._backward(sequence_nr, forward_ns)
        yield self._row(
            "user_annotation",
            f"ProfilerStep#{self._step}",
            MAIN_THREAD,
            start_ns,
            self._now_ns - start_ns,
            {"External id": self._next_external_id(), "Record function id": 0},
        )

    def _layer(self, layer: int, forwards: list[tuple[int, int]]) -> Iterator[Event]:
        functions: list[Event] = []
        for depth in range(FUNCTIONS_PER_LAYER):
            name = (
                f"/home/user/project/model.py({20 + depth}): block_{layer % 4}_{depth}"
                if depth % 3 == 0
                else f"torch/nn/modules/module.py({1770 + depth}): _wrapped_call_impl"
            )
            args = {"Python parent id": depth, "Python id": depth + 1, "Ev Idx": self._external_id}
            functions.append(self._row("python_function", name, MAIN_THREAD, self._tick(), 0, args))
        for kind in LAYERS:
            forwards.append((self._sequence_nr, self._now_ns))
            yield from self._operator(f"aten::{kind}", MAIN_THREAD, self._sequence_nr, 0)
            yield from self._operator("aten::empty", MAIN_THREAD, None, 0)
            self._sequence_nr += 1
        for function in reversed(functions):
            start_ns = round(function["ts"] * 1000)
            function["dur"] = (self._tick() - start_ns) / 1000
            yield function

    def _backward(self, sequence_nr: int, forward_ns: int) -> Iterator[Event]:
        if sequence_nr % 2 == 0:
            flow = {"id": sequence_nr, "pid": PROCESS, "cat": "fwdbwd", "name": "fwdbwd"}
            yield {"ph": "s", **flow, "tid": MAIN_THREAD, "ts": forward_ns / 1000}
            yield {"ph": "f", **flow, "tid": BACKWARD_THREAD, "ts": self._now_ns / 1000, "bp": "e"}
        yield from self._operator("AddmmBackward0", BACKWARD_THREAD, sequence_nr, 1)
        yield from self._operator("aten::mm", BACKWARD_THREAD, None, 0)

    def _operator(
        self, name: str, thread: int, sequence_nr: int | None, forward_thread: int
    ) -> Iterator[Event]:
        external_id = self._next_external_id()
        start_ns, duration_ns = self._now_ns, self._random.randrange(2_000, 60_000)
        width = self._random.choice((64, 256, 1024))
        args: dict[str, Any] = {"External id": external_id, "Record function id": 0}
        if sequence_nr is not None:
            args |= {"Sequence number": sequence_nr, "Fwd thread id": forward_thread}
        args |= {
            "Concrete Inputs": ["", "", "", "False"],
            "Input type": ["float", "float", "", "Scalar"],
            "Input Strides": [[width, 1], [1, width], [], []],
            "Input Dims": [[32, width], [width, width], [], []],
            "Ev Idx": external_id,
        }
        yield self._row("cpu_op", name, thread, start_ns, duration_ns, args)
        if self._device:
            yield from self._launch(external_id, thread, start_ns, duration_ns)
        self._now_ns = start_ns + duration_ns + self._random.randrange(100, 3_000)

    def _launch(
        self, external_id: int, thread: int, start_ns: int, duration_ns: int
    ) -> Iterator[Event]:
        ids = {"External id": external_id, "correlation": external_id}
        launch_ns = start_ns + duration_ns // 2
        yield self._row("cuda_runtime", "cudaLaunchKernel", thread, launch_ns, 900, ids)
        flow = {"id": external_id, "cat": "ac2g", "name": "ac2g"}
        at_us = launch_ns / 1000
        yield {"ph": "s", **flow, "pid": PROCESS, "tid": thread, "ts": at_us}
        # A stream has one kernel after another, each some time after its launch.
        begin_ns = max(launch_ns + self._random.randrange(3_000, 9_000), self._stream_free_ns)
        kernel_ns = self._random.randrange(2_000, 40_000)
        self._stream_free_ns = begin_ns + kernel_ns + 1_000
        kernel = self._row("kernel", KERNELS[external_id % 5], STREAM, begin_ns, kernel_ns, ids)
        kernel["pid"] = 0
        kernel["args"] = {
            **ids,
            "device": 0,
            "stream": STREAM,
            "grid": [64, 1, 1],
            "block": [256, 1, 1],
        }
        yield {"ph": "f", **flow, "pid": 0, "tid": STREAM, "ts": begin_ns / 1000, "bp": "e"}
        yield kernel

    def _row(
        self, category: str, name: str, thread: int, start_ns: int, duration_ns: int, args: Event
    ) -> Event:
        return {
            "ph": "X",
            "cat": category,
            "name": name,
            "pid": PROCESS,
            "tid": thread,
            "ts": start_ns / 1000,
            "dur": duration_ns / 1000,
            "args": args,
        }

    def _tick(self) -> int:
        self._now_ns += self._random.randrange(100, 900)
        return self._now_ns

    def _next_external_id(self) -> int:
        self._external_id += 1
        return self._external_id


def kineto_text(event: Event) -> str:
    """One event as Kineto lays it out: a field a line, and the arguments on one line."""
    lines: list[str] = []
    for key, value in event.items():
        if key == "args":
            inner = json.dumps(value)[1:-1]
            lines.append(f'"args": {{\n      {inner}\n    }}')
        elif key in ("ts", "dur"):
            lines.append(f'"{key}": {value:.3f}')
        else:
            lines.append(f'"{key}": {json.dumps(value)}')
    return "  {\n    " + ",\n    ".join(lines) + "\n  }"


def minified_text(event: Event) -> str:
    """One event without any white space."""
    return json.dumps(event, separators=(",", ":"))


def generate(path: Path, megabytes: float, *, minified: bool, device: bool, passes: int = 1) -> int:
    """Write a trace of at least ``megabytes`` (10^6 bytes) and return its number of events.

    What the options mean is told at :class:`Recording`.
    """
    text = minified_text if minified else kineto_text
    separator = "," if minified else ",\n"
    recording = Recording(device=device, passes=passes)
    header = {
        "schemaVersion": 1,
        "deviceProperties": [{"id": 0, "name": "NVIDIA H100"}] if device else [],
        "record_shapes": 1,
        "with_stack": 1,
        "baseTimeNanoseconds": BASE_UNIX_NS,
    }
    written = events = 0
    with path.open("w", encoding="utf-8") as file:
        opening = json.dumps(header)[:-1] + ', "traceEvents": [' + ("" if minified else "\n")
        file.write(opening)
        names = [
            ("process_name", 0, "python"),
            ("thread_name", MAIN_THREAD, "thread 4711 (python)"),
        ]
        parts = [
            text({"ph": "M", "name": kind, "pid": PROCESS, "tid": tid, "args": {"name": name}})
            for kind, tid, name in names
        ]
        while written < megabytes * 1e6:
            parts.extend(text(event) for event in recording.step())
            block = separator.join(parts)
            written += file.write(block if events == 0 else separator + block)
            events += len(parts)
            parts = []
        file.write('],"traceName":"t"}' if minified else '\n  ],"traceName": "t" }')
    return events


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("path", type=Path)
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--minified", action="store_true", help="all on one line")
    parser.add_argument("--device", action="store_true", help="with kernels, launches and flows")
    arguments = parser.parse_args()
    events = generate(
        arguments.path,
        arguments.megabytes,
        minified=arguments.minified,
        device=arguments.device,
    )
    print(f"{arguments.path}: {events:,} events, {arguments.path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
