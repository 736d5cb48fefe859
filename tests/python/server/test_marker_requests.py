"""Markers over the wire: two servers on one store, as two windows have them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from sidelight.server import protocol
from sidelight.server.protocol import MarkersParams, TimelineMarker
from support.editor import Editor, editing
from support.stored import store_training
from support.waiting import PATIENCE_S


async def markers_after(
    editor: Editor,
    directory: str,
    *,
    removed: tuple[TimelineMarker, ...] = (),
    added: tuple[TimelineMarker, ...] = (),
) -> list[TimelineMarker]:
    params = MarkersParams(directory=directory, removed=list(removed), added=list(added))
    return (await editor.ask(protocol.TIMELINE_MARKERS, params)).markers


async def told_again(editor: Editor, directory: str, told: int) -> None:
    while editor.markers_changed[directory] == told:
        await asyncio.sleep(0.05)


async def test_two_servers_share_a_profile_s_markers(tmp_path: Path) -> None:
    directory = str(store_training(tmp_path).directory)
    early, late = (
        TimelineMarker(name="A", at_ns=at_ns) for at_ns in (40_000, 9_007_199_254_740_993)
    )
    async with editing(tmp_path) as one, editing(tmp_path) as other:
        assert await markers_after(one, directory) == []
        assert await markers_after(one, directory, added=(late,)) == [late]
        # The other knows nothing of that one, and takes it away for nobody.
        assert await markers_after(other, directory, added=(early,)) == [early, late]
        assert await markers_after(one, directory) == [early, late]
        loss = TimelineMarker(name="loss", at_ns=40_000)
        assert await markers_after(one, directory, removed=(early,), added=(loss,)) == [loss, late]
        assert await markers_after(other, directory, removed=(early, late)) == [loss]
        # Each is told of what the other has done.
        for editor in (one, other):
            told = editor.markers_changed[directory]
            writer = other if editor is one else one
            mine = TimelineMarker(name=f"after {told}", at_ns=told)
            assert mine in await markers_after(writer, directory, added=(mine,))
            await asyncio.wait_for(told_again(editor, directory, told), PATIENCE_S)


async def test_a_profile_of_elsewhere_gets_none(tmp_path: Path) -> None:
    store_training(tmp_path)
    added = (TimelineMarker(name="A", at_ns=1),)
    async with editing(tmp_path) as editor:
        with pytest.raises(JsonRpcException, match="is in no store of this workspace"):
            await markers_after(editor, str(tmp_path), added=added)
    assert not (tmp_path / "markers.json").exists()
