"""Which profile is shown: of each folder the newest, unless a person says otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from cli.recorded import MODEL, Recording
from sidelight.profile.store import Store, StoredProfile
from sidelight.server import protocol
from sidelight.server.protocol import Nothing, ProfileParams, RenameParams
from support.editor import Editor, editing
from support.stored import store_run, store_training, write_sources


def params(profile: StoredProfile) -> ProfileParams:
    return ProfileParams(directory=str(profile.directory))


async def profiles(editor: Editor) -> list[protocol.ProfileEntry]:
    listed = await editor.ask(protocol.LIST_PROFILES, Nothing())
    return [profile for store in listed.stores for profile in store.profiles]


async def test_the_newest_is_shown_unasked(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path, "old")
    newest = store_training(tmp_path, "new")
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        await editor.until_shown("new")
        assert editor.shown == [
            protocol.ShownProfile(
                folder_uri=tmp_path.as_uri(),
                directory=str(newest.directory),
                name="new",
                target="cpu",
                device="cpu",
                time_kind="measured",
                priced_for=None,
                steps=4,
                rank=None,
                world_size=None,
                headline="new: 2.23 ms of device time a step, measured on the CPU",
                device_time_text="2.23 ms",
                loading=False,
                problem=None,
            )
        ]
        assert "new*" in await editor.hover_text(uri, 26)
        assert editor.refreshes[types.WORKSPACE_INLAY_HINT_REFRESH]
        assert editor.refreshes[types.WORKSPACE_CODE_LENS_REFRESH]


async def test_a_run_that_ended_before_the_device_did_anything_hides_no_numbers(
    tmp_path: Path,
) -> None:
    write_sources(tmp_path)
    store_training(tmp_path, "old")
    async with editing(tmp_path) as editor:
        await editor.until_shown("old")
        run = Recording()
        with run.line(str(tmp_path / "train.py"), 1):
            pass
        store_run(tmp_path / "train.py", run, name="failed", device="cpu")
        assert [profile.name for profile in await profiles(editor)] == ["failed", "old"]
        assert [shown.name for shown in editor.shown] == ["old"]


async def test_a_profile_written_by_the_command_line_appears(tmp_path: Path) -> None:
    """The store does not exist before."""
    script = tmp_path / "script.py"
    script.write_text("import torch\nx = torch.ones(64, 64)\nfor _ in range(3):\n    x = x @ x\n")
    async with editing(tmp_path) as editor:
        uri = editor.open(script)
        assert await editor.hints(uri) == []
        listed = await editor.ask(protocol.LIST_PROFILES, Nothing())
        assert listed.stores[0].profiles == []
        command = [sys.executable, "-m", "sidelight", "profile", "--target", "cpu", "script.py"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        await editor.until_shown("script")
        assert 3 in await editor.hint_texts(uri)
        assert editor.stores_changed
        assert [profile.name for profile in await profiles(editor)] == ["script"]


async def test_a_choice_holds_until_a_profile_is_written(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    old, _ = store_training(tmp_path, "old"), store_training(tmp_path, "new")
    async with editing(tmp_path) as editor:
        await editor.until_shown("new")
        shown = await editor.ask(protocol.SHOW_PROFILE, params(old))
        assert (shown.name, shown.loading, shown.problem) == ("old", False, None)
        await editor.until_shown("old")
        assert "old*" in await editor.hover_text(editor.open(path), 26)
        assert [(p.name, p.shown) for p in await profiles(editor)] == [
            ("new", False),
            ("old", True),
        ]
        store_training(tmp_path, "newer")
        await editor.until_shown("newer")


async def test_cleared_annotations_stay_away_until_a_profile_is_written(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path, "old")
    async with editing(tmp_path) as editor:
        uri = editor.open(path)
        assert await editor.hints(uri)
        await editor.ask(protocol.CLEAR_ANNOTATIONS, Nothing())
        await editor.until_shown()
        assert await editor.hints(uri) == []
        assert await editor.hover(uri, 26) is None
        assert (await editor.heat(uri)).lines == []
        assert await editor.lenses(uri) == {}
        await profiles(editor)  # looks at the store again
        assert editor.shown == []
        store_training(tmp_path, "new")
        await editor.until_shown("new")
        assert await editor.hints(uri)


async def test_a_cleared_profile_can_be_chosen_again(tmp_path: Path) -> None:
    write_sources(tmp_path)
    stored = store_training(tmp_path)
    async with editing(tmp_path) as editor:
        await editor.until_shown("train")
        await editor.ask(protocol.CLEAR_ANNOTATIONS, Nothing())
        await editor.ask(protocol.SHOW_PROFILE, params(stored))
        await editor.until_shown("train")


async def test_after_the_shown_profile_was_deleted_the_next_newest_is_shown(
    tmp_path: Path,
) -> None:
    write_sources(tmp_path)
    profiles_made = [store_training(tmp_path, name) for name in ("first", "second", "third")]
    async with editing(tmp_path) as editor:
        await editor.until_shown("third")
        await editor.ask(protocol.DELETE_PROFILE, params(profiles_made[2]))
        await editor.until_shown("second")
        assert not profiles_made[2].directory.exists()
        shutil.rmtree(profiles_made[1].directory)
        await editor.until_shown("first")
        await editor.ask(protocol.SHOW_PROFILE, params(profiles_made[0]))
        await editor.ask(protocol.DELETE_PROFILE, params(profiles_made[0]))
        await editor.until_shown()


async def test_a_renamed_profile(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    stored = store_training(tmp_path)
    async with editing(tmp_path) as editor:
        await editor.until_shown("train")
        rename = RenameParams(directory=str(stored.directory), name="after the fix")
        await editor.ask(protocol.RENAME_PROFILE, rename)
        await editor.until_shown("after the fix")
        assert editor.shown[0].headline.startswith("after the fix: 2.23 ms")
        assert "after the fix*" in await editor.hover_text(editor.open(path), 26)
        empty = RenameParams(directory=str(stored.directory), name=" \n")
        with pytest.raises(JsonRpcException, match="visible characters"):
            await editor.ask(protocol.RENAME_PROFILE, empty)


async def test_a_renamed_profile_that_is_not_shown(tmp_path: Path) -> None:
    """Long after the store was looked at: nothing tells of the new name but its own manifest."""
    write_sources(tmp_path)
    old = store_training(tmp_path, "old")
    store_training(tmp_path, "new")
    for path in (tmp_path / ".sidelight").rglob("*"):
        os.utime(path, (0, 0))
    async with editing(tmp_path) as editor:
        await editor.until_shown("new")
        rename = RenameParams(directory=str(old.directory), name="before the fix")
        await editor.ask(protocol.RENAME_PROFILE, rename)
        assert [profile.name for profile in await profiles(editor)] == ["new", "before the fix"]
        Store(tmp_path / ".sidelight").rename(old.id, "by another window")
        assert [profile.name for profile in await profiles(editor)][1] == "by another window"


@pytest.mark.parametrize("damage", ["profile.json", "tables"])
async def test_a_damaged_newest_profile_is_told_and_the_next_shown(
    tmp_path: Path, damage: str
) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path, "sound")
    damaged = store_training(tmp_path, "damaged")
    _damage(damaged, damage)
    async with editing(tmp_path) as editor:
        await editor.until_shown("sound")
        problem = editor.shown[0].problem
        assert problem
        assert str(damaged.directory) in problem
        assert "sound*" in await editor.hover_text(editor.open(path), 26)
        with pytest.raises(JsonRpcException) as refused:
            await editor.ask(protocol.SHOW_PROFILE, params(damaged))
        assert refused.value.code == types.LSPErrorCodes.RequestFailed
        assert str(damaged.directory) in refused.value.message
        assert "Traceback" not in str(refused.value.data)
        if damage == "profile.json":
            listed = await editor.ask(protocol.LIST_PROFILES, Nothing())
            assert listed.stores[0].problems == [problem]
        await editor.ask(protocol.DELETE_PROFILE, params(damaged))
        await editor.until(lambda: editor.shown[0].problem is None)


async def test_only_a_damaged_profile(tmp_path: Path) -> None:
    damaged = store_training(tmp_path)
    _damage(damaged, "profile.json")
    async with editing(tmp_path) as editor:
        await editor.until(lambda: bool(editor.shown))
        (shown,) = editor.shown
        assert (shown.directory, shown.loading) == (str(damaged.directory), False)
        assert str(damaged.directory) in (shown.problem or "")


def _damage(profile: StoredProfile, what: str) -> None:
    if what == "tables":
        shutil.rmtree(profile.directory / "derived")
        for table in profile.directory.glob("*.npz"):
            table.write_bytes(b"nothing")
        assert list(profile.directory.glob("*.npz"))
    else:
        (profile.directory / what).write_text("nothing")


async def test_ranks_of_a_run_show_the_lowest(tmp_path: Path) -> None:
    write_sources(tmp_path)
    for rank in (2, 0, 1):
        store_training(tmp_path, rank=rank, world_size=3)
    async with editing(tmp_path) as editor:
        await editor.until_shown("train")
        assert "train#0 (rank 0 of 3)" in editor.shown[0].headline


async def test_several_folders_have_each_their_own(tmp_path: Path) -> None:
    paths = {name: write_sources(tmp_path / name) for name in ("one", "two")}
    for name in paths:
        store_training(tmp_path / name, name)
    async with editing(*(tmp_path / name for name in paths)) as editor:
        await editor.until_shown("one", "two")
        for name, path in paths.items():
            assert f"{name}*" in await editor.hover_text(editor.open(path), 26)
        await editor.ask(protocol.CLEAR_ANNOTATIONS, Nothing())
        await editor.until_shown()


async def test_a_folder_s_profile_shows_in_files_of_others(tmp_path: Path) -> None:
    library = write_sources(tmp_path / "library")
    store_training(tmp_path / "script", "script", at=tmp_path / "library")
    async with editing(tmp_path / "library", tmp_path / "script") as editor:
        assert "script*" in await editor.hover_text(editor.open(library), 26)


async def test_folders_come_and_go(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_sources(tmp_path / name)
        store_training(tmp_path / name, name)
    one, two = (types.WorkspaceFolder((tmp_path / name).as_uri(), name) for name in ("one", "two"))
    async with editing(tmp_path / "one") as editor:
        await editor.until_shown("one")
        change = types.WorkspaceFoldersChangeEvent(added=[two], removed=[one])
        editor.client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(change)
        )
        await editor.until_shown("two")
        listed = await editor.ask(protocol.LIST_PROFILES, Nothing())
        assert [store.folder_name for store in listed.stores] == ["two"]


async def test_a_file_from_another_host(tmp_path: Path) -> None:
    path = write_sources(tmp_path / "project")
    store_training(tmp_path, at=Path("/home/engineer/work/project"))
    async with editing(tmp_path) as editor:
        assert "840 µs" in await editor.hover_text(editor.open(path), 26)
        other = tmp_path / "elsewhere" / "model.py"
        other.parent.mkdir()
        other.write_text("print()\n")
        assert await editor.hover(editor.open(other), 0) is None


async def test_a_file_from_another_host_is_known_once_its_text_is_there(tmp_path: Path) -> None:
    path = write_sources(tmp_path / "project")
    store_training(tmp_path, at=Path("/home/engineer/work/project"))
    async with editing(tmp_path) as editor:
        uri = editor.open(path, "")
        assert await editor.hints(uri) == []
        editor.edit(uri, (0, 0), (0, 0), MODEL)
        assert "840 µs" in await editor.hover_text(uri, 26)


async def test_two_documents_of_one_file(tmp_path: Path) -> None:
    """By its name and by a link's: each has its own text, unsaved."""
    path = write_sources(tmp_path / "project")
    store_training(tmp_path, at=tmp_path / "project")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "project", target_is_directory=True)
    async with editing(tmp_path) as editor:
        own, linked = editor.open(path), editor.open(link / "model.py", f"\n{MODEL}")
        assert "840 µs" in await editor.hover_text(own, 26)
        assert "840 µs" in await editor.hover_text(linked, 27)
        editor.close(own)
        assert await editor.hints(own) == []
        assert "840 µs" in await editor.hover_text(linked, 27)


