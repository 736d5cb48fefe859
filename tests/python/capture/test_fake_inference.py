"""What a forward pass costs is no matter of whether gradients are asked for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from support.document import quality_codes
from support.fake_runs import Called, fake_run, outermost_operators

MODES = ("grad", "no_grad", "inference")


def test_forward_costs_the_same_in_every_mode(tmp_path: Path) -> None:
    times: dict[str, dict[int, int]] = {}
    calls: dict[str, Counter[Called]] = {}
    for mode in MODES:
        done = fake_run(tmp_path, "inference.py", mode)
        assert not {"priced_by_bytes", "not_priced"} & quality_codes(done.document)
        times[mode] = {line["line"]: line["forward_ns"] for line in done.document["lines"]}
        calls[mode] = outermost_operators(done.profile)
    assert len(times["grad"]) > 45
    assert times["no_grad"] == times["grad"]
    assert times["inference"] == times["grad"]
    # What torch.tensor makes is detached once more where autograd does not do so by itself.
    assert {call.name for call in calls["inference"] - calls["no_grad"]} <= {"aten::detach_"}
    assert not calls["no_grad"] - calls["inference"]
