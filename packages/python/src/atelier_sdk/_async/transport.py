"""The one way to the server: address, credential, time limits, retries under one key, typed failures. The API key is never
sent to any origin but the one it was given for."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from importlib import metadata
from typing import Any, AsyncIterator, Dict, Mapping, Optional, Union

import httpx

from .._core.asks import DEFAULT_URL, Ask, address_of, base_url_of, from_environment, json_text, origin_of
from .._core.failures_read import failure_of, may_repeat, no_answer, wait_seconds
from ..errors import AtelierError


def _user_agent() -> str:
    package = __name__.split(".")[0].replace("_", "-")
    try:
        return f"{package}-python/{metadata.version(package)}"
    except metadata.PackageNotFoundError:
        return f"{package}-python"


class AsyncTransport:
    def __init__(
        self,
        *,
        api_key: Optional[str],
        base_url: Optional[str],
        timeout: Optional[float],
        max_retries: int,
        headers: Optional[Mapping[str, str]],
        http_client: Optional[httpx.AsyncClient],
    ) -> None:
        self.base_url = base_url_of(base_url or from_environment("ATELIER_URL") or DEFAULT_URL)
        self._api_key = from_environment("ATELIER_API_KEY") if api_key is None else api_key
        self._timeout = timeout
        self._max_retries = max_retries
        self._headers = {"user-agent": _user_agent(), **{name.lower(): value for name, value in (headers or {}).items()}}
        self._is_own = http_client is None
        self._http = httpx.AsyncClient(follow_redirects=True) if http_client is None else http_client

    async def close(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def send(self, path: str, ask: Ask = Ask()) -> httpx.Response:
        """A whole answer. Sent again, under the same key, as often as the client allows and the failure permits."""
        most = self._max_retries if ask.max_retries is None else ask.max_retries
        attempt = 0
        while True:
            try:
                return await self._once(path, ask)
            except AtelierError as failure:
                if attempt >= most or not may_repeat(failure, ask.is_safe):
                    raise
                wait = wait_seconds(failure, attempt)
            attempt += 1
            await asyncio.sleep(wait)

    async def json(self, path: str, ask: Ask = Ask()) -> Any:
        return (await self.send(path, ask)).json()

    @asynccontextmanager
    async def open(self, path: str, ask: Ask = Ask()) -> AsyncIterator[httpx.Response]:
        """An answer whose body arrives while it is read. Only what happens before its first byte is tried again."""
        most = self._max_retries if ask.max_retries is None else ask.max_retries
        attempt = 0
        while True:
            try:
                response = await self._begin(path, ask)
                break
            except AtelierError as failure:
                if attempt >= most or not may_repeat(failure, ask.is_safe):
                    raise
                wait = wait_seconds(failure, attempt)
            attempt += 1
            await asyncio.sleep(wait)
        try:
            yield response
        except httpx.TransportError as thrown:
            raise no_answer(thrown, ask.idempotency_key) from thrown
        finally:
            await response.aclose()

    async def _once(self, path: str, ask: Ask) -> httpx.Response:
        response = await self._begin(path, ask)
        try:
            await response.aread()
        except httpx.TransportError as thrown:
            raise no_answer(thrown, ask.idempotency_key) from thrown
        finally:
            await response.aclose()
        return response

    async def _begin(self, path: str, ask: Ask) -> httpx.Response:
        url = address_of(self.base_url, path, ask.query)
        request = self._http.build_request(
            ask.method, url, headers=self._headers_of(url, ask), timeout=ask.seconds(self._timeout), **_body_of(ask)
        )
        try:
            response = await self._http.send(request, stream=True)
            if response.is_success or response.status_code in ask.accept:
                return response
            await response.aread()
        except httpx.TransportError as thrown:
            raise no_answer(thrown, ask.idempotency_key) from thrown
        # Relative to the client's address, including any mount path.
        is_routers = url.startswith(f"{self.base_url}/v1/")
        raise failure_of(response, idempotency_key=ask.idempotency_key, is_routers=is_routers)

    def _headers_of(self, url: str, ask: Ask) -> Dict[str, str]:
        headers = {**self._headers, **ask.headers}
        if self._api_key and origin_of(url) == origin_of(self.base_url):
            headers.setdefault("authorization", f"Bearer {self._api_key}")
        if ask.idempotency_key is not None:
            headers["idempotency-key"] = ask.idempotency_key
        if ask.json is not None:
            headers.setdefault("content-type", "application/json")
        return headers


def _body_of(ask: Ask) -> Dict[str, Any]:
    if ask.form is not None:
        fields, file = ask.form()
        return {"data": fields, "files": {"file": file}}
    content: Union[bytes, None] = json_text(ask.json).encode() if ask.json is not None else ask.content
    return {} if content is None else {"content": content}

