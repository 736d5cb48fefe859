"""The rule between rooms (CONTRIBUTING.md): imports go down only.

The checker reads syntax trees, so it also sees imports inside functions, under ``TYPE_CHECKING``,
relative ones, and modules imported by name. It is fed broken packages first, to show that it can
fail.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "pyserver" / "sidelight"

MAY_IMPORT: Mapping[str, frozenset[str]] = {
    "profile": frozenset(),
    "hardware": frozenset(),
    "ingest": frozenset({"profile", "hardware"}),
    "analysis": frozenset({"profile", "hardware"}),
    # What analysis knows is given to export by jobs, which know both.
    "export": frozenset({"profile", "hardware"}),
    "capture": frozenset({"hardware"}),
    "jobs": frozenset({"profile", "hardware", "ingest", "analysis", "export"}),
    "server": frozenset({"profile", "hardware", "ingest", "analysis", "export", "jobs"}),
    "cli": frozenset({"profile", "hardware", "ingest", "analysis", "export", "jobs", "server"}),
    # Modules of the package itself. Whoever imports anything of ours loads __init__.
    "__init__": frozenset(),
    "__main__": frozenset({"cli"}),
}
"""Room to the other rooms it may import."""

STANDARD_LIBRARY_AND: Mapping[str, frozenset[str]] = {
    "__init__": frozenset(),
    "hardware": frozenset(),
    # sitecustomize is no library but the hook of Python's start-up that capture comes in by.
    "capture": frozenset({"torch", "torch_neuronx", "sitecustomize"}),
}
"""Rooms that use the standard library only, and what else they may use."""

UNDER_PRIVATE_NAME = frozenset({"capture", "hardware"})
"""Rooms that the user's interpreter loads as ``_sidelight``, where no ``sidelight`` may exist."""


@dataclass(frozen=True)
class Import:
    """One import.

    Attributes:
        line: Where it stands.
        module: The imported module's absolute name.
        at_module_level: Whether it is imported as soon as the importing module is.
        relative: Whether it is written relative to the importing module.
    """

    line: int
    module: str
    at_module_level: bool
    relative: bool = False


def imports_of(tree: ast.Module, module: str, is_package: bool) -> Iterator[Import]:
    """Every module that ``tree``, the source of ``module``, imports in any way."""
    package = module.split(".") if is_package else module.split(".")[:-1]

    def walk(node: ast.AST, at_module_level: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, alias.name, at_module_level)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package[: len(package) - node.level + 1]
                base = ".".join([*parents, base] if base else parents)
            for alias in node.names:
                yield Import(node.lineno, f"{base}.{alias.name}", at_module_level, node.level > 0)
        elif isinstance(node, ast.Call) and (name := imported_by_name(node)):
            yield Import(node.lineno, name, at_module_level)

        if isinstance(node, ast.If) and is_type_checking(node.test):
            yield from walk_all(node.body, False)
            yield from walk_all(node.orelse, at_module_level)
            return
        deferred = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from walk_all(ast.iter_child_nodes(node), at_module_level and not deferred)

    def walk_all(nodes: Iterable[ast.AST], at_module_level: bool) -> Iterator[Import]:
        for node in nodes:
            yield from walk(node, at_module_level)

    return walk(tree, True)


