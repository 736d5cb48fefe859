"""Columns of Parquet tables as numpy has them, whatever type a file gives them.

The published schema says what a column holds, but versions differ in how: ids are numbers or texts,
times are numbers or timestamps, lists are lists or texts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import msgspec
import numpy as np
import numpy.typing as npt

from sidelight.ingest.explorer import arrow
from sidelight.ingest.vocabulary import Vocabulary

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.integer[Any]]

NO_TIME: Final = int(np.iinfo(np.int64).min)
"""What stands for a time that is not known."""

LONGEST_TEXT_BYTES: Final = 16_384
"""Texts are cut off here: no name or list of places is this long, and a hostile one can be huge."""

_LARGEST: Final = 2**63
_NANOSECONDS: Final = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def without_cut_end(text: str, between: str) -> str:
    """A list as text, without its last part where that was cut off."""
    is_whole = len(text.encode()) < LONGEST_TEXT_BYTES
    return text if is_whole else text.rpartition(between)[0]


class Batch:
    """Some rows of a table, or all of them. A column that the file lacks is missing in every row.

    Args:
        columns: Arrow arrays of one length, by the names that were asked for.
        length: How many rows there are.
        nanoseconds: What one unit of a column of times is; 1 where a column is not named.
    """

    def __init__(
        self, columns: Mapping[str, Any], length: int, nanoseconds: Mapping[str, float]
    ) -> None:
        self._columns = columns
        self._length = length
        self._nanoseconds = nanoseconds

    def __len__(self) -> int:
        return self._length

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def integers(self, name: str, missing: int = -1) -> Integers:
        """A column of whole numbers.

        Unsigned ones of 2^63 and more keep their bits, so they are negative and still told apart.

        Args:
            name: The column.
            missing: What stands for values that are absent or no numbers.
        """
        if name not in self._columns:
            return np.full(self._length, missing, np.int64)
        return _integers(self._columns[name], missing)

    def times(self, name: str) -> Integers:
        """A column of instants or durations in whole nanoseconds; NO_TIME where it is not known."""
        unit_ns = self._nanoseconds.get(name, 1)
        if unit_ns == 1 or name not in self._columns:
            return self.integers(name, NO_TIME)
        values = self.numbers(name) * unit_ns
        known = np.abs(values) < _LARGEST
        return np.where(known, np.rint(np.where(known, values, 0)).astype(np.int64), NO_TIME)

    def numbers(self, name: str) -> Numbers:
        """A column of numbers; NaN where there is none."""
        if name not in self._columns:
            return np.full(self._length, math.nan)
        return _numbers(self._columns[name])

    def distinct(self, name: str) -> tuple[npt.NDArray[np.int32], list[str]]:
        """A column of texts as indexes into its distinct values; -1 where there is none."""
        if name not in self._columns:
            return np.full(self._length, -1, np.int32), []
        return _distinct(self._columns[name])

    def codes(self, name: str, vocabulary: Vocabulary[str]) -> npt.NDArray[np.int32]:
        """A column of texts as their codes in a vocabulary; -1 where there is none."""
        return self.mapped(name, vocabulary.code).astype(np.int32)

    def mapped(self, name: str, of_text: Callable[[str], int], missing: int = -1) -> Integers:
        """What a function makes of the texts of a column. It is asked once for each text."""
        indexes, texts = self.distinct(name)
        return np.array([*map(of_text, texts), missing], np.int64)[indexes]

    def texts(self, name: str) -> list[str]:
        """A column of texts; empty where there is none."""
        indexes, values = self.distinct(name)
        values.append("")
        return [values[index] for index in indexes]


class Joined(Batch):
    """Several batches of one table as one, though a column's type may differ between them."""

    def __init__(self, parts: Sequence[Batch]) -> None:
        super().__init__({}, sum(map(len, parts)), {})
        self._parts = parts

    def __contains__(self, name: str) -> bool:
        return any(name in part for part in self._parts)

    def integers(self, name: str, missing: int = -1) -> Integers:
        """As of a batch."""
        return _concatenated([part.integers(name, missing) for part in self._parts])

    def times(self, name: str) -> Integers:
        """As of a batch."""
        return _concatenated([part.times(name) for part in self._parts])

    def numbers(self, name: str) -> Numbers:
        """As of a batch."""
        return np.concatenate(
            [np.empty(0, np.float64), *(part.numbers(name) for part in self._parts)]
        )

    def distinct(self, name: str) -> tuple[npt.NDArray[np.int32], list[str]]:
        """As of a batch."""
        texts: Vocabulary[str] = Vocabulary()
        indexes = _concatenated([part.mapped(name, texts.code) for part in self._parts])
        return indexes.astype(np.int32), texts.values()


def _concatenated(parts: Sequence[Integers]) -> Integers:
    return np.concatenate([np.empty(0, np.int64), *parts])


