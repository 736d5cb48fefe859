"""What counts as the user's own code."""

from __future__ import annotations

import functools
import json
import subprocess
import sysconfig
from pathlib import Path
from types import CodeType

import pytest

import sidelight
from sidelight.capture import statements
from sidelight.capture.user_code import UserCode
from support.interpreters import installed_interpreters

SOURCE_ROOT = Path(sidelight.__file__).parents[1]

PROBE = """\
import argparse, importlib, json, sys
sys.path.insert(0, sys.argv[1])
from sidelight.capture.user_code import UserCode

def mine(): pass

generated = compile("x = 1", "<string>", "exec")
frozen = importlib._bootstrap._find_and_load.__code__
is_user = UserCode(sys.argv[0])
codes = {
    "mine": mine.__code__,
    "stdlib": json.loads.__code__,
    "stdlib_package": argparse.ArgumentParser.parse_args.__code__,
    "generated": generated,
    "frozen": frozen,
    "capture": UserCode.__call__.__code__,
}
print(json.dumps({name: is_user(code) for name, code in codes.items()}))
"""


def code_at(path: Path | str) -> CodeType:
    return compile("x = 1", str(path), "exec")


def write(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x = 1\n")
    return path


@pytest.mark.parametrize("python", installed_interpreters(), ids=str)
def test_on_every_interpreter_only_the_script_is_the_users(python: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(PROBE)
    done = subprocess.run(
        [python, str(script), str(SOURCE_ROOT)], capture_output=True, text=True, check=True
    )
    answers = json.loads(done.stdout)
    assert [name for name, is_users in answers.items() if is_users] == ["mine"]


def test_a_virtual_environment_has_the_standard_library_of_its_base() -> None:
    is_user = UserCode()
    assert not is_user(json.loads.__code__)
    assert not is_user(pytest.main.__code__)
    assert not is_user(statements.StatementMap.resolve.__code__)
    assert not is_user(code_at(Path(sysconfig.get_paths()["stdlib"]) / "functools.py"))
    assert not is_user(code_at(functools.__file__))


def test_a_project_with_its_environment_inside_counts_without_it(tmp_path: Path) -> None:
    installed = Path("lib/python3.11/site-packages/package/module.py")
    is_user = UserCode(str(write(tmp_path / "train.py")))
    assert is_user(code_at(tmp_path / "train.py"))
    assert is_user(code_at(write(tmp_path / "models" / "layers.py")))
    assert not is_user(code_at(write(tmp_path / ".venv" / installed)))
    assert not is_user(code_at(write(tmp_path / "usr/lib/python3/dist-packages/module.py")))


def test_files_that_do_not_exist_and_generated_code_do_not_count(tmp_path: Path) -> None:
    is_user = UserCode()
    assert not is_user(code_at(tmp_path / "gone.py"))
    assert not is_user(code_at(tmp_path))
    assert not is_user(code_at("<eval_with_key>.1"))
    assert not is_user(code_at(""))


def test_the_script_counts_wherever_it_lies(tmp_path: Path) -> None:
    script = write(tmp_path / "site-packages" / "package" / "__main__.py")
    sibling = write(script.with_name("other.py"))
    is_user = UserCode(str(script))
    assert is_user(code_at(script))
    assert not is_user(code_at(sibling))


def test_links_do_not_hide_what_is_installed(tmp_path: Path) -> None:
    installed = write(tmp_path / "site-packages" / "module.py")
    through_link = tmp_path / "module.py"
    through_link.symlink_to(installed)
    project = write(tmp_path / "project" / "module.py")
    linked_project = tmp_path / "link"
    linked_project.symlink_to(project.parent)
    is_user = UserCode()
    assert not is_user(code_at(through_link))
    assert is_user(code_at(linked_project / "module.py"))
    assert is_user.path_of(str(linked_project / "module.py")) == str(linked_project / "module.py")


def test_relative_names_are_taken_from_where_the_program_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "package" / "module.py")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    is_user = UserCode("package/module.py")
    monkeypatch.chdir(elsewhere)
    code = code_at("./package/../package/module.py")
    assert is_user(code)
    assert is_user.path_of(code.co_filename) == str(tmp_path / "package" / "module.py")


def test_answers_are_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "module.py")
    is_user = UserCode()
    assert is_user(code_at(path))
    path.unlink()
    assert is_user(code_at(path))
