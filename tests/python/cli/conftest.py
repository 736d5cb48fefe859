"""The command line inside this process, and a store with a profile in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.recorded import training_profile
from cli.running import Outcome, Run
from sidelight.cli import main
from sidelight.profile.store import Store


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line; its output is no terminal, 100 columns wide."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str | Path) -> Outcome:
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as leaving:
            status = int(leaving.code or 0)
        captured = capfd.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with one profile, ``train``."""
    Store(tmp_path / "store").add(training_profile())
    return tmp_path / "store"
