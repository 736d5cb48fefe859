"""The open documents, each with the numbers of the profile that knows it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from sidelight.analysis.annotations import Annotations, FileAnnotations
from sidelight.server.annotated_document import AnnotatedDocument
from sidelight.server.folder import Folder, Shown


@dataclass(frozen=True)
class _Match:
    shown: Shown
    annotations: Annotations
    file: FileAnnotations


class Documents:
    """Finds a document's annotations, and keeps them until it or what is shown changes."""

    def __init__(self) -> None:
        self._matches: dict[str, _Match | None] = {}
        self._annotated: dict[str, tuple[str, AnnotatedDocument]] = {}

    def annotated(
        self, document: TextDocument, folders: Sequence[Folder]
    ) -> AnnotatedDocument | None:
        """A document with its numbers; None where no profile that is shown has any.

        Args:
            document: An open document.
            folders: What is shown.
        """
        if document.uri not in self._matches:
            self._matches[document.uri] = _match(document, folders)
        match = self._matches[document.uri]
        if match is None:
            return None
        text, annotated = self._annotated.get(document.uri, (None, None))
        if annotated is None or text is not document.source:
            annotated = AnnotatedDocument(
                match.shown, match.annotations, match.file, document.source
            )
            self._annotated[document.uri] = document.source, annotated
        return annotated

    def forget(self, uri: str) -> None:
        """A document was closed."""
        self._matches.pop(uri, None)
        self._annotated.pop(uri, None)

    def forget_all(self) -> None:
        """Something else is shown."""
        self._matches.clear()
        self._annotated.clear()


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


def _match(document: TextDocument, folders: Sequence[Folder]) -> _Match | None:
    path = to_fs_path(document.uri)
    if path is None:
        return None
    own_first = sorted(folders, key=lambda folder: -_depth_above(folder.path, Path(path)))
    for folder in own_first:
        shown = folder.shown
        if shown and shown.loaded and (file := shown.loaded.files.find(path, document.source)):
            return _Match(shown, shown.loaded.annotations, file)
    return None


def _depth_above(folder: Path, path: Path) -> int:
    """How deep a folder is that holds a file; 0 if it does not hold it."""
    return len(folder.parts) if path.is_relative_to(folder) else 0
