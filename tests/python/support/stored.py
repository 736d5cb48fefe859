"""Workspace folders that hold the sources of the recorded training run, and profiles of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cli.recorded import MODEL, MODEL_PATH, TRAIN, Recording, training_profile
from sidelight.jobs.annotations import store_annotated
from sidelight.profile.manifest import Manifest, SourceFile
from sidelight.profile.model import Profile
from sidelight.profile.store import Store, StoredProfile


def write_sources(folder: Path, model: str = MODEL) -> Path:
    """Write ``model.py`` and ``train.py``; returns the first."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "train.py").write_bytes(TRAIN.encode())
    path = folder / "model.py"
    path.write_bytes(model.encode())
    return path


def store_training(
    folder: Path,
    name: str = "train",
    *,
    model: str = MODEL,
    at: Path | None = None,
    steps: int = 4,
    **manifest: object,
) -> StoredProfile:
    """Store a profile of the training run in a folder's store.

    Args:
        folder: The workspace folder.
        name: The profile's name.
        model: What ``model.py`` held when it ran.
        at: Where the sources were; None for in the folder.
        steps: How many steps it has.
        **manifest: More of its manifest.
    """
    profile = training_profile(name, steps=steps, **manifest)
    texts = {"model.py": model, "train.py": TRAIN}
    profile.files[:] = [
        SourceFile(str((at or folder) / Path(file.path).name), texts[Path(file.path).name])
        for file in profile.files
    ]
    assert MODEL_PATH not in [file.path for file in profile.files]
    return store(folder, profile)


def store(folder: Path, profile: Profile) -> StoredProfile:
    """Store a profile in a folder's store, with what is kept for editors, as a run does."""
    return store_annotated(Store(folder / ".sidelight"), profile)


def store_run(script: Path, run: Recording, **manifest: Any) -> StoredProfile:
    """Store what was recorded of a script that stands in a folder by itself.

    Args:
        script: The script, as it is now.
        run: What it did.
        **manifest: Fields of the manifest.
    """
    fields: dict[str, Any] = {"name": "n", "format": "capture", "line_level": "line", **manifest}
    profile = run.profile(
        Manifest(created="", **fields),
        [SourceFile(str(script), script.read_text(encoding="utf-8"))],
    )
    return store(script.parent, profile)
