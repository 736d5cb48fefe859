"""Makes the prices table: one row for each price, its texts in the profile's string table."""

from __future__ import annotations

from collections.abc import Sequence

from sidelight.analysis.kernel_prices import Price
from sidelight.hardware.work import Engine
from sidelight.profile.tables import PRICE_COLUMNS, Table


class PriceTable:
    """A growing prices table.

    Args:
        strings: The profile's string table.
    """

    def __init__(self, strings: Sequence[str]) -> None:
        self.strings = list(strings)
        """The string table with what the prices add to it."""
        self._string_ids = {text: index for index, text in enumerate(self.strings)}
        self._rows: dict[tuple[int, ...], int] = {}
        self._row_of_price: dict[int, tuple[Price, int]] = {}

    def index(self, price: Price) -> int:
        """The row of a price, made if it is new."""
        # A price is long to compare: the same object is looked up by its identity.
        _, index = self._row_of_price.get(id(price), (price, -1))
        if index < 0:
            index = self._rows.setdefault(self._row(price), len(self._rows))
            self._row_of_price[id(price)] = (price, index)
        return index

    def table(self) -> Table:
        """The table as it is now."""
        values = {
            name: [row[index] for row in self._rows] for index, name in enumerate(PRICE_COLUMNS)
        }
        return Table.of(PRICE_COLUMNS, values)

    def _row(self, price: Price) -> tuple[int, ...]:
        """The values of a row, in the order of the columns."""
        prediction = price.prediction
        return (
            self._string_id(price.operator),
            self._string_id(prediction.rule),
            self._string_id(prediction.engine.value),
            self._string_id(prediction.bound.value),
            self._string_id(prediction.dtype),
            prediction.flops,
            prediction.hbm_bytes,
            prediction.duration_ns,
            prediction.fixed_ns,
            prediction.roof_ns,
            price.launch_ns,
            *(round(prediction.engines_ns[engine]) for engine in Engine),
            price.parts,
        )

    def _string_id(self, text: str) -> int:
        index = self._string_ids.setdefault(text, len(self.strings))
        if index == len(self.strings):
            self.strings.append(text)
        return index
