"""Every time that a person sees of a predicted profile has ``≈`` before it, of a measured one none.

The walk covers the command line's text and all that the language server says, so that a new text in
an answer is looked at by itself. A new verb, request or feature of an editor's is not, and fails a
test here until it has a place in ``VERBS``, in :func:`test_what_is_answered_and_told` or in
``FEATURES``. ``tests/extension/unit/shownTimes.test.ts`` and ``page/shownTimes.spec.ts`` beside it
do the same for what the extension writes itself.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import attrs
import msgspec
import pytest
from lsprotocol import types

from sidelight.cli.main import VERBS as CLI_VERBS
from sidelight.server import protocol
from sidelight.server.protocol import (
    AreaParams,
    CounterParams,
    DocumentLineParams,
    DocumentParams,
    EventParams,
    ExportParams,
    Find,
    FlameMatchParams,
    LineParams,
    MarkersParams,
    MatchParams,
    Message,
    Nothing,
    OpenTraceParams,
    ProfileParams,
    RenameParams,
    Request,
    RooflineChangeParams,
    SourceCandidates,
    TableCsvParams,
    TableOrder,
    TableParams,
    TimelineMarker,
    UtilisationParams,
    WindowParams,
)
from support.editor import VSCODE, Editor, editing
from support.tool import run

SCRIPT = """\
import torch


def step(model, optimizer, x):
    loss = torch.nn.functional.mse_loss(model(x), x) + (x * x + x).relu().sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()


model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU(), torch.nn.Linear(64, 64))
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(4):
    step(model, optimizer, torch.randn(8, 64))
"""

Kind = Literal["predicted", "measured"]
TARGETS: Mapping[Kind, str] = {"predicted": "fake", "measured": "cpu"}
TIME = re.compile(r"(?P<mark>≈?)[+-]?<?\d[\d.,]* (ns|µs|ms|s)\b")

VERBS: Mapping[str, Sequence[Sequence[str]]] = {
    "profile": [["profile", "--target", "TARGET", "--name", "run", "script.py"]],
    "open": [["open", "DIRECTORY"]],
    "profiles": [["profiles"]],
    "lines": [["lines", "run"]],  # and what --explain prints, which has a test of its own
    "compare": [["compare", "run", "DIRECTORY"]],
    "summary": [
        ["summary", "run"],
        *(["summary", "run", "--table", table] for table in ("operators", "lines", "modules")),
    ],
    "timeline": [["timeline", "run", "--from", "0", "--to", "1000000000", "--width", "800"]],
    "export": [],  # it tells of a file; what is in that has tests of its own
    "hardware": [],  # it tells of chips, not of a profile
    "server": [],  # its answers are walked below
}
"""What each verb prints of a profile; capital words are filled in."""

FEATURES = {"hover_provider", "inlay_hint_provider", "code_lens_provider"}
"""What editors ask the server to show; :func:`shown_beside_the_source` asks for all of it."""

PLAIN_TEXT = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(
        hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.PlainText])
    )
)


@dataclass(frozen=True)
class Profiled:
    """A folder with a script and one profile of it.

    Attributes:
        kind: How the profile's times are known.
        folder: The folder.
        printed: What ``profile`` printed.
    """

    kind: Kind
    folder: Path
    printed: str

    @property
    def directory(self) -> Path:
        """The profile's directory."""
        (directory,) = (self.folder / ".sidelight" / "profiles").iterdir()
        return directory


@pytest.fixture(name="profiled", params=TARGETS, scope="module")
def profile_script(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Profiled:
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "script.py").write_text(SCRIPT)
    made = Profiled(request.param, folder, "")
    return Profiled(request.param, folder, sidelight(made, VERBS["profile"][0]))


def sidelight(profiled: Profiled, words: Sequence[str]) -> str:
    """What a command prints, on a terminal wide enough for every column."""
    filled = {"TARGET": TARGETS[profiled.kind]}
    if "DIRECTORY" in words:
        filled["DIRECTORY"] = str(profiled.directory)
    command = [sys.executable, "-m", "sidelight", *(filled.get(word, word) for word in words)]
    done = run(command, cwd=profiled.folder, environment={"COLUMNS": "220"})
    assert done.status == 0, done.stderr
    # What Sidelight itself says beside the output counts too, but not the script's own words.
    said = [line for line in done.stderr.splitlines() if line.startswith("sidelight: ")]
    return "\n".join([done.stdout, *said])


