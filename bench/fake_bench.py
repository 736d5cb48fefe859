"""What target fake takes: a 32-layer transformer of width 8192, forward and backward in bf16.

    python bench/fake_bench.py [--rounds N] [--python PATH]

The program is this file itself, which times its own parts. It runs by hand as far as torch's
import, and under ``sidelight profile --target fake``; what the target takes is all that the second
takes longer until the program's end. Figures are medians over the rounds.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

LAYERS, WIDTH, HEADS, TOKENS = 32, 8192, 64, 2048

GOAL_S: Final = 5.0
"""From torch imported to the program's end, on a machine that does nothing else."""

CLOCKS: Final = ("wall", "cpu")
"""Wall time is what people wait for; processor time tells the same on a machine that is busy."""

PARTS: Final = ("start", "model", "forward", "backward")


def program(times: Path, *, only_import: bool) -> None:
    """Be the program, and write down when each part ended: seconds by clock, and its memory."""
    marks = [now()]
    import torch
    from torch import Tensor, nn
    from torch.nn import functional

    marks.append(now())
    if not only_import:

        class Block(nn.Module):
            """A pre-norm transformer block."""

            def __init__(self) -> None:
                super().__init__()
                self.attention_norm = nn.RMSNorm(WIDTH)
                self.query_key_value = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
                self.output = nn.Linear(WIDTH, WIDTH, bias=False)
                self.feed_forward_norm = nn.RMSNorm(WIDTH)
                self.up = nn.Linear(WIDTH, 4 * WIDTH, bias=False)
                self.down = nn.Linear(4 * WIDTH, WIDTH, bias=False)

            def forward(self, x: Tensor) -> Tensor:
                """Attention and feed-forward, each with a residual connection."""
                batch, tokens, width = x.shape
                query, key, value = (
                    part.view(batch, tokens, HEADS, width // HEADS).transpose(1, 2)
                    for part in self.query_key_value(self.attention_norm(x)).chunk(3, dim=-1)
                )
                mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
                x = x + self.output(mixed.transpose(1, 2).reshape(batch, tokens, width))
                up = functional.gelu(self.up(self.feed_forward_norm(x)))
                return x + self.down(up)

        model = nn.Sequential(*(Block() for _ in range(LAYERS))).to(torch.bfloat16)
        marks.append(now())
        loss = model(torch.randn(1, TOKENS, WIDTH, dtype=torch.bfloat16)).sum()
        marks.append(now())
        loss.backward()
        marks.append(now())
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    times.write_text(json.dumps({"marks": marks, "peak_bytes": peak_bytes}))


def now() -> dict[str, float]:
    """The time in seconds, by clock."""
    return {"wall": time.perf_counter(), "cpu": time.process_time()}


def execute(command: Sequence[str], times: Path) -> dict[str, Any]:
    """What the program wrote that a command runs; ends the benchmark if that fails."""
    finished = subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    if finished.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\nfailed:\n{finished.stderr}")
    return json.loads(times.read_text())


def measure(python: str) -> tuple[dict[str, dict[str, float]], float, int]:
    """One round.

    Returns:
        Part to seconds by clock; wall seconds of the whole command; the program's peak in bytes.
    """
    with tempfile.TemporaryDirectory(prefix="fake-bench-") as scratch:
        times = Path(scratch) / "times.json"
        this = [str(Path(__file__).resolve()), "--program", str(times)]
        by_hand = execute([python, *this, "--only-import"], times)["marks"]
        options = ["--target", "fake", "--json", "--python", python, "--store", scratch]
        start_s = time.perf_counter()
        fake = execute([sys.executable, "-m", "sidelight", "profile", *options, *this], times)
        whole_s = time.perf_counter() - start_s
    parts: dict[str, dict[str, float]] = {}
    for part, before, after in zip(PARTS, fake["marks"], fake["marks"][1:], strict=False):
        parts[part] = {clock: after[clock] - before[clock] for clock in CLOCKS}
    for clock in CLOCKS:
        parts["start"][clock] -= by_hand[1][clock] - by_hand[0][clock]
    return parts, whole_s, fake["peak_bytes"]


def report(rounds: list[tuple[dict[str, dict[str, float]], float, int]]) -> None:
    """Print the medians, one column a clock."""

    def row(label: str, seconds: dict[str, float]) -> None:
        cells = " ".join(f"{seconds[clock]:7.2f} s" for clock in CLOCKS)
        print(f"  {label:36} {cells}")

    print(f"  {'':36} {' '.join(f'{clock:>9}' for clock in CLOCKS)}")
    for part in PARTS:
        row(part, {c: statistics.median(parts[part][c] for parts, _, _ in rounds) for c in CLOCKS})
    totals = [{c: sum(parts[part][c] for part in PARTS) for c in CLOCKS} for parts, _, _ in rounds]
    row(
        f"torch imported to the end (goal {GOAL_S:.0f} s)",
        {clock: statistics.median(total[clock] for total in totals) for clock in CLOCKS},
    )
    print(f"  {'the whole command':36} {statistics.median(s for _, s, _ in rounds):7.2f} s")
    peak_mb = statistics.median(peak for _, _, peak in rounds) / 1e6
    print(f"  {'peak memory of the program':36} {peak_mb:7.0f} MB")


def main() -> None:
    """Measure and print; or be the program."""
    parser = argparse.ArgumentParser(description="What target fake takes.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--python", default=sys.executable, help="interpreter with torch to run the program with"
    )
    parser.add_argument("--program", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--only-import", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.program is not None:
        program(arguments.program, only_import=arguments.only_import)
        return
    print(
        f"{LAYERS} layers, width {WIDTH}, {TOKENS} tokens, bf16; "
        f"{arguments.rounds} rounds, {arguments.python}"
    )
    report([measure(arguments.python) for _ in range(arguments.rounds)])


if __name__ == "__main__":
    main()
