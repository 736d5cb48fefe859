"""Which stored profiles are ranks of one run."""

from __future__ import annotations

from collections.abc import Sequence

from sidelight.profile.errors import ProfileNotFoundError
from sidelight.profile.stored_profile import StoredProfile

# What one launcher gives to all ranks of a run and hardly to the next run.
_LAUNCH_VARIABLES = ("TORCHELASTIC_RUN_ID", "MASTER_ADDR", "MASTER_PORT")


def group_into_runs(profiles: Sequence[StoredProfile]) -> list[list[StoredProfile]]:
    """Group profiles into runs: one profile each, or one a rank.

    Ranks of one run share name, command, number of ranks and launcher; a rank that comes a second
    time belongs to an earlier run of the same.

    Args:
        profiles: Newest first.

    Returns:
        The runs, that of the newest profile first.

    Raises:
        StoreError: A manifest cannot be read.
    """
    runs: list[list[StoredProfile]] = []
    newest_like: dict[object, list[StoredProfile]] = {}
    for profile in profiles:
        manifest = profile.manifest
        launch = tuple(manifest.environment.get(name) for name in _LAUNCH_VARIABLES)
        like = (manifest.name, tuple(manifest.command), manifest.world_size, launch)
        run = newest_like.get(like, [])
        ranks = {other.manifest.rank for other in run}
        if not run or manifest.rank is None or manifest.rank in ranks:
            run = newest_like[like] = []
            runs.append(run)
        run.append(profile)
    return runs


def lowest_rank(run: Sequence[StoredProfile]) -> StoredProfile:
    """The profile of the lowest rank that was recorded in a run."""
    return min(run, key=lambda profile: profile.manifest.rank or 0)


def of_rank(run: Sequence[StoredProfile], name: str, rank: int) -> StoredProfile:
    """The profile of one rank of a run.

    Raises:
        ProfileNotFoundError: That rank was not recorded.
    """
    for profile in run:
        if profile.manifest.rank == rank:
            return profile
    ranks = sorted(found for profile in run if (found := profile.manifest.rank) is not None)
    recorded = f"It was recorded on: {', '.join(map(str, ranks))}."
    raise ProfileNotFoundError(
        "profile_not_found",
        f"The newest run called {name} has no rank {rank}. "
        + (recorded if ranks else f"It knows of no ranks: call it {name}."),
    )