def check_times(text: str, kind: Kind, *, at_least: int) -> None:
    """Raise unless every time in a text is marked as its kind wants it.

    Args:
        text: What is shown.
        kind: How the times are known.
        at_least: How many times there must be in it.
    """
    shown = re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", text)  # Markdown's escapes
    times = list(TIME.finditer(shown))
    wrong = [time[0] for time in times if bool(time["mark"]) != (kind == "predicted")]
    assert not wrong, f"{wrong} in {text}"
    assert len(times) >= at_least, text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("| self | 6.67 ms | 24 % |", "predicted"),
        ("≈1.2 ms at 12 ns", "predicted"),
        (r"≈31\.4 µs \= 17\.4 µs at work", "predicted"),
        ("+412 µs", "predicted"),
        ("≈6.67 ms", "measured"),
        ("4 steps", "measured"),
    ],
)
def test_a_wrong_mark_and_a_text_without_times_are_found(text: str, kind: Kind) -> None:
    with pytest.raises(AssertionError):
        check_times(text, kind, at_least=1)


# --- the command line


def test_every_verb_has_an_entry() -> None:
    assert {verb.name for verb in CLI_VERBS} == set(VERBS)


def test_what_profile_printed(profiled: Profiled) -> None:
    check_times(profiled.printed, profiled.kind, at_least=8)


@pytest.mark.parametrize(
    "words",
    [words for verb, commands in VERBS.items() if verb != "profile" for words in commands],
    ids=" ".join,
)
def test_what_other_verbs_print(profiled: Profiled, words: Sequence[str]) -> None:
    check_times(sidelight(profiled, words), profiled.kind, at_least=1)


@pytest.mark.parametrize("profiled", ["predicted"], indirect=True)
def test_what_an_explanation_prints(profiled: Profiled) -> None:
    printed = sidelight(profiled, ["lines", "run", "--explain", "5"])
    explained, assumptions = printed.split("Reckoned with", 1)
    # What a source says of a figure is its own words, and may be of other machines.
    printed = explained + re.sub(r"\(.*\)", "", assumptions)
    check_times(printed, profiled.kind, at_least=10)


# --- the server


