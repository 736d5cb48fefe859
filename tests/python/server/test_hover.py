"""Hovers over the wire."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from lsprotocol import types
from markdown_it import MarkdownIt
from pytest_lsp import client_capabilities

from cli.recorded import MODEL, Recording
from sidelight.profile.quality import QualityNote
from support.editor import editing
from support.stored import store_run, store_training, write_sources

STRONG = ("strong_open", "strong_close")
EMPHASIS = ("em_open", "em_close")


async def test_a_line_with_everything(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        text = await editor.hover_text(editor.open(path), 26)
    assert text.split("\n\n") == [
        "**840 µs** of device time a step · 37.6 % · 1×",
        "|  | &nbsp;&nbsp;a step | &nbsp;&nbsp;share |\n| :-- | --: | --: |\n"
        "| device time, self | 840 µs | 37.6 % |\n"
        "| · forward | 300 µs | 13.4 % |\n"
        "| · backward | 540 µs | 24.2 % |\n"
        "| device time, total | 840 µs | 37.6 % |\n"
        "| host time | 300 µs |  |",
        "- 540 µs · 1× · `AddmmBackward0`\n"
        "- 290 µs · 1× · `aten::linear`\n"
        "- 9.80 µs · 1× · `aten::add`",
        "*Measured on the CPU · attributed exactly · mean of 4 steps · train*",
    ]


async def test_a_line_that_calls_others_and_one_that_starts_backward(tmp_path: Path) -> None:
    write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        uri = editor.open(tmp_path / "train.py")
        forward, backward = await editor.hover_text(uri, 6), await editor.hover_text(uri, 7)
    assert "| device time, total | 2.15 ms | 96.3 % |" in forward
    assert "| backward of other lines, started here | 1.30 ms | 58.4 % |" in backward


async def test_where_a_hover_is(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        hover = await editor.hover(uri, 26, character=20)
        assert hover is not None
        width = len(MODEL.splitlines()[26])
        assert hover.range == types.Range(types.Position(26, 8), types.Position(26, width))
        assert await editor.hover(uri, 0) is None
        assert await editor.hover(uri, 9_999) is None


async def test_a_statement_over_several_lines_answers_on_each(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("x = f(\n    1,\n    2,\n)\ny = 3\n")
    run = Recording()
    run.step()
    with run.line(str(path), 1):
        run.operator("aten::add", 1_000)
    store_run(path, run, device="cpu")
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        texts = [await editor.hover_text(uri, line) for line in range(5)]
    assert texts[0].startswith("**1.00 µs**")
    assert texts == [texts[0]] * 4 + [""]


async def test_the_link_to_the_timeline_only_where_the_client_runs_commands(
    tmp_path: Path,
) -> None:
    path = write_sources(tmp_path)
    stored = store_training(tmp_path)
    async with editing(tmp_path, options={"commandLinks": True}) as editor:
        text = await editor.hover_text(editor.open(path), 26)
    link = re.search(
        r"\[Show in timeline\]\(command:sidelight\.showTimeline\?([^)]*)\)", text.split("\n\n")[0]
    )
    assert link
    assert json.loads(unquote(link[1])) == [
        {"directory": str(stored.directory), "file": str(path), "line": 27}
    ]
    async with editing(tmp_path) as editor:
        assert "command:" not in await editor.hover_text(editor.open(path), 26)


@pytest.mark.parametrize(
    ("kind", "known"),
    [
        # A predicted line is apportioned where its kernels are, and this one has none.
        ("predicted", "Predicted for Neuron · attributed exactly"),
        (
            "mixed",
            "Partly predicted for Neuron · apportioned\\: one execution is split over several",
        ),
    ],
)
async def test_what_is_not_measured_says_so(tmp_path: Path, kind: str, known: str) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path, time_kind=kind, attribution="apportioned", device="neuron")
    async with editing(tmp_path) as editor:
        text = await editor.hover_text(editor.open(path), 26)
    assert text.startswith("**≈840 µs** of device time a step")
    assert f"*{known}" in text


@pytest.mark.parametrize(("kind", "idle"), [("measured", "2.00 µs"), ("predicted", "≈2.00 µs")])
async def test_the_device_s_idle_time_before_a_line(tmp_path: Path, kind: str, idle: str) -> None:
    path = tmp_path / "script.py"
    path.write_text("x = f()\ny = g(x)\n")
    run = Recording()
    run.step()
    with run.line(str(path), 1):
        run.operator("aten::add", 1_000)
    with run.line(str(path), 2):
        run.now_ns += 2_000
        run.operator("aten::mul", 1_000)
    store_run(path, run, time_kind=kind)
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        assert "idle" not in await editor.hover_text(uri, 0)
        assert f"| device idle before it | {idle} |" in await editor.hover_text(uri, 1)


async def test_names_from_a_trace_are_no_markup(tmp_path: Path) -> None:
    evil = ["<img src=x onerror=alert(1)>", "a|b`c", "[x](command:evil)", "a\n\n# b", "\\`x\\`"]
    path = tmp_path / "script.py"
    path.write_text("x = 1\n")
    run = Recording()
    run.step()
    with run.line(str(path), 1):
        for name in evil:
            run.operator(name, 1_000)
    store_run(path, run, name="<b>*n*</b>")
    async with editing(tmp_path) as editor:
        text = await editor.hover_text(editor.open(path), 0)
    tokens = MarkdownIt().enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or []]
    assert {token.type for token in inline} <= {"text", "code_inline", *STRONG, *EMPHASIS}
    tables = {"table", "thead", "tbody", "tr", "th", "td"}
    assert {token.tag for token in tokens} <= {"", "p", "ul", "li", *tables}
    shown = " ".join("".join(token.content for token in inline).split())
    for name in evil:
        assert " ".join(name.split()) in shown


async def test_a_client_without_markdown_gets_plain_text(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(
            hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.PlainText])
        )
    )
    async with editing(tmp_path, capabilities=capabilities) as editor:
        hover = await editor.hover(editor.open(path), 26)
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.kind == types.MarkupKind.PlainText
    assert hover.contents.value.splitlines() == [
        "840 µs of device time a step · 37.6 % · 1×",
        "device time, self: 840 µs: 37.6 %",
        "· forward: 300 µs: 13.4 %",
        "· backward: 540 µs: 24.2 %",
        "device time, total: 840 µs: 37.6 %",
        "host time: 300 µs",
        "AddmmBackward0 · 540 µs · 1×",
        "aten::linear · 290 µs · 1×",
        "aten::add · 9.80 µs · 1×",
        "Measured on the CPU · attributed exactly · mean of 4 steps · train",
    ]


@pytest.mark.parametrize("client", ["neovim", "emacs", "visual-studio-code"])
async def test_other_editors(tmp_path: Path, client: str) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    capabilities = client_capabilities(client)
    async with editing(tmp_path, capabilities=capabilities) as editor:
        uri = editor.open(path)
        assert "840 µs" in await editor.hover_text(uri, 26)
        assert (await editor.lenses(uri))[23].startswith("2.14 ms")
        if capabilities.text_document and capabilities.text_document.inlay_hint:
            assert (await editor.hint_texts(uri))[26] == "840 µs · 37.6 % · 1×"


async def test_what_may_make_the_numbers_wrong_is_named(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    notes = [
        QualityNote("no_shapes", "info", "No shapes."),
        QualityNote("coarse_*rows*", "warning", "Driver rows only."),
        *(QualityNote(f"other_{number}", "error", "Wrong.") for number in range(3)),
    ]
    store_training(tmp_path, quality=notes)
    async with editing(tmp_path) as editor:
        text = await editor.hover_text(editor.open(path), 26)
    last = text.split("\n\n")[-1]
    assert MarkdownIt().render(last) == (
        "<p>⚠ Data quality: coarse_*rows*, other_0, other_1 and 1 more "
        "(the timeline's header explains)</p>\n"
    )
