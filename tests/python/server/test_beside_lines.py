"""Inlay hints, code lenses and heat over the wire."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from cli.recorded import Recording
from sidelight.server.heat import level
from support.editor import VSCODE, editing
from support.stored import store_run, store_training, write_sources


def command_line(*arguments: str | Path) -> str:
    command = [sys.executable, "-m", "sidelight", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout


async def test_the_same_figures_as_on_the_command_line(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    stored = store_training(tmp_path)
    printed = command_line("lines", stored.directory)
    document = json.loads(command_line("lines", stored.directory, "--json"))
    async with editing(tmp_path, settings={"inlayHints": {"minimumSharePercent": 0}}) as editor:
        uris = {
            uri: name
            for name in ("model", "train")
            if (uri := editor.open(tmp_path / f"{name}.py"))
        }
        hints = {
            f"{name}.py:{line + 1}": text
            for uri, name in uris.items()
            for line, text in (await editor.hint_texts(uri)).items()
        }
        heat = await editor.heat(path.as_uri())
    assert len(hints) == sum(line["self_ns"] > 0 for line in document["lines"])
    for place, text in hints.items():
        time, share, count = text.split(" · ")
        (row,) = [row for row in printed.splitlines() if re.search(rf" {place}\b", row)]
        assert row.split()[:3] == [*time.split(), share.replace(" ", "")]
        assert f" {count.removesuffix('×')}  {place}" in row
    shares = {
        line["line"] - 1: line["self_ns"] / document["device_time_ns"]
        for line in document["lines"]
        if line["file"] == str(path) and line["self_ns"]
    }
    assert {line.line: line.share for line in heat.lines} == pytest.approx(shares)
    assert [line.share for line in heat.lines] == sorted(shares.values(), reverse=True)
    assert [line.level for line in heat.lines] == [level(line.share) for line in heat.lines]


def test_levels_of_heat() -> None:
    assert [level(share) for share in (0, 0.01, 0.02, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1)] == [
        *(1, 1, 2, 3, 4, 5, 6, 7, 8, 8)
    ]


async def test_a_hint_stands_after_the_line_s_text(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        (hint,) = await editor.hints(editor.open(path), 26, 27)
    assert hint.label == "840 µs · 37.6 % · 1×"
    assert hint.position == types.Position(26, len(path.read_text().splitlines()[26]))
    assert hint.padding_left
    assert hint.tooltip == (
        "The line's own device time a step · its share of all · how often a step enters it. "
        "The time is measured on the CPU, attributed exactly."
    )


@pytest.mark.parametrize(
    ("encoding", "column"),
    [(None, 16), (types.PositionEncodingKind.Utf16, 16), (types.PositionEncodingKind.Utf8, 22)],
)
async def test_columns_count_as_the_client_does(
    tmp_path: Path, encoding: types.PositionEncodingKind | None, column: int
) -> None:
    path = tmp_path / "größe.py"
    path.write_text('naïve = "𝛼β 😀"  \n', encoding="utf-8")
    run = Recording()
    run.step()
    with run.line(str(path), 1):
        run.operator("aten::add", 1_000)
    store_run(path, run, name="ü")
    capabilities = VSCODE
    if encoding:
        general = types.GeneralClientCapabilities(position_encodings=[encoding])
        capabilities = types.ClientCapabilities(general=general)
    async with editing(tmp_path, capabilities=capabilities) as editor:
        (hint,) = await editor.hints(editor.open(path))
    assert hint.position == types.Position(0, column)


async def test_only_the_hints_asked_for(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        assert [hint.position.line for hint in await editor.hints(uri, 12, 24)] == [12, 13, 24]
        assert not await editor.hints(uri, 0, 5)


@pytest.mark.parametrize(
    ("settings", "hint"),
    [
        ({"time": False}, "37.6 % · 1×"),
        ({"share": False, "count": False}, "840 µs"),
        ({"time": False, "share": False, "count": False}, None),
        ({"enabled": False}, None),
        ({"minimumSharePercent": 37}, "840 µs · 37.6 % · 1×"),
        ({"minimumSharePercent": 38}, None),
        ({"minimumSharePercent": "high"}, "840 µs · 37.6 % · 1×"),
    ],
)
async def test_settings_of_hints(
    tmp_path: Path, settings: dict[str, object], hint: str | None
) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path, settings={"inlayHints": settings}) as editor:
        uri = editor.open(path)
        await editor.until_shown("train")
        assert (await editor.hint_texts(uri)).get(26) == hint


@pytest.mark.parametrize("settings", [{"enabled": False}, {"minimumSharePercent": 96}])
async def test_settings_of_lenses(tmp_path: Path, settings: dict[str, object]) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path, settings={"codeLens": settings}) as editor:
        uri = editor.open(path)
        await editor.until_shown("train")
        assert await editor.lenses(uri) == {}


async def test_changed_settings_are_fetched_and_told(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        assert (await editor.hint_texts(uri))[26] == "840 µs · 37.6 % · 1×"
        before = editor.refreshes.copy()
        editor.client.set_configuration({"inlayHints": {"time": False}}, section="sidelight")
        editor.client.workspace_did_change_configuration(
            types.DidChangeConfigurationParams(settings=None)
        )
        await editor.until(lambda: len(editor.refreshes - before) == 2)
        assert (await editor.hint_texts(uri))[26] == "37.6 % · 1×"


async def test_settings_pushed_by_a_client_that_cannot_be_asked(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path, capabilities=types.ClientCapabilities()) as editor:
        uri = editor.open(path)
        pushed = {"sidelight": {"inlayHints": {"count": False}}}
        editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(pushed))
        assert (await editor.hint_texts(uri))[26] == "840 µs · 37.6 %"
        assert not editor.refreshes


async def test_lenses_of_classes_and_functions(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    async with editing(tmp_path) as editor:
        lenses = await editor.lenses(editor.open(path))
    norm, block = "182 µs · 8.1 % of device time", "2.14 ms · 95.9 % of device time"
    assert lenses == {5: norm, 10: norm, 16: block, 23: block}


async def test_lenses_of_what_is_predicted_apportioned_or_edited(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path, time_kind="mixed", attribution="apportioned", device="neuron")
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        block = "≈2.14 ms · 95.9 % of device time · apportioned"
        lenses = await editor.lenses(uri)
        assert lenses[16] == lenses[23] == block
        (hint,) = await editor.hints(uri, 26, 27)
        assert hint.label == "≈840 µs · 37.6 % · 1×"
        assert "predicted for Neuron, apportioned: one execution" in str(hint.tooltip)
        editor.edit(uri, (24, 8), (24, 8), "0 + ")
        edited = await editor.lenses(uri)
    assert edited[16] == edited[23] == f"{block} · edited"
    assert edited[5] == lenses[5]
