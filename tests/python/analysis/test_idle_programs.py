"""Programs built to leave a device idle for one reason each, run on the virtual device."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidelight.analysis.idle.report import idle_time
from sidelight.profile.stored_profile import StoredProfile
from support.tool import PROGRAMS, profile_json

IDLE = PROGRAMS / "idle"
MARK = "# idle: "
OPTIONS = ["--target", "virtual", "--warmup", "0", "--auto-cast", "none"]
"""Products of float32 take the device long, so that the host gets ahead of it."""


@pytest.mark.parametrize("program", sorted(path.stem for path in IDLE.glob("*.py")))
def test_the_cause_that_a_program_was_built_to_have(program: str, tmp_path: Path) -> None:
    script = IDLE / f"{program}.py"
    text = script.read_text(encoding="utf-8").splitlines()
    (number, cause) = next(
        (number, line.split(MARK)[1]) for number, line in enumerate(text, 1) if MARK in line
    )
    document = profile_json(tmp_path, script, options=OPTIONS)
    found = idle_time(StoredProfile(Path(document["profile"])).load())
    assert found is not None
    assert (
        found.idle_ns + found.between_steps_ns == document["span_ns"] - document["device_busy_ns"]
    )
    assert found.time_kind == "predicted"
    of_cause = next(each for each in found.causes if each.cause == cause)
    assert (of_cause.lines[0].file, of_cause.lines[0].line) == (str(script), number)
    # How much a wait costs is as the machine has it; what a program sleeps or compiles is not.
    assert of_cause.duration_ns > 0
    assert cause in ("synchronize", found.causes[0].cause)
    others = {each.cause for each in found.causes} - {cause, "host_late"}
    assert not others, f"{program} was built to have no {others}"
