"""What is said of operators without a rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sidelight.analysis.attribution import attribute
from sidelight.analysis.pricing import price
from sidelight.analysis.pricing_request import PricingRequest
from sidelight.ingest import read
from traces.chrome import operator, write


def test_an_unknown_operator_on_several_matrices_is_warned_of(tmp_path: Path) -> None:
    def given(*shapes: list[int]) -> dict[str, Any]:
        return {"Input Dims": list(shapes), "Input type": ["float"] * len(shapes)}

    events = [
        operator("mine::attend", 0, 5, **given([64, 32], [64, 32])),
        operator("mine::rotate", 10, 5, **given([64, 32], [32])),
        operator("mine::attend", 20, 5, **given([8, 64, 32], [64, 32], [1])),
        operator("aten::mm", 30, 5, **given([64, 32], [32, 64])),
    ]
    profile = attribute(read(write(tmp_path / "trace.json", events)))
    price(profile, PricingRequest())
    notes = {note.code: note for note in profile.manifest.quality}
    products, others = notes["products_priced_by_bytes"], notes["priced_by_bytes"]
    assert (products.severity, products.count) == ("warning", 2)
    assert "they multiply them: mine::attend." in products.message
    assert (others.severity, others.count) == ("info", 1)
    assert "they were given: mine::rotate." in others.message