def imported_by_name(call: ast.Call) -> str | None:
    """The module of ``importlib.import_module("x")`` or ``__import__("x")``."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name in {"import_module", "__import__"} and call.args:
        argument = call.args[0]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            return argument.value
    return None


def is_type_checking(test: ast.expr) -> bool:
    return ast.unparse(test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def broken_rules(package: Path) -> list[str]:
    """What breaks the rule in a package laid out like ours: one sentence each, none if all is well.

    Args:
        package: The package's directory; its name counts as the package's name.
    """
    broken: list[str] = []
    if not (package / "py.typed").is_file():
        broken.append("py.typed is missing")
    for path in sorted(package.rglob("*.py")):
        relative = path.relative_to(package)
        room = relative.parts[0].removesuffix(".py")
        if room not in MAY_IMPORT:
            broken.append(f"{relative}: {room} is no room of the design")
            continue
        parts = (package.name, *relative.with_suffix("").parts)
        is_package = parts[-1] == "__init__"
        module = ".".join(parts[:-1] if is_package else parts)
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        broken.extend(
            f"{relative}:{imported.line}: {fault}"
            for imported in imports_of(tree, module, is_package)
            if (fault := fault_of(imported, room, package.name))
        )
    return broken


def fault_of(imported: Import, room: str, package: str) -> str | None:
    """What is wrong with an import in a room, or None."""
    top, *rest = imported.module.split(".")
    if top in {package, f"_{package}"}:
        target = rest[0] if rest else "__init__"
        other_rooms = MAY_IMPORT.keys() - {room, "__init__"}
        if target in other_rooms - MAY_IMPORT[room]:
            return f"{room} may not import {target}"
        if room in UNDER_PRIVATE_NAME and top == package and not imported.relative:
            return f"{room} imports ours as {package}"
        return None
    if top == "torch_neuronx" and imported.at_module_level:
        return "torch_neuronx is imported at module level"
    if room in STANDARD_LIBRARY_AND:
        allowed = top in sys.stdlib_module_names or top in STANDARD_LIBRARY_AND[room]
        return None if allowed else f"{room} may not import {top}"
    if top == "torch" and imported.at_module_level:
        return f"{room} imports torch at module level"
    return None


def make_package(root: Path, sources: Mapping[str, str]) -> Path:
    package = root / "sidelight"
    for name, source in {"py.typed": "", "__init__.py": "", **sources}.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return package


def test_our_package_keeps_the_rule() -> None:
    assert broken_rules(PACKAGE) == []


def test_a_package_that_keeps_the_rule(tmp_path: Path) -> None:
    package = make_package(
        tmp_path,
        {
            "__main__.py": "import sys\nfrom sidelight.cli import main",
            "profile/tables.py": "import numpy as np\nimport sidelight",
            "hardware/chips.py": "import json",
            "ingest/chrome.py": "from sidelight import __version__\nfrom sidelight import profile",
            "ingest/__init__.py": "from . import chrome\nfrom ..profile import tables",
            "capture/agent.py": "import torch\nfrom ..hardware import chips\n"
            "def probe():\n    import torch_neuronx",
            "capture/startup.py": "import importlib\n"
            "importlib.import_module('_sidelight.capture.agent')",
            "jobs/reading.py": "from sidelight import analysis, ingest",
            "analysis/check.py": "def against_torch():\n    import torch",
            "cli/__init__.py": "from sidelight.jobs import reading\nfrom sidelight import server",
        },
    )
    assert broken_rules(package) == []


@pytest.mark.parametrize(
    ("file", "source", "fault"),
    [
        ("profile/store.py", "from sidelight.ingest import read", "profile may not import ingest"),
        ("profile/store.py", "import sidelight.hardware", "profile may not import hardware"),
        ("hardware/a.py", "from sidelight.profile import x", "hardware may not import profile"),
        ("hardware/a.py", "import numpy", "hardware may not import numpy"),
        (
            "hardware/a.py",
            "from sidelight.hardware import chips",
            "hardware imports ours as sidelight",
        ),
        ("hardware/a.py", "def f():\n    import torch", "hardware may not import torch"),
        ("ingest/a.py", "from sidelight import analysis", "ingest may not import analysis"),
        ("ingest/a.py", "from .. import export", "ingest may not import export"),
        ("ingest/__init__.py", "from ..analysis import x", "ingest may not import analysis"),
        ("export/a.py", "from ..analysis import x", "export may not import analysis"),
        ("ingest/deep/a.py", "from ...analysis import x", "ingest may not import analysis"),
        ("analysis/a.py", "def f():\n    from ..ingest import x", "analysis may not import ingest"),
        (
            "export/a.py",
            "async def f():\n    import sidelight.jobs",
            "export may not import jobs",
        ),
        (
            "analysis/a.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from sidelight.cli import x",
            "analysis may not import cli",
        ),
        ("jobs/a.py", "from sidelight.cli import report", "jobs may not import cli"),
        ("jobs/a.py", "from sidelight import server", "jobs may not import server"),
        ("jobs/a.py", "from sidelight.capture import agent", "jobs may not import capture"),
        ("cli/a.py", "from sidelight import capture", "cli may not import capture"),
        (
            "cli/a.py",
            "import importlib\nimportlib.import_module('sidelight.capture.agent')",
            "cli may not import capture",
        ),
        ("server/a.py", "__import__('sidelight.capture')", "server may not import capture"),
        ("server/a.py", "from sidelight.cli import report", "server may not import cli"),
        ("capture/a.py", "from sidelight.profile import errors", "capture may not import profile"),
        (
            "capture/a.py",
            "from sidelight.hardware import chips",
            "capture imports ours as sidelight",
        ),
        (
            "capture/a.py",
            "import importlib\nimportlib.import_module('_sidelight.profile.store')",
            "capture may not import profile",
        ),
        ("capture/a.py", "from ..ingest import read", "capture may not import ingest"),
        ("capture/a.py", "import msgspec", "capture may not import msgspec"),
        ("capture/a.py", "def f():\n    import numpy as np", "capture may not import numpy"),
        ("__init__.py", "from sidelight.profile import x", "__init__ may not import profile"),
        ("__init__.py", "import pandas", "__init__ may not import pandas"),
        ("__main__.py", "from sidelight.jobs import x", "__main__ may not import jobs"),
        ("utils/a.py", "", "utils is no room of the design"),
        ("helpers.py", "", "helpers is no room of the design"),
        ("ingest/a.py", "import torch", "ingest imports torch at module level"),
        (
            "jobs/a.py",
            "try:\n    from torch import nn\nexcept ImportError:\n    pass",
            "jobs imports torch at module level",
        ),
        ("capture/a.py", "import torch_neuronx", "torch_neuronx is imported at module level"),
        (
            "cli/a.py",
            "class A:\n    from torch_neuronx import x",
            "torch_neuronx is imported at module level",
        ),
    ],
)
def test_a_package_that_breaks_the_rule(tmp_path: Path, file: str, source: str, fault: str) -> None:
    (broken,) = broken_rules(make_package(tmp_path, {file: source}))
    assert broken.startswith(file)
    assert broken.endswith(fault)


def test_a_package_without_its_type_marker(tmp_path: Path) -> None:
    package = make_package(tmp_path, {})
    (package / "py.typed").unlink()
    assert broken_rules(package) == ["py.typed is missing"]
