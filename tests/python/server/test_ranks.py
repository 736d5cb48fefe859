"""The ranks of one run: listed together, shown one at a time."""

from __future__ import annotations

from pathlib import Path

from sidelight.server import protocol
from sidelight.server.protocol import Nothing, OpenTraceParams, ProfileParams
from support.editor import editing
from support.stored import store_training
from traces import chrome


def write_ranks(folder: Path, script: Path, ranks: int) -> Path:
    """Traces of ranks whose third line takes 1 µs on rank 0, 2 µs on rank 1 and so on."""
    for rank in range(ranks):
        session = folder / f"i-0abc_pid_{40 + rank}" / "1"
        session.mkdir(parents=True)
        events = [
            chrome.row("python_function", f"{script}(3): step", 0, 60, pid=40 + rank),
            chrome.operator("aten::mm", 10, 1 + rank, pid=40 + rank),
        ]
        chrome.write(session / "trace.json", events)
    return folder


async def test_each_rank_can_be_shown(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import torch\n\ny = torch.ones(3) @ torch.ones(3)\n")
    folder = write_ranks(tmp_path / "traces", script, 3)
    async with editing(tmp_path) as editor:
        uri = editor.open(script)
        opened = await editor.ask(protocol.OPEN_TRACE, OpenTraceParams(path=str(folder)))
        assert len(opened.directories) == 3
        (store,) = (await editor.ask(protocol.LIST_PROFILES, Nothing())).stores
        assert store.runs == [opened.directories], "by rank"

        for rank in (0, 2, 1):
            directory = opened.directories[rank]
            if rank:
                await editor.ask(protocol.SHOW_PROFILE, ProfileParams(directory=directory))
            await editor.until_shown("traces")
            (shown,) = editor.shown
            assert (shown.directory, shown.rank, shown.world_size) == (directory, rank, 3)
            hints = await editor.hint_texts(uri)
            assert hints[2].startswith(f"{rank + 1}.00 µs")
            timeline = await editor.ask(protocol.TIMELINE, ProfileParams(directory=directory))
            assert (timeline.rank, timeline.world_size) == (rank, 3)


async def test_what_is_no_rank_of_several_is_no_run_in_the_list(tmp_path: Path) -> None:
    store_training(tmp_path, "one")
    store_training(tmp_path, "one")
    async with editing(tmp_path) as editor:
        (store,) = (await editor.ask(protocol.LIST_PROFILES, Nothing())).stores
        assert len(store.profiles) == 2
        assert store.runs == []
        await editor.until_shown("one")
        assert (editor.shown[0].rank, editor.shown[0].world_size) == (None, None)
