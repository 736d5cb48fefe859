"""The TypeScript side of the protocol is what is generated from its declaration."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from sidelight.server import protocol

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(name="generator")
def load_generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "generate_protocol", ROOT / "tools" / "generate_protocol.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_committed_types_are_the_declared_ones(generator: ModuleType) -> None:
    targets = generator.targets()
    assert len(targets) == 2
    for target, text in targets.items():
        assert target.read_text(encoding="utf-8") == text, "run `make protocol`"


def test_a_changed_declaration_changes_the_types(
    generator: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = generator.typescript()

    class Added(protocol.Message, frozen=True):
        """A message.

        Attributes:
            first_ns: How long.
                Over two lines.
        """

        first_ns: int
        names: list[str] | None = None

    monkeypatch.setattr(protocol, "Added", Added, raising=False)
    after = generator.typescript()
    assert after != before
    assert (
        "/** A message. */\n"
        "export interface Added {\n"
        "  /** How long. Over two lines. */\n"
        "  firstNs: number;\n"
        "  names?: readonly string[] | null;\n"
        "}\n"
    ) in after


def test_every_message_is_in_the_lists_of_methods() -> None:
    kinds = (protocol.Request, protocol.Notification)
    declared = sum(isinstance(value, kinds) for value in vars(protocol).values())
    listed = [*protocol.REQUESTS, *protocol.NOTIFICATIONS]
    methods = [entry.method for entry in listed]
    assert declared == len(listed) == len(set(methods))
    assert all(method.startswith("sidelight/") for method in methods)
