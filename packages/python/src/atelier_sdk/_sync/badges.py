"""Price badges for a client. The map is fetched once, and then only asked for if it has changed. Expressions are JSONata;
evaluating them is left to a package for it."""

from __future__ import annotations

import time
from typing import Any, Dict, Optional

from .._core.asks import Ask
from ..errors import AtelierError
from ..wire import Badge, BadgeMap
from .transport import Transport


class Badges:
    """The badges for one client version and platform: ``atelier.badges(app_version, platform)``."""

    def __init__(self, transport: Transport, app_version: str, platform: str, fresh_seconds: float) -> None:
        self._transport = transport
        self._query = {"app_version": app_version, "platform": platform}
        self._fresh_seconds = fresh_seconds
        self._map: Optional[BadgeMap] = None
        self._etag: Optional[str] = None
        self._fresh_until = 0.0

    def map(self) -> BadgeMap:
        """The whole map; an absent node has no badge."""
        if self._map is not None and time.monotonic() < self._fresh_until:
            return self._map
        headers: Dict[str, str] = {} if self._etag is None else {"if-none-match": self._etag}
        try:
            response = self._transport.send(
                "/nodes/pricing/badges", Ask(query=self._query, headers=headers, accept=(304,))
            )
        except AtelierError:
            # A price from a minute ago is better than none.
            if self._map is None:
                raise
            return self._map
        self._fresh_until = time.monotonic() + self._fresh_seconds
        if response.status_code == 304 and self._map is not None:
            return self._map
        badges: BadgeMap = response.json()
        self._map = badges
        self._etag = response.headers.get("etag")
        return badges

    def get(self, node_id: str) -> Optional[Badge]:
        """One node's badge; None when it has none."""
        badges: Any = self.map()
        badge: Optional[Badge] = badges.get(node_id)
        return badge
