"""Makes the sample that the extension carries: a small script, and a profile of it.

The profile is a real one, taken here by the command line. What it knows of this machine is taken
out of it, so that the sample is the same wherever it was made: the script is ``/sample/rmsnorm.py``
in it, and is found by its name and content.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sidelight.jobs.annotations import store_annotated
from sidelight.profile.manifest import SourceFile
from sidelight.profile.store import Store

SCRIPT = Path(__file__).resolve().parent.parent / "examples" / "rmsnorm.py"
SCRIPT_IN_PROFILE = f"/sample/{SCRIPT.name}"


def main() -> None:
    """Profile the script and write the sample."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where the sample goes, such as dist/sample")
    directory: Path = parser.parse_args().directory
    with tempfile.TemporaryDirectory() as scratch:
        sample = Path(scratch, "sample")
        make_sample(Path(scratch, "store"), sample)
        if directory.exists():
            shutil.rmtree(directory)
        shutil.copytree(sample, directory)


def make_sample(store: Path, sample: Path) -> None:
    """Profile the script, and leave it with its profile.

    Args:
        store: Takes the profile as it was recorded.
        sample: Takes the script, and in ``profile`` the cleaned profile.
    """
    command = ["profile", "--json", "--target", "cpu", "--store", str(store)]
    done = subprocess.run(
        [sys.executable, "-m", "sidelight", *command, "--python", sys.executable, str(SCRIPT)],
        capture_output=True,
        check=False,
        text=True,
    )
    if done.returncode != 0:
        raise SystemExit(f"{SCRIPT} could not be profiled:\n{done.stderr}{done.stdout}")
    profile = Store(store).load(json.loads(done.stdout)["profile"])
    manifest = profile.manifest
    manifest.host = ""
    manifest.environment = {}
    manifest.working_directory = ""
    manifest.inputs = []
    manifest.command = [SCRIPT.name]
    profile.files = [
        SourceFile(SCRIPT_IN_PROFILE if Path(file.path) == SCRIPT else file.path, file.text)
        for file in profile.files
    ]
    cleaned = store_annotated(Store(sample / "store"), profile)
    cleaned.directory.rename(sample / "profile")
    shutil.rmtree(sample / "store")
    shutil.copy(SCRIPT, sample)
    _check_clean(sample / "profile")


def _check_clean(directory: Path) -> None:
    own = [str(Path.home()).encode(), str(SCRIPT.parent.parent).encode()]
    for file in directory.rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        for path in own:
            if path in content:
                raise SystemExit(f"{file} still names {path.decode()}.")


if __name__ == "__main__":
    main()
