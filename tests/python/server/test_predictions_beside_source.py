"""What stands beside lines that were priced: what was measured, what is predicted, and why."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from sidelight.analysis.pricing_request import PricingRequest
from sidelight.jobs.annotations import store_annotated
from sidelight.jobs.reading import read_into_store
from sidelight.profile.store import Store, StoredProfile
from sidelight.server import protocol
from sidelight.server.protocol import ProfileParams
from support.editor import editing
from support.tool import run
from traces.chrome import operator, row, write

LINE = 3
SOURCE = "import torch\n\ndef work(x):\n    return x\n"
MEGA_ELEMENTS: dict[str, Any] = {"Input Dims": [[1024, 1024]] * 2, "Input type": ["float"] * 2}
MULTIPLY = operator("aten::mul", 10, 500, **MEGA_ELEMENTS)


def store_priced(
    folder: Path,
    *,
    name: str = "run",
    events: Sequence[dict[str, Any]] = (MULTIPLY,),
    predicted: bool = False,
) -> StoredProfile:
    """Store a priced profile of a script whose third line calls operators.

    Args:
        folder: Gets the script and the profile.
        name: What the profile is called.
        events: The operators.
        predicted: Whether nothing was computed, so that no time of it is measured.
    """
    script = folder / "script.py"
    script.write_text(SOURCE)
    call = row("python_function", f"{script}({LINE}): work", 0, 900, **{"Python id": 1})
    trace = write(folder / "trace.json", [call, *events])
    store = Store(folder / ".sidelight")
    request = PricingRequest("trn2")
    stored = read_into_store(trace, store, name=name, pricing=request)
    if not predicted:
        return stored
    profile = stored.load()
    profile.manifest.target = "fake"
    computed_nothing = store_annotated(Store(folder / "elsewhere"), profile)
    store.delete(stored.id)
    return read_into_store(computed_nothing.directory, store, pricing=request)


def explained(folder: Path, command: Sequence[str]) -> list[dict[str, Any]]:
    """The kernels that a command of ours tells of, run in a folder."""
    done = run([*python_of(command), "--json"], cwd=folder)
    assert done.status == 0, done.stderr
    return json.loads(done.stdout)["explanation"]["kernels"]


def python_of(command: Sequence[str]) -> list[str]:
    """A command of ours, by the interpreter that runs the tests."""
    assert command[0] == "sidelight"
    return [sys.executable, "-m", *command]


async def test_what_was_measured_comes_first_and_what_is_predicted_beside_it(
    tmp_path: Path,
) -> None:
    store_priced(tmp_path)
    (kernel,) = explained(tmp_path, ["sidelight", "lines", "run", "--explain", str(LINE)])
    predicted = f"≈{kernel['total_ns'] / 1e3:.1f} µs"
    async with editing(tmp_path) as editor:
        uri = editor.open(tmp_path / "script.py")
        text = await editor.hover_text(uri, LINE - 1)
        (hint,) = await editor.hints(uri)
    shown = re.sub(r"\\(.)", r"\1", text).split("\n\n")
    assert shown[0].startswith("**500 µs** of device time a step · 100 %")
    assert shown[1].splitlines()[2:] == [
        "| device time, self | 500 µs | 100 % |",
        "| device time, total | 500 µs | 100 % |",
        f"| predicted for trn2, self | {predicted} |  |",
    ]
    inputs = "`float32 [1024, 1024], float32 [1024, 1024]`"
    assert shown[2] == f"- 500 µs · 1× · `aten::mul` · {inputs}"
    assert shown[3].startswith("Predicted kernels. Launching takes the host ≈")
    what, work, time = shown[4].split("  \n  ")
    assert what == f"- {predicted} · 1× · `aten::mul` · {inputs}"
    # One multiplication an element; two tensors of 4 MiB are read and one is written.
    assert f" · {1024**2 / 1e6:.2f} MFLOP · {3 * 4 * 1024**2 / 1e6:.1f} MB · 0.08 FLOP/byte" in work
    assert time.startswith(f"{predicted} = ≈")
    assert shown[5:] == [
        "*Measured on the CPU · attributed exactly · 1 step · run*",
        "*Predicted for trn2, LNC 2 · fp32 matrix products run in bf16 (auto-cast matmult) · "
        "uncalibrated*",
    ]
    assert str(hint.label).split(" · ")[0] == "500 µs"
    assert str(hint.label).endswith(f" · {predicted} on trn2")
    assert "measured on the CPU, attributed exactly. Beside it: what is predicted for trn2" in (
        str(hint.tooltip)
    )


async def test_where_nothing_was_measured_all_is_predicted(tmp_path: Path) -> None:
    store_priced(tmp_path, predicted=True)
    async with editing(tmp_path) as editor:
        uri = editor.open(tmp_path / "script.py")
        text = re.sub(r"\\(.)", r"\1", await editor.hover_text(uri, LINE - 1))
        (hint,) = await editor.hints(uri)
    assert re.match(r"\*\*≈[\d.]+ µs\*\* of device time a step · 100 %", text)
    assert "predicted for trn2, self" not in text
    assert text.count("`aten::mul`") == 1
    assert text.endswith(
        "*Predicted for trn2, LNC 2 · fp32 matrix products run in bf16 (auto-cast matmult) · "
        "uncalibrated · attributed exactly · 1 step · run*"
    )
    assert "on trn2" not in str(hint.label)
    assert "The time is predicted for trn2, LNC 2, attributed exactly." in str(hint.tooltip)


async def test_operators_that_share_a_kernel_are_told_as_apportioned(tmp_path: Path) -> None:
    graph = operator("sidelight::compiled_region", 5, 700)
    one = operator("aten::relu", 100, 50, **MEGA_ELEMENTS)
    other = operator("aten::mul", 200, 50, **MEGA_ELEMENTS)
    store_priced(tmp_path, events=[graph, one, other], predicted=True)
    async with editing(tmp_path) as editor:
        uri = editor.open(tmp_path / "script.py")
        text = re.sub(r"\\(.)", r"\1", await editor.hover_text(uri, LINE - 1))
        (hint,) = await editor.hints(uri)
    assert text.count(" · shared by 2 operators, apportioned\n") == 2
    assert " · apportioned: one execution is split over several lines · 1 step" in text
    assert "predicted for trn2, LNC 2, apportioned: one execution" in str(hint.tooltip)


def different_operators(count: int) -> list[dict[str, Any]]:
    """Multiplications of ever larger tensors."""
    shapes: list[dict[str, Any]] = [
        {"Input Dims": [[1024, 128 * (1 + number)]] * 2, "Input type": ["float"] * 2}
        for number in range(count)
    ]
    return [
        operator("aten::mul", 10 + 20 * number, 10, **shape) for number, shape in enumerate(shapes)
    ]


def command_in(hover: str, others: int) -> list[str]:
    """The command that a hover names for the kernels it leaves out."""
    found = re.search(rf"^and {others} more: `(.*)`$", hover, re.MULTILINE)
    assert found, hover
    return shlex.split(found[1])


async def test_a_long_list_is_cut_and_the_command_for_the_rest_works(tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    older = store_priced(folder, name="my run", events=different_operators(11))
    async with editing(folder) as editor:
        uri = editor.open(folder / "script.py")
        text = await editor.hover_text(uri, LINE - 1)
        assert text.count("- ≈") == 3
        command = command_in(text, others=8)
        assert command[1:] == ["lines", "my run", "--explain", f"script.py:{LINE}"]
        assert len(explained(folder, command)) == 11

        store_priced(folder, name="my run", events=different_operators(3))
        await editor.until(lambda: editor.shown[0].directory != str(older.directory))
        assert "--explain" not in await editor.hover_text(uri, LINE - 1)

        # The name means the newer one by now.
        await editor.ask(protocol.SHOW_PROFILE, ProfileParams(directory=str(older.directory)))
        command = command_in(await editor.hover_text(uri, LINE - 1), others=8)
        assert command[2] == older.id
        assert len(explained(folder, command)) == 11


async def test_a_store_elsewhere_is_named(tmp_path: Path) -> None:
    store_priced(tmp_path, events=different_operators(4))
    (tmp_path / ".sidelight").rename(tmp_path / "profiles of mine")
    async with editing(tmp_path, arguments=["--store", "profiles of mine"]) as editor:
        text = await editor.hover_text(editor.open(tmp_path / "script.py"), LINE - 1)
    assert len(explained(Path("/"), command_in(text, others=1))) == 4


async def test_texts_from_a_trace_are_no_markup_among_predictions(tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)> [x](command:evil) `a` **b**"
    shapes: dict[str, Any] = {"Input Dims": [[1024, 1024]], "Input type": [evil]}
    store_priced(tmp_path, events=[operator("aten::relu", 10, 500, **shapes)], predicted=True)
    async with editing(tmp_path) as editor:
        text = await editor.hover_text(editor.open(tmp_path / "script.py"), LINE - 1)
    tokens = MarkdownIt().enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or []]
    marks = {"strong_open", "strong_close", "em_open", "em_close"}
    assert {token.type for token in inline} <= {"text", "code_inline", "hardbreak", *marks}
    assert evil in "".join(token.content for token in inline)