def _integers(array: arrow.Array, missing: int) -> Integers:
    array = _plain(array)
    types = arrow.arrow().types
    kind = array.type
    if types.is_uint64(kind):
        known = array.is_valid().to_numpy(zero_copy_only=False)
        return np.where(known, _filled(array, 0).view(np.int64), missing)
    if types.is_integer(kind) or types.is_boolean(kind):
        return _filled(array.cast(arrow.arrow().int64()), missing)
    if types.is_timestamp(kind) or types.is_duration(kind):
        return _scaled(array, _NANOSECONDS[kind.unit], missing)
    if types.is_floating(kind):
        return _rounded(_numbers(array), missing)
    indexes, texts = _distinct(array)
    return np.array([*(_integer_of(text, missing) for text in texts), missing], np.int64)[indexes]


def _scaled(array: arrow.Array, unit_ns: int, missing: int) -> Integers:
    values = _filled(array.cast(arrow.arrow().int64()), NO_TIME)
    known = np.abs(values.astype(np.float64)) < _LARGEST / unit_ns
    return np.where(known, np.where(known, values, 0) * unit_ns, missing)


def _rounded(values: Numbers, missing: int) -> Integers:
    known = np.abs(values) < _LARGEST
    return np.where(known, np.rint(np.where(known, values, 0)).astype(np.int64), missing)


def _integer_of(text: str, missing: int) -> int:
    try:
        value = int(text)
    except ValueError:
        number = _number_of(text)
        if not abs(number) < _LARGEST:  # NaN as well
            return missing
        value = round(number)
    if _LARGEST <= value < 2 * _LARGEST:
        return value - 2 * _LARGEST
    return value if -_LARGEST <= value < _LARGEST else missing


def _numbers(array: arrow.Array) -> Numbers:
    array = _plain(array)
    types = arrow.arrow().types
    kind = array.type
    if types.is_floating(kind) or types.is_integer(kind) or types.is_boolean(kind):
        plain = array.cast(arrow.arrow().float64(), safe=False)
        return cast("Numbers", plain.to_numpy(zero_copy_only=False)).astype(np.float64)
    if types.is_timestamp(kind) or types.is_duration(kind):
        values = _scaled(array, _NANOSECONDS[kind.unit], NO_TIME)
        return np.where(values == NO_TIME, math.nan, values.astype(np.float64))
    indexes, texts = _distinct(array)
    return np.array([*map(_number_of, texts), math.nan])[indexes]


def _number_of(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _distinct(array: arrow.Array) -> tuple[npt.NDArray[np.int32], list[str]]:
    if isinstance(array, arrow.arrow().DictionaryArray):
        # Rows share a dictionary with many others: what they do not use of it is left alone.
        used, index = np.unique(_filled(array.indices, -1), return_inverse=True)
        within, texts = _distinct(array.dictionary.take(arrow.arrow().array(used[used >= 0])))
        of_used = np.concatenate((np.full(np.count_nonzero(used < 0), -1, np.int32), within))
        return of_used[index], texts
    array = _plain(array)
    types, compute = arrow.arrow().types, arrow.compute()
    kind = array.type
    if types.is_nested(kind):
        texts_of = [_as_json(value) for value in array.to_pylist()]
        array = arrow.arrow().array(texts_of, arrow.arrow().binary())
    elif types.is_string(kind) or types.is_binary(kind):
        array = array.cast(arrow.arrow().binary())
    elif types.is_large_string(kind) or types.is_large_binary(kind):
        array = array.cast(arrow.arrow().large_binary())
    else:
        array = array.cast(arrow.arrow().string()).cast(arrow.arrow().binary())
    if len(array) and (compute.max(compute.binary_length(array)).as_py() or 0) > LONGEST_TEXT_BYTES:
        array = compute.binary_slice(array, 0, LONGEST_TEXT_BYTES)
    encoded = array.dictionary_encode()
    # Arrow does not look whether what a file calls text is UTF-8.
    texts = [value.decode("utf-8", "replace") for value in encoded.dictionary.to_pylist()]
    return _filled(encoded.indices, -1).astype(np.int32), texts


def _as_json(value: Any) -> bytes | None:
    return None if value is None else msgspec.json.encode(value, enc_hook=str)


def _plain(array: arrow.Array) -> arrow.Array:
    """The values that an extension type or a dictionary stands for; texts stay in theirs."""
    if isinstance(array, arrow.arrow().ExtensionArray):
        array = array.storage
    types = arrow.arrow().types
    if types.is_dictionary(array.type) and types.is_primitive(array.type.value_type):
        array = array.dictionary_decode()
    return array


def _filled(array: arrow.Array, missing: int) -> Any:
    if array.null_count:
        array = array.fill_null(missing)
    return array.to_numpy(zero_copy_only=False)
