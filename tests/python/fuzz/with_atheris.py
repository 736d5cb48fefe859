"""Lets atheris look for bytes that break a reader's promise, guided by the code that they reach.

``python -m fuzz.with_atheris FORMAT [libFuzzer's options]``, from ``tests/python``. Atheris has no
wheel for every Python and platform: ``make fuzz`` passes over this where it does not install.
"""

from __future__ import annotations

import importlib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any


def main(name: str, options: list[str]) -> None:
    """Fuzz the reader of a format until an option, or a broken promise, ends it.

    Args:
        name: The format.
        options: What libFuzzer takes, such as ``-max_total_time=60``.
    """
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["sidelight"]):
        promise: Any = importlib.import_module("fuzz.contract")
        inputs: Any = importlib.import_module("fuzz.inputs")
    with tempfile.TemporaryDirectory() as temporary:
        directory, corpus = Path(temporary) / "good", Path(temporary) / "corpus"
        directory.mkdir()
        corpus.mkdir()
        path: Path = inputs.INPUTS[name](directory)
        if not path.is_file():
            raise SystemExit(f"{name} is no single file: the tests damage its parts.")
        shutil.copy(path, corpus)

        def try_one(data: bytes) -> None:
            path.write_bytes(data)
            store = Path(temporary) / "store"
            promise.keeps_its_promise(path, store)
            shutil.rmtree(store, ignore_errors=True)

        atheris.Setup([sys.argv[0], *options, str(corpus)], try_one)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
