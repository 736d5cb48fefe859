"""What the runtime writes by itself is kept, also where it is all that knows the device."""

from __future__ import annotations

from pathlib import Path

from sidelight.profile.store import Store
from support.document import broken_invariants
from support.neuron_package import duration_ns
from support.neuron_runs import finished_run, neuron_run


def test_they_go_with_the_profile(site: Path, tmp_path: Path) -> None:
    run = neuron_run(site, tmp_path, "training.py", tmp_path / "boundaries")
    (written,) = run.log.directories
    assert not written.exists(), "the run's own directory is gone"
    folder = Path(run.document["profile"], "neuron")
    assert run.profile.manifest.runtime_files == [str(folder)]
    (directory,) = folder.glob("*/*")
    assert directory.relative_to(folder) == Path(*written.parts[-2:])
    assert (directory / "ntrace.pb").read_text() == "ntrace.pb"
    (note,) = run.notes("runtime_files_kept")
    assert f"`sidelight open --run-explorer {folder}`" in note["message"]
    store = Store(tmp_path / "store")
    store.delete(run.document["profile"])
    assert not folder.exists()


def test_a_trace_without_device_rows_says_where_they_are(site: Path, tmp_path: Path) -> None:
    run = neuron_run(site, tmp_path, "lines.py", NEURON_PLUGIN_ROWS="none")
    document = run.document
    assert (document["target"], document["device"]) == ("neuron", "cpu")
    assert broken_invariants(document) == []
    assert document["script_exit"] == 0
    (note,) = run.notes("no_device_rows")
    assert note["severity"] == "warning"
    assert "files that the Neuron runtime wrote" in note["message"]
    (where,) = run.notes("runtime_files_kept")
    assert f"{document['profile']}/neuron" in where["message"]
    assert len(list(Path(document["profile"], "neuron").glob("*/*/*.ntff"))) == 1


def test_two_recordings_at_once_are_refused(site: Path, tmp_path: Path) -> None:
    done = finished_run(site, tmp_path, "lines.py", NEURON_RT_INSPECT_ENABLE="1")
    assert done.status == 1
    assert done.stdout == ""
    assert "NEURON_RT_INSPECT_ENABLE is set" in done.stderr
    assert "--target neuron-xla" in done.stderr
    assert not (tmp_path / "log").exists(), "the script was not run"


def test_a_version_that_does_not_export_there_gives_a_plain_trace(
    site: Path, tmp_path: Path
) -> None:
    run = neuron_run(site, tmp_path, "lines.py", NEURON_PLUGIN_WITHOUT="export_trace")
    assert run.document["device_time_ns"] == duration_ns(run.log.recorded(1))
    (directory,) = Path(run.document["profile"], "neuron").glob("*/*")
    assert not (directory / "trace.json").exists()
    assert (directory / "ntrace.pb").exists()
