"""Annotations follow edits: incremental changes of every kind of text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from cli.recorded import MODEL
from support.editor import Editor, editing
from support.stored import store_training, write_sources

HINT = "840 µs · 37.6 % · 1×"
LINE = 26


async def marked(editor: Editor, uri: str) -> dict[int, str]:
    """The hints of the 840 µs line only."""
    hints = await editor.hint_texts(uri)
    return {line: text for line, text in hints.items() if text.startswith("840 µs")}


@pytest.mark.parametrize(
    "model",
    [
        MODEL,
        MODEL.replace("\n", "\r\n"),
        MODEL.replace("A model", "Größe 😀\x0cnext\u2028next"),
    ],
    ids=["plain", "crlf", "strange"],
)
async def test_edits_move_and_mark_lines(tmp_path: Path, model: str) -> None:
    path = write_sources(tmp_path, model)
    store_training(tmp_path, model=model)
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        assert await marked(editor, uri) == {LINE: HINT}
        editor.edit(uri, (3, 0), (3, 0), "import os\nimport sys\n")
        assert await marked(editor, uri) == {LINE + 2: HINT}
        editor.edit(uri, (LINE + 2, 8), (LINE + 2, 8), "0 + ")
        assert await marked(editor, uri) == {LINE + 2: f"{HINT} · edited"}
        assert "changed since it was profiled" in await editor.hover_text(uri, LINE + 2)
        heat = await editor.heat(uri)
        assert [line.stale for line in heat.lines if line.line == LINE + 2] == [True]
        assert heat.version == 2
        editor.edit(uri, (LINE + 2, 8), (LINE + 2, 12), "")
        assert await marked(editor, uri) == {LINE + 2: HINT}
        editor.edit(uri, (LINE + 2, 0), (LINE + 3, 0), "")
        assert await marked(editor, uri) == {}
        assert len((await editor.heat(uri)).lines) == 5


async def test_scopes_move_with_their_definitions(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        before = await editor.lenses(uri)
        editor.edit(uri, (0, 0), (0, 0), "# one line more\n")
        assert await editor.lenses(uri) == {line + 1: title for line, title in before.items()}


async def test_an_unsaved_text_counts_and_not_the_file(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        uri = editor.open(path, "\n\n\n" + MODEL)
        assert await marked(editor, uri) == {LINE + 3: HINT}
        editor.close(uri)
        assert await editor.hints(uri) == []
        editor.open(path)
        assert await marked(editor, uri) == {LINE: HINT}


@pytest.mark.parametrize(
    ("profiled", "now"),
    [
        (MODEL, MODEL.replace("\n", "\r\n")),
        (MODEL.replace("\n", "\r\n"), MODEL),
        ("\ufeff" + MODEL, MODEL),
        (MODEL, "\ufeff" + MODEL),
        (MODEL.rstrip("\n"), MODEL),
    ],
    ids=["to crlf", "from crlf", "without mark", "with mark", "with last ending"],
)
async def test_line_endings_and_byte_order_marks_change_nothing(
    tmp_path: Path, profiled: str, now: str
) -> None:
    path = write_sources(tmp_path, profiled)
    store_training(tmp_path, model=profiled)
    async with editing(tmp_path) as editor:
        assert await marked(editor, editor.open(path, now)) == {LINE: HINT}


async def test_the_server_has_the_editor_s_text_after_any_edits(tmp_path: Path) -> None:
    """Edits at random places of a text with every kind of line ending and wide characters."""
    path = write_sources(tmp_path)
    store_training(tmp_path)
    chance = random.Random(3)
    text = MODEL
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        for _ in range(100):
            lines = text.split("\n")
            line = chance.randrange(len(lines))
            start = line, chance.randrange(len(lines[line]) + 1)
            end = line, min(start[1] + chance.randrange(3), len(lines[line]))
            if chance.random() < 0.05 and line + 1 < len(lines):
                end = line + 1, 0
            inserted = chance.choice(["", "x", "# 😀\n", "\x0c\u2028", "\n\n"])
            editor.edit(uri, _utf16(lines, start), _utf16(lines, end), inserted)
            text = text[: _offset(lines, start)] + inserted + text[_offset(lines, end) :]
        after = await editor.hint_texts(uri), await editor.lenses(uri), await editor.heat(uri)
        editor.close(uri)
        editor.open(path, text)
        fresh = await editor.hint_texts(uri), await editor.lenses(uri), await editor.heat(uri)
    assert after[:2] == fresh[:2]
    assert after[2].lines == fresh[2].lines
    assert after[0], "all lines were edited away: the test shows nothing"


def _offset(lines: list[str], position: tuple[int, int]) -> int:
    return sum(len(line) + 1 for line in lines[: position[0]]) + position[1]


def _utf16(lines: list[str], position: tuple[int, int]) -> tuple[int, int]:
    line, column = position
    return line, len(lines[line][:column].encode("utf-16-le")) // 2


async def test_an_edit_is_told_so_that_heat_can_follow(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        await editor.hints(uri)
        before = editor.heat_changed[uri]
        editor.edit(uri, (0, 0), (0, 0), "\n")
        await editor.until(lambda: editor.heat_changed[uri] > before)
