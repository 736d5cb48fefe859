"""The examples run by hand, unchanged, and their profiles show what they are there to show."""

from __future__ import annotations

import importlib.util
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from sidelight.profile import units

EXAMPLES = Path(__file__).parents[2] / "examples"
RMSNORM = EXAMPLES / "rmsnorm.py"
TRANSFORMER = EXAMPLES / "transformer_train.py"
DECODER = EXAMPLES / "llm_decode.py"
README = " ".join((EXAMPLES.parent / "README.md").read_text(encoding="utf-8").split())
RMSNORM_CLASS = RMSNORM.read_text(encoding="utf-8").splitlines().index("class RMSNorm(nn.Module):")
SMALL = ["--tokens", "64", "--width", "64"]
TINY = ["--dim", "16", "--layers", "2"]

FUSED = "return functional.rms_norm(x, weight.shape, weight, EPSILON)"
ATTENTION = "mixed = functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)"

NAIVE_OPERATORS = {
    "squares = x * x": "aten::mul",
    "mean_square = squares.mean(dim=-1, keepdim=True)": "aten::mean",
    "inverse_rms = torch.rsqrt(mean_square + EPSILON)": "aten::rsqrt",
    "normalized = x * inverse_rms": "aten::mul",
    "return normalized * weight": "aten::mul",
}
"""The statements of the naive variant, and an operator each must show."""


def run(*command: str | Path, cwd: Path) -> str:
    """Standard output of a command that must succeed."""
    finished = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def profile(cwd: Path, *program: str | Path, warmup: int, steps: int) -> dict[str, Any]:
    """The document of a profile taken on the CPU."""
    recording = ["--target", "cpu", "--warmup", str(warmup), "--steps", str(steps), "--json"]
    command = [sys.executable, "-m", "sidelight", "profile", *recording]
    document: dict[str, Any] = json.loads(
        run(*command, "--python", sys.executable, *program, cwd=cwd)
    )
    return document


def by_statement(report: dict[str, Any], example: Path) -> dict[str, dict[str, Any]]:
    """The lines of an example that have device time, by their text."""
    source = example.read_text(encoding="utf-8").splitlines()
    return {
        source[int(line["line"]) - 1].strip(): line
        for line in report["lines"]
        if Path(line["file"]) == example
    }


def imported(example: Path) -> Any:
    """An example as a module."""
    specification = importlib.util.spec_from_file_location(example.stem, example)
    assert specification
    assert specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def losses(output: str) -> dict[str, float]:
    words = [line.split() for line in output.splitlines()]
    return {name: float(loss) for name, _, loss, *_ in words}


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_an_example_does_not_know_the_profiler(example: Path) -> None:
    assert "sidelight" not in example.read_text(encoding="utf-8").lower()


@pytest.mark.parametrize("variant", ["naive", "fused"])
def test_rmsnorm_learns(tmp_path: Path, variant: str) -> None:
    def loss_after(steps: int) -> float:
        arguments = ["--variant", variant, "--steps", str(steps), *SMALL]
        return losses(run(sys.executable, RMSNORM, *arguments, cwd=tmp_path))[variant]

    assert loss_after(30) < loss_after(1)


@pytest.mark.skipif(shutil.which("c++") is None, reason="torch.compile needs a C++ compiler")
def test_rmsnorm_variants_compute_the_same(tmp_path: Path) -> None:
    output = run(sys.executable, RMSNORM, "--variant", "all", "--steps", "2", *SMALL, cwd=tmp_path)
    by_variant = losses(output)
    assert by_variant.keys() == {"naive", "fused", "compiled"}
    assert by_variant["fused"] == pytest.approx(by_variant["naive"], rel=1e-4)
    assert by_variant["compiled"] == pytest.approx(by_variant["naive"], rel=1e-4)


def test_rmsnorm_profile_shows_every_statement(tmp_path: Path) -> None:
    report = profile(tmp_path, RMSNORM, *SMALL, warmup=2, steps=5)
    assert report["steps"] == 5
    assert report["warmup"] == 2
    lines = by_statement(report, RMSNORM)
    for statement, operator in NAIVE_OPERATORS.items():
        line = lines[statement]
        assert operator in {op["name"] for op in line["ops"]}, statement
        assert line["count"] == report["steps"], statement
        assert line["forward_ns"] > 0, statement
        assert line["backward_ns"] > 0, statement
    assert lines["loss.backward()"]["launched_ns"] > 0


@pytest.mark.skipif(shutil.which("c++") is None, reason="torch.compile needs a C++ compiler")
def test_rmsnorm_variants_have_lines_of_their_own(tmp_path: Path) -> None:
    report = profile(tmp_path, RMSNORM, "--variant", "all", *SMALL, warmup=2, steps=2)
    lines = by_statement(report, RMSNORM)
    naive, fused = lines["return normalized * weight"], lines[FUSED]
    # A compiled region is seen as a whole, at its def.
    compiled = lines["def compiled_rms_norm(x: Tensor, weight: Tensor) -> Tensor:"]
    for line in (naive, fused, compiled):
        assert line["forward_ns"] > 0
        assert line["backward_ns"] > 0
    assert naive["count"] == fused["count"] == report["steps"]


def test_the_transformer_learns(tmp_path: Path) -> None:
    def loss_after(steps: int) -> float:
        output = run(sys.executable, TRANSFORMER, "--steps", str(steps), *TINY, cwd=tmp_path)
        return float(output.split()[1])

    first = loss_after(1)
    assert first == pytest.approx(math.log(imported(TRANSFORMER).VOCABULARY), rel=0.1)
    assert loss_after(10) < first - 0.1


