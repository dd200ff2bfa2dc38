"""The client: one address, one key, everything the platform serves."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Mapping, Optional, Type

import httpx

from .._core.asks import Ask, QueryValue
from .assets import Assets
from .badges import Badges
from .estimates import Classes, Estimates
from .jobs import Jobs
from .model_requests import Requests
from .models import Models
from .partners import Partners
from .registry import Registry
from .saved_workflows import SavedWorkflows
from .transport import Transport
from .works import Works
from .workspace import Budgets, Routes, Tokens


class Atelier:
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
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._transport = Transport(
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            headers=headers,
            http_client=http_client,
        )
        self.models = Models(self._transport)
        self.requests = Requests(self._transport)
        self.assets = Assets(self._transport)
        self.jobs = Jobs(self._transport, self.assets)
        self.estimates = Estimates(self._transport)
        self.classes = Classes(self._transport)
        self.workflows = SavedWorkflows(self._transport)
        self.works = Works(self._transport)
        self.partners = Partners(self._transport)
        self.registry = Registry(self._transport)
        self.budgets = Budgets(self._transport)
        self.tokens = Tokens(self._transport)
        self.routes = Routes(self._transport)

    @property
    def base_url(self) -> str:
        """Where it talks to."""
        return self._transport.base_url

    def badges(self, app_version: str, platform: str, *, fresh_seconds: float = 300) -> Badges:
        """The price badges for a version of the application, on ``cloud`` or ``local``."""
        return Badges(self._transport, app_version, platform, fresh_seconds)

    def request(
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
        return self._transport.send(path, ask)

    def close(self) -> None:
        """Closes its connections."""
        self._transport.close()

    def __enter__(self) -> Atelier:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()
