"""Walks pages by what the server says, never by the length of a page: router lists stop at has_more (Spec, Router rule 1),
v2 lists carry a link to the next page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, AsyncIterator, Mapping, Optional

from .._core.asks import Ask, QueryValue
from .transport import AsyncTransport


async def walk(
    transport: AsyncTransport, path: str, query: Mapping[str, QueryValue], timeout: Optional[float] = None
) -> AsyncIterator[Any]:
    first = Ask(query=query, timeout=timeout)
    at, ask = path, first
    while True:
        page = await transport.json(at, ask)
        for each in page["data"]:
            yield each
        if page.get("next"):
            at, ask = page["next"], replace(first, query={})
        elif page.get("has_more") and page.get("next_cursor") is not None:
            at, ask = path, replace(first, query={**query, "cursor": page["next_cursor"]})
        else:
            return