def test_the_transformer_tells_no_token_from_those_after_it() -> None:
    module = imported(TRANSFORMER)
    model = module.Transformer(16, 2)
    tokens = torch.randint(module.VOCABULARY, (2, module.CONTEXT))
    changed = tokens.clone()
    changed[:, 50:] += 1
    changed %= module.VOCABULARY
    with torch.no_grad():
        same = torch.isclose(model(tokens), model(changed), atol=1e-5).all(dim=-1)
    assert same[:, :50].all()
    assert not same[:, 50:].any()


def test_the_transformers_profile(tmp_path: Path) -> None:
    report = profile(tmp_path, TRANSFORMER, "--steps", "5", *TINY, warmup=2, steps=3)
    assert report["steps"] == 3
    lines = by_statement(report, TRANSFORMER)
    blocks, steps = 2, report["steps"]
    for statement, count in {
        "heads = self.qkv(x).unflatten(-1, (3, HEADS, -1))": blocks * steps,
        ATTENTION: blocks * steps,
        "hidden = functional.gelu(self.up(self.mlp_norm(x)))": blocks * steps,
        "x = self.tokens(tokens) + self.positions": steps,
        "return self.head(self.norm(x))": steps,
        "loss = functional.cross_entropy(logits.flatten(0, 1), targets.flatten())": steps,
    }.items():
        line = lines[statement]
        assert line["count"] == count, statement
        assert line["forward_ns"] > 0, statement
        assert line["backward_ns"] > 0, statement
    assert "aten::mm" in {op["name"] for op in lines["return self.head(self.norm(x))"]["ops"]}
    assert lines["optimizer.step()"]["forward_ns"] > 0
    assert lines["loss.backward()"]["launched_ns"] > 0


def test_the_cache_changes_no_token() -> None:
    """Token by token is what reading everything anew for every token gives."""
    module = imported(DECODER)
    torch.manual_seed(1)  # pyright: ignore[reportUnknownMemberType]
    model = module.Decoder(32, 2).eval()
    tokens = torch.randint(module.VOCABULARY, (1, module.PROMPT_TOKENS))
    generated = module.generate(model, tokens, 12)
    with torch.no_grad():
        for _ in range(12):
            tokens = torch.cat([tokens, model(tokens, 0)], dim=1)
    assert torch.equal(generated, tokens[:, module.PROMPT_TOKENS :])


def test_generating_waits_for_no_token() -> None:
    """On fake tensors, whose values nobody can read, it runs all the same."""
    module = imported(DECODER)
    with FakeTensorMode():
        model = module.Decoder(32, 2)
        prompt = torch.zeros(1, module.PROMPT_TOKENS, dtype=torch.long)
        assert module.generate(model, prompt, 5).shape == (1, 5)


def test_the_decoders_profile(tmp_path: Path) -> None:
    report = profile(tmp_path, DECODER, "--layers", "2", "--dim", "32", warmup=0, steps=100)
    module = imported(DECODER)
    assert report["steps"] == module.NEW_TOKENS
    lines = by_statement(report, DECODER)
    for statement in (
        "heads = self.qkv(x).unflatten(-1, (3, HEADS, -1))",
        "self.keys[:, :, start:end] = keys",
        "mixed = functional.scaled_dot_product_attention(",
        "hidden = functional.silu(self.up(self.mlp_norm(x)))",
        "logits = self.head(self.norm(x[:, -1:]))",
        "return logits.argmax(dim=-1)",
    ):
        assert lines[statement]["self_ns"] > 0, statement
        assert lines[statement]["backward_ns"] == 0, statement
    prefill, decode = lines["token = model(prompt, 0)"], lines["token = model(token, position)"]
    assert (prefill["count"], decode["count"]) == (1, module.NEW_TOKENS - 1)
    assert prefill["total_ns"] > 0
    assert decode["total_ns"] > 0


def predicted(cwd: Path, *program: str | Path) -> dict[str, Any]:
    """The document of a profile in which nothing was computed."""
    command = [sys.executable, "-m", "sidelight", "profile", "--json", "--target", "fake"]
    document: dict[str, Any] = json.loads(
        run(*command, "--python", sys.executable, *program, cwd=cwd)
    )
    return document


def a_step(report: dict[str, Any], sum_ns: int) -> str:
    return units.duration(sum_ns / report["steps"], predicted=True)


def test_the_readme_tells_the_numbers_of_the_classic_exercise(tmp_path: Path) -> None:
    told: list[str] = []
    for variant in ("naive", "fused", "compiled"):
        report = predicted(
            tmp_path, RMSNORM, "--variant", variant, "--tokens", "8192", "--width", "4096"
        )
        norm = [line for line in report["lines"] if line["line"] < RMSNORM_CLASS]
        told.append(a_step(report, sum(line["self_ns"] for line in norm)))
    written_out, fused, compiled = told
    sentence = f"{written_out} a step written out, {fused} fused and {compiled} compiled"
    assert sentence in README


@pytest.mark.parametrize("example", [TRANSFORMER, DECODER], ids=lambda path: path.stem)
def test_the_readme_tells_what_a_step_takes(tmp_path: Path, example: Path) -> None:
    report = predicted(tmp_path, example)
    busy = units.share(report["device_busy_ns"], report["recorded_ns"])
    sentence = f"takes {a_step(report, report['recorded_ns'])}, of which the device is busy {busy}"
    assert sentence in README
