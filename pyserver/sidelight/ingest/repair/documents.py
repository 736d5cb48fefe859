"""Keeps track of where in a damaged file one is: in a list of events, around it, in which trace."""

from __future__ import annotations

import re
from typing import Final

from sidelight.ingest.repair.findings import Finding, Findings
from sidelight.ingest.repair.lenient_header import lenient_header
from sidelight.ingest.trace_header import Header

_ENVELOPE_LIMIT: Final = 64 << 20
"""Characters of a document around its events; what goes beyond is not kept."""

_LIST_END: Final = re.compile(r'\](?=\s*(?:,\s*"[^"\\]*"\s*:|[}\[{]))')
_ANY_END: Final = re.compile(r"\]")
_LIST_START: Final = re.compile(r'(?:"traceEvents"\s*:\s*|\A\s*)\[\Z')
# Between two documents, with whatever rubbish. Within one a comma or a colon would be there.
_NEXT_DOCUMENT: Final = re.compile(r'[}\]][^{}\[\]",:]*(?=\{\s*"[^"\\]*"\s*:|\[\Z)')


class Documents:
    """The documents of a file, their events taken out, as they are met.

    Args:
        head: The first document up to its list.
        findings: Told what there is besides.

    Attributes:
        headers: What each document that has ended says about itself.
        in_list: Whether one is in a list of events.
    """

    def __init__(self, head: str, findings: Findings) -> None:
        self.headers: list[Header] = []
        self.in_list = True
        self._findings = findings
        self._envelope = head
        self._lists = 1

    def pass_text(self, text: str, *, is_last: bool) -> None:
        """Go through text that is no event.

        Args:
            text: What is between two events.
            is_last: Whether no event follows.
        """
        if self.in_list:
            end = _LIST_END.search(text) or (_ANY_END.search(text) if is_last else None)
            rubbish, text = (
                (text, "") if end is None else (text[: end.start()], text[end.start() :])
            )
            self._findings.add(Finding.NO_EVENTS, bool(rubbish.strip()))
            self.in_list = end is None
            if self.in_list:
                return
        next_documents = [] if is_last else [*_NEXT_DOCUMENT.finditer(text)]
        if next_documents:
            self._keep(text[: next_documents[-1].end()])
            self._end_document()
            text = text[next_documents[-1].end() :]
        self._keep(text)
        if _LIST_START.search(text):
            self.in_list = True
            self._lists += 1
            self._findings.add(Finding.SEVERAL_LISTS, self._lists == 2)

    def pass_object(self, text: str) -> None:
        """Go past an object that is no event, nor in a list of them."""
        self._keep("," + text if self._envelope.endswith("}") else text)

    def end(self) -> None:
        """There is nothing more."""
        if self.in_list:
            self._findings.once(Finding.CUT_OFF)
            self._keep("]" if self._envelope.lstrip().startswith("[") else "]}")
        self._end_document()
        if len(self.headers) > 1:
            self._findings.add(Finding.SEVERAL_TRACES, len(self.headers))

    def _keep(self, text: str) -> None:
        if len(self._envelope) + len(text) <= _ENVELOPE_LIMIT:
            self._envelope += text
        else:
            self._findings.once(Finding.DAMAGED_HEADER)

    def _end_document(self) -> None:
        self.headers.append(lenient_header(self._envelope, self._findings))
        self._envelope = ""
        self._lists = 0
