"""What is kept of a timeline, made without an index, against an index."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from test_real_traces import TRACES

from sidelight.analysis.attribution import attribute
from sidelight.analysis.lines import line_report
from sidelight.analysis.timelines.drawn_types import MOST_SPANS
from sidelight.analysis.timelines.first_look import first_look
from sidelight.analysis.timelines.index import TimelineIndex
from sidelight.ingest import read
from sidelight.profile.stored_manifest import StoredManifest


@pytest.mark.skipif(not TRACES, reason="the folder of public traces is not here")
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_what_is_kept_of_real_traces_is_what_an_index_says(path: Path) -> None:
    profile = attribute(read(path))
    manifest = StoredManifest(
        **msgspec.structs.asdict(profile.manifest),
        device_time_ns=line_report(profile, "").device_time_ns,
        steps=len(profile.steps),
    )
    kept, index = first_look(profile, manifest), TimelineIndex(profile)
    assert kept.overview == index.overview(manifest)
    from_ns, to_ns = kept.overview.start_ns, kept.overview.end_ns + 1
    finest = index.window(from_ns, to_ns, MOST_SPANS)
    assert [each.window for each in kept.windows[:1]] == ([finest] if finest.bin_ns else [])
    for each in kept.windows:
        width = min((to_ns - from_ns) >> each.level, MOST_SPANS)
        assert each.window == index.window(from_ns, to_ns, width)
