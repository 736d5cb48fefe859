"""Turns a report into one HTML file that loads nothing and runs nothing."""

from __future__ import annotations

import base64
import hashlib
from itertools import compress
from typing import IO

from sidelight.export.html.document import Block, Paragraph, Report, Section, Table
from sidelight.export.html.escaping import escaped
from sidelight.export.html.roofline_svg import roofline_svg
from sidelight.export.html.style import STYLE


def write_page(file: IO[bytes], report: Report) -> None:
    """Write a report.

    Its policy allows the style that is in it, by its hash, and nothing else: no script, no font, no
    image and no connection, whatever a text in it may look like.

    Args:
        file: Where to.
        report: What it says.

    Raises:
        OSError: It cannot be written.
    """
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escaped(report.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
    )
    body = [f"<h1>{escaped(report.title)}</h1>\n", *map(_block, report.lead)]
    body += [_section(section) for section in report.sections if section.blocks]
    foot = f"</main>\n<footer><p>{escaped(report.footer)}</p></footer>\n</body>\n</html>\n"
    file.write((head + "".join(body) + foot).encode())


def _section(section: Section) -> str:
    blocks = "".join(map(_block, section.blocks))
    return f"<section>\n<h2>{escaped(section.title)}</h2>\n{blocks}</section>\n"


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        kind = ' class="emphasis"' if block.emphasis else ""
        return f"<p{kind}>{escaped(block.text)}</p>\n"
    if isinstance(block, Table):
        return _table(block)
    return (
        f"<figure>{roofline_svg(block)}<figcaption>{escaped(block.title)}</figcaption></figure>\n"
    )


def _table(table: Table) -> str:
    """A table, without the columns in which nothing stands: others need their room on paper."""
    has_bars = bool(table.shares)
    told = [any(row[index] for row in table.rows) for index in range(len(table.columns))]
    kinds = ["number" if column.is_number else "text" for column in compress(table.columns, told)]
    heads = [
        f'<th scope="col"{_class(kind)}>{escaped(column.title)}</th>'
        for kind, column in zip(kinds, compress(table.columns, told), strict=True)
    ]
    if has_bars:
        heads.insert(0, '<th scope="col">part</th>')
    rows: list[str] = []
    for number, row in enumerate(table.rows):
        cells = [
            f"<td{_class(kind)}>{escaped(cell)}</td>"
            for kind, cell in zip(kinds, compress(row, told), strict=True)
        ]
        if has_bars:
            share = min(max(table.shares[number], 0.0), 1.0)
            cells.insert(0, f'<td><meter value="{share:.4f}">{share:.1%}</meter></td>')
        rows.append(f"<tr>{''.join(cells)}</tr>\n")
    return (
        f'<div class="scroll"><table>\n<caption>{escaped(table.caption)}</caption>\n'
        f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody>\n"
        "</table></div>\n"
    )


def _class(name: str) -> str:
    return f' class="{name}"'
