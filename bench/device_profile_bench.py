"""A device profile of Neuron Explorer's tables: read, attributed, summed up and stored.

    python bench/device_profile_bench.py [folder] [--megabytes 100]

Without a folder, one is generated. This is what the process does that `sidelight open` starts for
it; seconds are of its processor time, the memory is the peak of all it holds. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from ingest_bench import measure

OPEN = """
import tempfile
from sidelight.jobs.reading_worker import read_recordings
from sidelight.profile.stored_profile import StoredProfile
def run(path):
    with tempfile.TemporaryDirectory() as store:
        (directory,), _ = read_recordings(
            str(path), store, None, None, None, progress=lambda part: None
        )
        return len(StoredProfile(Path(directory)).load().events)
"""
GENERATOR = Path(__file__).with_name("generate_explorer_tables.py")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--megabytes", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        folder: Path = arguments.folder or Path(directory) / "tables"
        if arguments.folder is None:
            command = [sys.executable, str(GENERATOR), str(folder)]
            command += ["--megabytes", str(arguments.megabytes)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found = measure(OPEN, folder)
        figures = {
            "megabytes": round(sum(file.stat().st_size for file in folder.iterdir()) / 1e6),
            "rows": found["events"],
            "seconds": round(found["seconds"], 1),
            "peak_megabytes": round(found["peak_bytes"] / 1e6),
        }
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
