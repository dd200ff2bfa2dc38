"""Queued model calls: submitted now, collected later. Every submission has an idempotency key, so a lost answer does not pay
twice. The server sets the polling pace, and waiting survives a server restart."""

from __future__ import annotations

import asyncio
import time
from typing import Any, AsyncIterator, Callable, Mapping, Optional, Tuple, Union

from .._core.asks import Ask, segment
from .._core.deadline import Deadline
from .._core.failures_read import back_off, retry_after_of
from .._core.results import ModelResult, result_of
from ..errors import AtelierError, FailureFacts, RequestNotCompleted, RequestNotFound, TimedOut
from ..wire import AcceptedModelRequest, ModelRequest, ModelRequestStatus
from .pages import walk
from .transport import AsyncTransport

# A server that restarts is waited for, because the request is recorded.
PATIENCE_SECONDS = 60.0


class AsyncModelRequestHandle:
    """A queued model call. It can be found again by its id after a crash: ``atelier.models.request(model, id)``."""

    def __init__(
        self,
        transport: AsyncTransport,
        model: str,
        id: str,
        current: Union[AcceptedModelRequest, ModelRequest, None],
        idempotency_key: Optional[str],
    ) -> None:
        self._transport = transport
        self.model = model
        self.id = id
        self.current = current
        self.idempotency_key = idempotency_key
        self._path = f"/v1/models/{model}/requests/{segment(id)}"

    async def status(self, *, timeout: Optional[float] = None) -> ModelRequest:
        """Asks the server how it stands."""
        request, _ = await self._ask(timeout)
        return request

    async def wait(
        self,
        *,
        on_update: Optional[Callable[[ModelRequest], None]] = None,
        timeout: Optional[float] = None,
        cancel_on_timeout: bool = False,
    ) -> ModelRequest:
        """Waits until it has completed, and says how it ended; whether it failed is ``error_type``.

        ``on_update`` is called whenever its state or its position in the queue has changed.
        """
        deadline = Deadline(timeout)
        last_reported = None
        lost_since: Optional[float] = None
        failures = 0
        while True:
            try:
                request, pause = await self._ask(None)
                lost_since, failures = None, 0
                said = (request["status"], request.get("queue_position"))
                if said != last_reported and on_update is not None:
                    on_update(request)
                last_reported = said
                # An unknown status does not end the wait.
                if request["status"] == "COMPLETED":
                    return request
            except AtelierError as failure:
                now = time.monotonic()
                lost_since = now if lost_since is None else lost_since
                failures += 1
                if not _is_away(failure) or now - lost_since > PATIENCE_SECONDS:
                    raise
                pause = back_off(failures) if failure.retry_after is None else failure.retry_after
            try:
                deadline.check()
            except TimedOut:
                if cancel_on_timeout:
                    await self._cancel_quietly()
                raise
            await asyncio.sleep(deadline.remaining(pause))

    async def result(self, *, timeout: Optional[float] = None) -> ModelResult:
        """What the model answered: the very bytes of the synchronous call, for 24 hours.

        Raises the typed failure of a request that failed, and RequestNotCompleted while it has not completed.
        """
        response = await self._transport.send(self._path, Ask(timeout=timeout))
        if response.status_code != 202:
            return result_of(response, self.idempotency_key)
        current: ModelRequest = response.json()
        self.current = current
        raise RequestNotCompleted(
            FailureFacts(
                status=202,
                code="request_not_completed",
                message=f"The request has not completed; its status is {current['status']}.",
                request_id=response.headers.get("x-service-request-id"),
                retry_after=retry_after_of(response.headers),
                details=current,
                body_text=response.text,
                idempotency_key=self.idempotency_key,
            )
        )

    async def cancel(self, *, timeout: Optional[float] = None) -> ModelRequest:
        """Cancels it. Raises AlreadyCompleted when it has ended, CancelRefused when the provider cannot be asked to stop."""
        ask = Ask(method="PUT", is_repeatable=True, timeout=timeout)
        request: ModelRequest = await self._transport.json(f"{self._path}/cancel", ask)
        self.current = request
        return request

    async def _cancel_quietly(self) -> None:
        # A call that cannot be canceled keeps running.
        try:
            await self.cancel()
        except AtelierError:
            pass

    async def _ask(self, timeout: Optional[float]) -> Tuple[ModelRequest, float]:
        response = await self._transport.send(f"{self._path}/status", Ask(timeout=timeout))
        request: ModelRequest = response.json()
        self.current = request
        return request, retry_after_of(response.headers) or 1.0


def _is_away(failure: AtelierError) -> bool:
    return failure.is_retryable or failure.status in (502, 503, 504)


async def submit_request(
    transport: AsyncTransport,
    model: str,
    input: Mapping[str, Any],
    headers: Mapping[str, str],
    key: str,
    queue_wait: float,
    timeout: Optional[float],
) -> AsyncModelRequestHandle:
    ask = Ask(method="POST", json=input, headers=headers, idempotency_key=key, is_repeatable=True, timeout=timeout)
    give_up_at = time.monotonic() + queue_wait
    while True:
        try:
            current: AcceptedModelRequest = await transport.json(f"/v1/models/{model}/requests", ask)
            return AsyncModelRequestHandle(transport, model, current["request_id"], current, key)
        except AtelierError as failure:
            wait = failure.retry_after
            if failure.status != 429 or wait is None or time.monotonic() + wait > give_up_at:
                raise
        await asyncio.sleep(wait)


class AsyncRequests:
    """Queued model calls of all models: ``atelier.requests``."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        status: Optional[ModelRequestStatus] = None,
        model: Optional[str] = None,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> AsyncIterator[ModelRequest]:
        """Those that wait or run, and those that completed within 24 hours, newest first."""
        query = {"status": status, "model": model, "limit": page_size}
        async for each in walk(self._transport, "/v1/requests", query, timeout):
            yield each

    async def find(self, id: str, *, timeout: Optional[float] = None) -> AsyncModelRequestHandle:
        """One of them by its id alone: found by walking the list, where the model is not known."""
        async for current in self.list(page_size=100, timeout=timeout):
            if current["request_id"] == id:
                return AsyncModelRequestHandle(self._transport, current["model"], id, current, None)
        raise RequestNotFound(
            FailureFacts(
                status=404,
                code="request_not_found",
                message="There is no such request, or it is older than 24 hours.",
            )
        )
