"""Which model each device profile is of, as the system profile of the same run lists them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from sidelight.ingest.explorer.table_files import profile_folders
from sidelight.ingest.explorer.tables import Tables


def models_of_profiles(path: Path) -> dict[str, set[str]]:
    """The models' ids, by the device profiles' names.

    Args:
        path: A folder of tables; what is none lists nothing.

    Raises:
        UnreadableInputError: There are more rows than can be held.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for folder in profile_folders(path):
        batch = Tables(folder).read("DeviceProfileList", ("device_profile_name", "model_id"))
        names, models = batch.texts("device_profile_name"), batch.texts("model_id")
        for name, model in zip(names, models, strict=True):
            if name and model:
                found[name].add(model)
    return dict(found)
