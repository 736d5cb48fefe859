"""What the command line takes, and whose arguments are whose."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.running import Run
from sidelight.cli.arguments import parse_arguments
from sidelight.cli.main import VERBS


@pytest.mark.parametrize(
    ("line", "script", "module", "theirs"),
    [
        ("train.py", "train.py", None, ""),
        ("train.py --json --name x -m y -- z", "train.py", None, "--json --name x -m y -- z"),
        ("--name x train.py --steps 9 a", "train.py", None, "--steps 9 a"),
        ("--warmup=1 --steps 2 train.py", "train.py", None, ""),
        ("-m pkg.train --json", None, "pkg.train", "--json"),
        ("-mpkg.train --json", None, "pkg.train", "--json"),
        ("--until captured -m pkg.train -m other", None, "pkg.train", "-m other"),
        ("--ranks 0,3 -- train.py --help", "train.py", None, "--help"),
        ("-- -odd.py --help", "-odd.py", None, "--help"),
        ("--debug --store s train.py --debug", "train.py", None, "--debug"),
    ],
)
def test_what_follows_the_script_is_the_scripts(
    line: str, script: str | None, module: str | None, theirs: str
) -> None:
    options = parse_arguments(VERBS, ["profile", *line.split()])
    assert (options.script, options.module) == (script, module)
    assert options.command_arguments == theirs.split()
    assert not options.json


def test_our_own_options_are_ours() -> None:
    line = "profile --json --name a --ranks 0,3 --warmup 0 --steps 1 t.py"
    options = parse_arguments(VERBS, line.split())
    assert options.json
    assert (options.name, options.ranks) == ("a", {0, 3})
    assert (options.warmup, options.steps, options.until, options.target) == (0, 1, "end", "auto")


def test_help_names_these_verbs_and_no_other(run: Run) -> None:
    done = run("--help")
    assert done.status == 0
    assert re.findall(r"^    (\w+) ", done.stdout, re.MULTILINE) == [
        "profile",
        "open",
        "profiles",
        "lines",
        "summary",
        "timeline",
        "compare",
        "export",
        "hardware",
        "server",
    ]


OPTIONS = {
    "profile": "-h --help -m --target --device --lnc --auto-cast --calibration --python --warmup "
    "--steps --until --ranks --name --dry-run",
    "open": "-h --help --name --device --lnc --auto-cast --calibration --calibrate --run-explorer",
    "profiles": "-h --help --delete --prune",
    "lines": "-h --help --file --explain",
    "summary": "-h --help --table --sort --ascending --filter --group-by --csv",
    "timeline": "-h --help --from --to --width",
    "compare": "-h --help",
    "export": "-h --help --format --from --to -o --output",
    "hardware": "-h --help --device --lnc",
}


@pytest.mark.parametrize("verb", OPTIONS)
def test_the_help_of_a_verb_names_these_options_and_no_other(run: Run, verb: str) -> None:
    done = run(verb, "--help")
    assert done.status == 0
    found = re.findall(r"(?<!\S)-{1,2}[a-z][a-z-]*", done.stdout.partition("\n\n")[2])
    assert set(found) == {*OPTIONS[verb].split(), "--json", "--store", "--debug"}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "export x",
        "profile",
        "profile --name",
        "profile --target tpu t.py",
        "profile --warmup -1 t.py",
        "profile --steps 0 t.py",
        "profile --steps many t.py",
        "profile --ranks 0,x t.py",
        "profile --ranks , t.py",
        "profile --device trn9 t.py",
        "profile --lnc 3 t.py",
        "profile --auto-cast some t.py",
        "profile --dry-run",
        "profile -m",
        "profile --nam x t.py",
        "open",
        "open --device trn9 t.json",
        "profiles x",
        "profiles --prune -1",
        "profiles --prune 1 --delete x",
        "lines",
        "lines a b",
        "lines a --explain",
        "lines a --explain 0",
        "lines a --explain train.py:x",
        "summary",
        "summary a b",
        "compare",
        "compare a",
        "compare a b c",
        "compare a b --file f",
        "hardware trn2",
        "hardware --device trn9",
        "hardware --lnc 3",
    ],
)
def test_wrong_usage(run: Run, line: str) -> None:
    done = run(*line.split())
    assert done.status == 2
    assert done.stdout == ""
    assert re.match(r"usage: sidelight(.|\n)*sidelight.*: error: ", done.stderr)


@pytest.mark.parametrize(
    "line",
    [
        "open --lnc 2 t.json",
        "open --auto-cast all t.json",
        "open --device trn1 --lnc 2 t.json",
        "profile --lnc 1 t.py",
        "profile --target fake --device inf2 --lnc 2 t.py",
        "hardware --device trn1 --lnc 2",
    ],
)
def test_arguments_that_make_no_sense_together(run: Run, line: str) -> None:
    done = run(*line.split())
    assert done.status == 2
    assert done.stdout == ""
    assert re.fullmatch(r"sidelight: .*(--device|LNC).*\.\n", done.stderr, re.DOTALL)
    verb, *options = line.split()
    told = run(verb, "--json", *options)
    assert told.status == 2
    assert set(json.loads(told.stdout)["error"]) == {"code", "message"}


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "\x1b[31m"])
def test_names_are_visible(run: Run, name: str) -> None:
    assert run("open", "x.json", "--name", name).status == 2


@pytest.mark.parametrize("line", [("open", ""), ("open", "a", ""), ("profiles", "--store", "")])
def test_an_empty_path_is_not_the_working_directory(
    run: Run, tmp_path: Path, line: tuple[str, ...]
) -> None:
    before = sorted(tmp_path.iterdir())
    done = run(*line)
    assert done.status == 2
    assert "an empty text is no path" in done.stderr
    assert sorted(tmp_path.iterdir()) == before
