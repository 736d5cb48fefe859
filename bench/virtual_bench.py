"""What target virtual's device costs: the transformer example on it, and on the CPU.

    python bench/virtual_bench.py [--rounds N] [--python PATH]

Each round trains ``examples/transformer_train.py`` on both devices, without a profiler, in a
process of its own that uses one thread. Figures are medians over the rounds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent

GOAL: Final = 3.0
"""At most this many times what the CPU alone takes."""

STEPS: Final = 20

CLOCKS: Final = ("wall", "cpu")
"""Wall time is what people wait for; processor time tells the same on a machine that is busy."""


def train(device: str) -> None:
    """Be the program: train on a device, and write what a step took, in milliseconds by clock."""
    sys.path[:0] = [str(ROOT / "pyserver"), str(ROOT / "examples")]
    import torch

    example: Any = import_module("transformer_train")
    if device != "cpu":
        from sidelight.capture.notes import Notes
        from sidelight.capture.user_code import UserCode
        from sidelight.capture.virtual.session import VirtualSession

        VirtualSession({}, Notes(), UserCode(None)).begin()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = example.Transformer(example.DIM, example.LAYERS).to(device)
    shape = (example.BATCH, example.CONTEXT + 1)
    tokens = torch.randint(example.VOCABULARY, shape).to(device)
    example.train(model, tokens, 2).item()
    began = time.perf_counter(), time.process_time()
    loss = example.train(model, tokens, STEPS).item()
    ended = time.perf_counter(), time.process_time()
    steps_ms = {
        clock: (after - before) / STEPS * 1e3
        for clock, before, after in zip(CLOCKS, began, ended, strict=True)
    }
    print(json.dumps({**steps_ms, "loss": loss}))


def measure(python: str, device: str) -> dict[str, float]:
    """One round on one device."""
    command = [python, str(Path(__file__).resolve()), "--device", device]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\nfailed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def report(rounds: list[tuple[dict[str, float], dict[str, float]]]) -> None:
    """Print the medians of both devices, and how many times the one is the other."""
    print(f"  {'a step':10} {'cpu':>10} {'neuron':>10}   times (goal {GOAL:.0f})")
    for clock in CLOCKS:
        host_ms, device_ms = (
            statistics.median(pair[which][clock] for pair in rounds) for which in (0, 1)
        )
        ratio = statistics.median(device[clock] / host[clock] for host, device in rounds)
        print(f"  {clock:10} {host_ms:7.1f} ms {device_ms:7.1f} ms   {ratio:.2f}")
    losses = {each["loss"] for pair in rounds for each in pair}
    print(f"  losses {'agree' if len(losses) == 1 else f'differ: {sorted(losses)}'}")


def main() -> None:
    """Measure and print; or be the program."""
    parser = argparse.ArgumentParser(description="What the virtual device costs.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--python", default=sys.executable, help="interpreter with torch to run the program with"
    )
    parser.add_argument("--device", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.device is not None:
        train(arguments.device)
        return
    print(f"the transformer example, {arguments.rounds} rounds, {arguments.python}")
    python = arguments.python
    report([(measure(python, "cpu"), measure(python, "neuron")) for _ in range(arguments.rounds)])


if __name__ == "__main__":
    main()
