"""Files that hold no profile are told for what they are."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import pickle
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import pytest

from sidelight import ingest
from sidelight.profile.errors import UnreadableInputError

TRACE = b'{"traceEvents": []}'


def zipped() -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("trace.json", TRACE)
    return archive.getvalue()


def tarred() -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as file:
        file.addfile(tarfile.TarInfo("trace.json"), io.BytesIO(b""))
    return archive.getvalue()


EXECUTION_TRACE = {"schema": "1.0.1", "pid": 1, "time": "now", "nodes": [{"name": "aten::mm"}]}
FILES: dict[str, bytes] = {
    "Execution Trace": json.dumps(EXECUTION_TRACE).encode(),
    "no list": b'{"schemaVersion": 1, "traceEvents": {"0": {"ph": "X"}}}',
    "notebook": json.dumps({"cells": [], "metadata": {}, "nbformat": 4}).encode(),
    "web page": b"\n<!DOCTYPE html><html><body>Sign in</body></html>",
    "git lfs pull": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    "zip archive": zipped(),
    "tar archive": tarred(),
    "gzip file within": gzip.compress(gzip.compress(TRACE)),
    "xz": lzma.compress(TRACE),
    "bzip2": bz2.compress(TRACE),
    "pickle": pickle.dumps({"segments": [], "device_traces": []}),
    "white space": b" \n\t" * 1000,
    "is JSON, but no recording": b'{"a": 1, "b": [{"c": 2}]}\n',
    "cut off": b'{"schemaVersion": 1, "deviceProperties": [{"id": 0, "na',
    "no format": b"hello",
}


@pytest.mark.parametrize("what", FILES)
def test_a_file_is_told_for_what_it_is(tmp_path: Path, what: str) -> None:
    path = tmp_path / "input"
    path.write_bytes(FILES[what])
    with pytest.raises(UnreadableInputError) as caught:
        ingest.read(path)
    assert caught.value.code == "unknown_format"
    assert caught.value.message.startswith(f"{path} ")
    assert what in caught.value.message
    assert caught.value.message.endswith(".")


def test_a_database(tmp_path: Path) -> None:
    path = tmp_path / "report.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("create table events (name text)")
    with pytest.raises(UnreadableInputError, match="database"):
        ingest.read(path)


def test_an_execution_trace_that_is_real() -> None:
    folder = Path(__file__).parents[3].parent / "shared" / "traces" / "torch"
    paths = [*folder.glob("*_et.json.gz")]
    if not paths:
        pytest.skip("the folder of public traces is not beside the checkout")
    with pytest.raises(UnreadableInputError, match="Execution Trace"):
        ingest.read(paths[0])
