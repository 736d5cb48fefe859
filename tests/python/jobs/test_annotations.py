"""Annotations of stored profiles: kept when stored, made anew when they are not there."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cli.recorded import training_profile
from sidelight.analysis.annotations import Annotations
from sidelight.analysis.lines import line_report
from sidelight.jobs.annotations import KEPT_AS, load_annotations, store_annotated
from sidelight.jobs.reading import read_into_store
from sidelight.jobs.worker import CancelledError
from sidelight.profile.derived import read_derived
from sidelight.profile.errors import StoreError
from sidelight.profile.model import Profile
from sidelight.profile.store import Store, StoredProfile
from support.tool import TIMEOUT_S


@pytest.fixture
def stored(tmp_path: Path) -> StoredProfile:
    return Store(tmp_path / "store").add(training_profile())


def test_what_was_not_kept_is_made_and_kept(stored: StoredProfile) -> None:
    assert read_derived(stored.directory, KEPT_AS) is None
    made = load_annotations(stored.directory)
    assert read_derived(stored.directory, KEPT_AS) is not None
    assert load_annotations(stored.directory) == made
    report = line_report(stored.load(), "")
    lines = [line.stats for file in made.files for line in file.lines]
    assert sorted(lines, key=lambda line: -line.self_ns) == report.lines
    assert made.headline == "train: 2.23 ms of device time a step, measured on the CPU"


def test_damaged_ones_are_made_anew(stored: StoredProfile) -> None:
    made = load_annotations(stored.directory)
    (stored.directory / "derived" / KEPT_AS).write_bytes(b"damaged")
    assert load_annotations(stored.directory) == made
    assert read_derived(stored.directory, KEPT_AS) is not None


def test_reading_keeps_them(tmp_path: Path) -> None:
    from test_reading import write_trace

    stored = read_into_store(write_trace(tmp_path / "trace.json"), Store(tmp_path / "store"))
    assert read_derived(stored.directory, KEPT_AS) is not None
    annotations = load_annotations(stored.directory)
    assert annotations.device_time_ns == annotations.unattributed_ns == 3000


def test_a_fault_in_making_them_loses_no_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(profile: Profile) -> Annotations:
        raise ZeroDivisionError

    monkeypatch.setattr("sidelight.analysis.annotate.annotate", faulty)
    store = Store(tmp_path / "store")
    stored = store_annotated(store, training_profile())
    assert read_derived(stored.directory, KEPT_AS) is None
    assert [profile.id for profile in store.list()] == [stored.id]
    assert line_report(stored.load(), "").device_time_ns > 0


def test_a_new_name_is_shown(tmp_path: Path, stored: StoredProfile) -> None:
    load_annotations(stored.directory)
    Store(tmp_path / "store").rename(stored.id, "renamed")
    annotations = load_annotations(stored.directory)
    assert annotations.name == "renamed"
    assert annotations.headline.startswith("renamed: 2.23 ms")


def test_errors(tmp_path: Path, stored: StoredProfile) -> None:
    with pytest.raises(StoreError):
        load_annotations(tmp_path / "nothing")
    (stored.directory / "events.npz").write_bytes(b"damaged")
    with pytest.raises(StoreError, match="damaged"):
        load_annotations(stored.directory)


def test_cancelled(stored: StoredProfile) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CancelledError):
        load_annotations(stored.directory, cancel=cancel)


def test_the_callers_process_stays_small(stored: StoredProfile) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from sidelight.jobs.annotations import load_annotations\n"
        "from sidelight.jobs.timeline_queries import TimelineQueries\n"
        "if __name__ == '__main__':\n"
        f"    directory = Path({str(stored.directory)!r})\n"
        "    load_annotations(directory)\n"
        "    with TimelineQueries(directory) as queries:\n"
        "        queries.window(0, 10**6, 100)\n"
        "        queries.timeline()\n"
        "    print({'numpy', 'pandas', 'torch', 'rich'} & set(sys.modules))\n"
    )
    script = stored.directory / "script.py"
    script.write_text(code)
    run = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=TIMEOUT_S
    )
    assert (run.stdout, run.stderr) == ("set()\n", "")
