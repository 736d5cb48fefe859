"""What a whole profile comes to."""

from __future__ import annotations

from pathlib import Path

from sidelight.analysis.headline import headline
from sidelight.analysis.tables.windows import Filter, Order, Sorting
from sidelight.server import protocol
from sidelight.server.answers import message
from sidelight.server.session import Session


def register(session: Session) -> None:
    """Let a session answer for whole profiles."""
    session.answers_request(protocol.ANALYSIS, _analysis)
    session.answers_request(protocol.TABLE, _table)
    session.answers_request(protocol.TABLE_CSV, _table_csv)
    session.answers_request(protocol.FLAME_MATCH, _flame_match)


async def _analysis(session: Session, params: protocol.ProfileParams) -> protocol.Analysis:
    _, directory = session.showing.find(Path(params.directory))
    manifest, overview_json = await session.analyses.ask(
        directory, lambda queries: queries.overview()
    )
    return protocol.Analysis(
        directory=params.directory,
        name=manifest.name,
        rank=manifest.rank,
        world_size=manifest.world_size,
        headline=headline(manifest),
        device=manifest.device,
        time_kind=manifest.time_kind,
        steps=manifest.steps,
        overview_json=overview_json,
    )


async def _table(session: Session, params: protocol.TableParams) -> protocol.TableRows:
    _, directory = session.showing.find(Path(params.directory))
    order = _order(params.order)
    page_json = await session.analyses.ask(
        directory,
        lambda queries: queries.table(params.order.table, order, params.first, params.count),
    )
    return protocol.TableRows(page_json=page_json)


async def _table_csv(session: Session, params: protocol.TableCsvParams) -> protocol.TableCsv:
    _, directory = session.showing.find(Path(params.directory))
    order, chosen = _order(params.order), params.ranges
    ranges = None if chosen is None else [(some.first, some.count) for some in chosen]
    rows, text = await session.analyses.ask(
        directory,
        lambda queries: queries.table_csv(params.order.table, order, ranges, params.separator),
    )
    return protocol.TableCsv(rows=rows, text=text)


async def _flame_match(session: Session, params: protocol.FlameMatchParams) -> protocol.FlameMatch:
    _, directory = session.showing.find(Path(params.directory))
    found = await session.analyses.ask(
        directory,
        lambda queries: queries.flame_matches(params.graph, params.text),
    )
    return message(protocol.FlameMatch, found)


def _order(order: protocol.TableOrder) -> Order:
    within = order.within
    return Order(
        sort=[Sorting(order.sort, order.descending)] if order.sort else [],
        filters=[Filter(within.column, "equals", within.value)] if within else [],
        text=order.text,
        group=order.group,
    )