async def test_every_feature_has_an_entry(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        offered = attrs.asdict(editor.offered, recurse=False)
    providers = {name for name, how in offered.items() if name.endswith("_provider") and how}
    # The library offers to run commands for every server; this one has none.
    commands = editor.offered.execute_command_provider
    assert not (commands and commands.commands)
    assert providers - {"execute_command_provider"} == FEATURES


@pytest.mark.parametrize("capabilities", [VSCODE, PLAIN_TEXT], ids=["Markdown", "plain text"])
async def test_what_stands_beside_the_source(
    profiled: Profiled, capabilities: types.ClientCapabilities
) -> None:
    settings = {
        "inlayHints": {"minimumSharePercent": 0},
        "codeLens": {"minimumSharePercent": 0},
    }
    async with editing(profiled.folder, capabilities=capabilities, settings=settings) as editor:
        uri = editor.open(profiled.folder / "script.py")
        await editor.until_shown("run")
        shown = {
            "hover": [await editor.hover_text(uri, line) for line in range(SCRIPT.count("\n"))],
            "hint": [f"{hint.label}\n{hint.tooltip}" for hint in await editor.hints(uri)],
            "lens": list((await editor.lenses(uri)).values()),
        }
    assert len(shown) == len(FEATURES)
    for texts in shown.values():
        check_times("\n".join(texts), profiled.kind, at_least=1)
    costliest = max(shown["hover"], key=len)
    check_times(costliest, profiled.kind, at_least=8)


async def test_what_is_answered_and_told(profiled: Profiled) -> None:
    directory, script = str(profiled.directory), profiled.folder / "script.py"
    shown = ProfileParams(directory=directory)
    async with editing(profiled.folder) as editor:
        conversation = Conversation(editor)
        ask = conversation.ask
        await ask(protocol.LIST_PROFILES, Nothing())
        await ask(protocol.SHOW_PROFILE, shown)
        await ask(protocol.SHOWN_PROFILES, Nothing())
        conversation.heard.append(editor.shown)
        editor.open(script)
        await ask(protocol.HEAT, DocumentParams(uri=script.as_uri()))
        overview = await ask(protocol.TIMELINE, shown)
        window = WindowParams(directory=directory, from_ns=0, to_ns=overview["endNs"], width=800)
        await ask(protocol.TIMELINE_WINDOW, window)
        end_ns: int = overview["endNs"]
        area = AreaParams(directory=directory, from_ns=0, to_ns=end_ns)
        await ask(protocol.TIMELINE_AREA, area)
        find = Find(text="mul")
        match = MatchParams(directory=directory, find=find, event=None, at_ns=0, direction="next")
        await ask(protocol.TIMELINE_MATCH, match)
        groups = UtilisationParams(
            directory=directory, from_ns=0, to_ns=end_ns, width=9, groups=[[0]]
        )
        await ask(protocol.TIMELINE_UTILISATION, groups)
        counters = CounterParams(directory=directory, from_ns=0, to_ns=end_ns, width=9)
        await ask(protocol.TIMELINE_COUNTERS, counters)
        marks = MarkersParams(
            directory=directory, removed=[], added=[TimelineMarker(name="A", at_ns=end_ns)]
        )
        await ask(protocol.TIMELINE_MARKERS, marks)
        line = LineParams(directory=directory, file=str(script), line=5)
        place = await ask(protocol.LINE_ON_TIMELINE, line)
        for event in {place["event"], *range(0, overview["events"], overview["events"] // 50)}:
            await ask(protocol.TIMELINE_EVENT, EventParams(directory=directory, event=event))
        await ask(protocol.FIND_LINE, line)
        await ask(protocol.LINE_OF_DOCUMENT, DocumentLineParams(uri=script.as_uri(), line=4))
        await ask(protocol.ANALYSIS, shown)
        order = TableOrder(table="lines")
        rows = TableParams(directory=directory, order=order, first=0, count=100)
        await ask(protocol.TABLE, rows)
        cells = TableCsvParams(directory=directory, order=order, ranges=None, separator="tab")
        await ask(protocol.TABLE_CSV, cells)
        flame = FlameMatchParams(directory=directory, graph="by_line", text="script")
        await ask(protocol.FLAME_MATCH, flame)
        sources = SourceCandidates(directory=directory, file=str(script), uris=[script.as_uri()])
        await ask(protocol.RANK_SOURCES, sources)
        opened = await ask(protocol.OPEN_TRACE, OpenTraceParams(path=directory))
        other = opened["profile"]["directory"]
        change = RooflineChangeParams(directory=directory, baseline=other)
        await ask(protocol.ROOFLINE_CHANGE, change)
        report = str(profiled.folder / "report.html")
        exported = ExportParams(directory=other, format="html", path=report)
        await ask(protocol.EXPORT_PROFILE, exported)
        await ask(protocol.RENAME_PROFILE, RenameParams(directory=other, name="again"))
        await ask(protocol.CLEAR_ANNOTATIONS, Nothing())
        await ask(protocol.DELETE_PROFILE, ProfileParams(directory=other))
    assert conversation.asked == set(protocol.REQUESTS)
    check_times(msgspec.json.encode(conversation.heard).decode(), profiled.kind, at_least=100)


def test_every_notification_is_heard() -> None:
    carry_no_text = {
        protocol.ANNOTATIONS_CHANGED,
        protocol.PROFILES_CHANGED,
        protocol.MARKERS_CHANGED,
    }
    assert set(protocol.NOTIFICATIONS) == {protocol.SHOWN_CHANGED, *carry_no_text}


class Conversation:
    """What is asked of a server in requests of our own, and all that it says.

    Args:
        editor: Who asks.
    """

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self.asked: set[Request[Any, Any]] = set()
        self.heard: list[object] = []

    async def ask(self, request: Request[Any, Any], params: Message) -> Any:
        """Ask, and keep the answer."""
        answer = await self._editor.ask_raw(request.method, msgspec.to_builtins(params))
        self.asked.add(request)
        self.heard.append(answer)
        return answer
