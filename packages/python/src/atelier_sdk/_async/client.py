"""The client: one address, one key, everything the platform serves."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Mapping, Optional, Type

import httpx

from .._core.asks import Ask, QueryValue
from .assets import AsyncAssets
from .badges import AsyncBadges
from .estimates import AsyncClasses, AsyncEstimates
from .jobs import AsyncJobs
from .model_requests import AsyncRequests
from .models import AsyncModels
from .partners import AsyncPartners
from .registry import AsyncRegistry
from .saved_workflows import AsyncSavedWorkflows
from .transport import AsyncTransport
from .works import AsyncWorks
from .workspace import AsyncBudgets, AsyncRoutes, AsyncTokens


class AsyncAtelier:
    """A client of one Atelier server, deployment or self-hosted proxy.

    Address and key come from ``ATELIER_URL`` and ``ATELIER_API_KEY`` unless they are given; without both the address is
    http://127.0.0.1:8080. ``timeout`` is in seconds and for every call; without it ``models.run`` has 660, above the
    server's deadline, uploads and downloads 600, and the rest 60. ``max_retries`` says how often a call that can safely be
    repeated is sent again. ``http_client`` is used as it is and never closed.
    """

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: int = 2,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._transport = AsyncTransport(
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            headers=headers,
            http_client=http_client,
        )
        self.models = AsyncModels(self._transport)
        self.requests = AsyncRequests(self._transport)
        self.assets = AsyncAssets(self._transport)
        self.jobs = AsyncJobs(self._transport, self.assets)
        self.estimates = AsyncEstimates(self._transport)
        self.classes = AsyncClasses(self._transport)
        self.workflows = AsyncSavedWorkflows(self._transport)
        self.works = AsyncWorks(self._transport)
        self.partners = AsyncPartners(self._transport)
        self.registry = AsyncRegistry(self._transport)
        self.budgets = AsyncBudgets(self._transport)
        self.tokens = AsyncTokens(self._transport)
        self.routes = AsyncRoutes(self._transport)

    @property
    def base_url(self) -> str:
        """Where it talks to."""
        return self._transport.base_url

    def badges(self, app_version: str, platform: str, *, fresh_seconds: float = 300) -> AsyncBadges:
        """The price badges for a version of the application, on ``cloud`` or ``local``."""
        return AsyncBadges(self._transport, app_version, platform, fresh_seconds)

    async def request(
        self,
        path: str,
        *,
        method: str = "GET",
        json: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, QueryValue]] = None,
        timeout: Optional[float] = None,
    ) -> httpx.Response:
        """Any other operation of the server: the path, and what to send. Failures are the same typed ones."""
        ask = Ask(method=method, json=json, headers=headers or {}, query=query or {}, timeout=timeout)
        return await self._transport.send(path, ask)

    async def close(self) -> None:
        """Closes its connections."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncAtelier:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()