async def test_another_store(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path)
    (tmp_path / ".sidelight").rename(tmp_path / "kept")
    async with editing(tmp_path, arguments=["--store", "kept"]) as editor:
        assert "840 µs" in await editor.hover_text(editor.open(path), 26)


async def test_a_profile_of_no_store_is_refused(tmp_path: Path) -> None:
    stored = store_training(tmp_path / "other")
    (tmp_path / "here").mkdir()
    requests = (protocol.SHOW_PROFILE, protocol.DELETE_PROFILE, protocol.TIMELINE)
    async with editing(tmp_path / "here") as editor:
        for request in requests:
            with pytest.raises(JsonRpcException, match="in no store of this workspace"):
                await editor.ask_raw(request.method, msgspec.to_builtins(params(stored)))
    assert stored.directory.exists()


async def test_what_a_list_says(tmp_path: Path) -> None:
    stored = store_training(tmp_path, rank=1, world_size=2)
    async with editing(tmp_path) as editor:
        await editor.until_shown("train")
        listed = await editor.ask(protocol.LIST_PROFILES, Nothing())
    (store,) = listed.stores
    (profile,) = store.profiles
    assert store.folder_uri == tmp_path.as_uri()
    assert store.directory == str(tmp_path / ".sidelight")
    assert store.size_bytes == profile.size_bytes == stored.size_bytes()
    assert profile == protocol.ProfileEntry(
        directory=str(stored.directory),
        id=stored.id,
        name="train",
        created=stored.manifest.created,
        target="cpu",
        device="cpu",
        device_time_ns=stored.manifest.device_time_ns,
        time_kind="measured",
        priced_for=None,
        steps=4,
        rank=1,
        world_size=2,
        size_bytes=profile.size_bytes,
        shown=True,
    )


async def test_a_client_that_names_a_root_only(tmp_path: Path) -> None:
    path = write_sources(tmp_path)
    store_training(tmp_path, model=MODEL)
    async with editing(root=tmp_path) as editor:
        assert "840 µs" in await editor.hover_text(editor.open(path), 26)
