"""The open documents, each with the numbers of the profile that knows it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakKeyDictionary

from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from sidelight.analysis.annotations import Annotations, FileAnnotations
from sidelight.server.annotated_document import AnnotatedDocument
from sidelight.server.folder import Folder, Shown
from sidelight.server.source_map import SourceMap


@dataclass(frozen=True)
class _Match:
    shown: Shown
    annotations: Annotations
    file: FileAnnotations


@dataclass(frozen=True)
class _Known:
    text: str
    match: _Match | None
    annotated: AnnotatedDocument | None


class Documents:
    """Finds a document's annotations, and keeps them until it or what is shown changes."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[TextDocument, _Known] = WeakKeyDictionary()

    def annotated(
        self, document: TextDocument, folders: Sequence[Folder], source_map: SourceMap
    ) -> AnnotatedDocument | None:
        """A document with its numbers; None where no profile that is shown has any.

        Args:
            document: An open document.
            folders: What is shown.
            source_map: Where files from elsewhere are said to be.
        """
        known, text = self._known.get(document), document.source
        if known is None or known.text is not text:
            # What was no file of a profile may have become one: a file can be known by its text.
            match = (known and known.match) or _match(document, folders, source_map)
            annotated = match and AnnotatedDocument(
                match.shown, match.annotations, match.file, text
            )
            known = self._known[document] = _Known(text, match, annotated)
        return known.annotated

    def forget(self) -> None:
        """Something else is shown."""
        self._known.clear()


def line_end(document: TextDocument, line: int) -> types.Position:
    """The position after a line's text, in the client's units."""
    text = _text(document, line).rstrip()
    return types.Position(line, document.position_codec.client_num_units(text))


def line_range(document: TextDocument, line: int) -> types.Range:
    """A line's text without its indentation, in the client's units."""
    text = _text(document, line)
    indentation = len(text) - len(text.lstrip())
    return types.Range(types.Position(line, indentation), line_end(document, line))


def _text(document: TextDocument, line: int) -> str:
    return document.lines[line] if line < len(document.lines) else ""


def _match(
    document: TextDocument, folders: Sequence[Folder], source_map: SourceMap
) -> _Match | None:
    path = to_fs_path(document.uri)
    if path is None or "\0" in path:
        return None
    own_first = sorted(folders, key=lambda folder: -_depth_above(folder.path, Path(path)))
    for folder in own_first:
        shown = folder.shown
        if shown is None or shown.loaded is None:
            continue
        if file := shown.loaded.files.find(path, document.source, source_map):
            return _Match(shown, shown.loaded.annotations, file)
    return None


def _depth_above(folder: Path, path: Path) -> int:
    """How deep a folder is that holds a file; 0 if it does not hold it."""
    return len(folder.parts) if path.is_relative_to(folder) else 0
