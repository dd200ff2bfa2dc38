"""The model router: native JSON in, native JSON out, one call per generation. Every call has an idempotency key, so whatever
happens on the way it is paid for once and its answer can be collected."""

from __future__ import annotations

import time
import uuid
from typing import Any, Iterator, Callable, Dict, List, Mapping, Optional

from .._core.amounts import Credits, call_headers
from .._core.asks import RUN_SECONDS, Ask
from .._core.failures_read import failure_in_stream
from .._core.frames import FrameReader
from .._core.results import ModelEvent, ModelResult, result_of
from ..errors import DeadlineExceeded
from ..wire import AccountModel, CatalogEntry, ModelDetail, ModelEstimate, ModelRequest
from .model_requests import ModelRequestHandle, submit_request
from .pages import walk
from .transport import Transport


class Models:
    """The model router: ``atelier.models``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self, *, page_size: Optional[int] = None, timeout: Optional[float] = None
    ) -> Iterator[CatalogEntry]:
        """Every released model, page by page as you go."""
        for each in walk(self._transport, "/v1/models", {"limit": page_size}, timeout):
            yield each

    def described(self, *, timeout: Optional[float] = None) -> List[AccountModel]:
        """Every model this workspace can call, described for people: title, what it makes, price in credits."""
        page = self._transport.json("/account/models", Ask(timeout=timeout))
        data: List[AccountModel] = page["data"]
        return data

    def get(self, id: str, *, timeout: Optional[float] = None) -> ModelDetail:
        """One model, without walking the catalog."""
        model: ModelDetail = self._transport.json(f"/v1/models/{id}", Ask(timeout=timeout))
        return model

    def schema(self, id: str, *, timeout: Optional[float] = None) -> Dict[str, Any]:
        """The OpenAPI document that the server checks this model's input against."""
        document: Dict[str, Any] = self._transport.json(f"/v1/models/{id}/openapi.json", Ask(timeout=timeout))
        return document

    def estimate(self, id: str, input: Mapping[str, Any], *, timeout: Optional[float] = None) -> ModelEstimate:
        """What a call would cost, and how long such calls took. Nothing runs, nothing is held or billed."""
        ask = Ask(method="POST", json=input, is_repeatable=True, timeout=timeout)
        estimate: ModelEstimate = self._transport.json(f"/v1/models/{id}/estimate", ask)
        return estimate

    def run(
        self,
        id: str,
        input: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        max_credits: Optional[Credits] = None,
        tags: Optional[Mapping[str, str]] = None,
        end_user: Optional[str] = None,
        collect_seconds: float = 1800,
        timeout: Optional[float] = None,
    ) -> ModelResult:
        """Runs a model and waits for its answer.

        The same ``idempotency_key`` never pays twice; a fresh one is made if you leave it out. ``max_credits`` is the most
        the call may cost: one that could cost more fails with PriceAboveLimit before anything runs. If the server's
        deadline passes, the result is collected under the key for ``collect_seconds``; 0 fails with DeadlineExceeded.
        """
        key = idempotency_key or str(uuid.uuid4())
        ask = Ask(
            method="POST",
            json=input,
            headers=call_headers(max_credits, tags, end_user),
            idempotency_key=key,
            is_repeatable=True,
            usual_timeout=RUN_SECONDS,
            timeout=timeout,
        )
        collect_until = time.monotonic() + RUN_SECONDS + collect_seconds
        while True:
            try:
                return result_of(self._transport.send(f"/v1/models/{id}", ask), key)
            except DeadlineExceeded as failure:
                if collect_seconds == 0 or time.monotonic() >= collect_until:
                    raise
                wait = 5.0 if failure.retry_after is None else failure.retry_after
            time.sleep(wait)

    def stream(
        self,
        id: str,
        input: Mapping[str, Any],
        *,
        member: str = "stream",
        idempotency_key: Optional[str] = None,
        max_credits: Optional[Credits] = None,
        tags: Optional[Mapping[str, str]] = None,
        end_user: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[ModelEvent]:
        """Runs a model that streams, and gives the provider's events while they come.

        ``member`` is the member of the input that asks this model for a stream. It is one call like any other: under the
        same key the whole stream comes again, and nothing is charged twice. A failure in the middle raises its class.
        """
        key = idempotency_key or str(uuid.uuid4())
        ask = Ask(
            method="POST",
            json={**input, member: True},
            headers={"accept": "text/event-stream", **call_headers(max_credits, tags, end_user)},
            idempotency_key=key,
            is_repeatable=True,
            usual_timeout=RUN_SECONDS,
            timeout=timeout,
        )
        reader = FrameReader()
        with self._transport.open(f"/v1/models/{id}", ask) as response:
            for piece in response.iter_bytes():
                for frame in reader.feed(piece):
                    if frame is None:
                        continue
                    if frame.event == "error":
                        raise failure_in_stream(frame.data, response, key)
                    yield ModelEvent(frame.event, frame.id, frame.data)

    def submit(
        self,
        id: str,
        input: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        max_credits: Optional[Credits] = None,
        tags: Optional[Mapping[str, str]] = None,
        end_user: Optional[str] = None,
        queue_wait: float = 60,
        timeout: Optional[float] = None,
    ) -> ModelRequestHandle:
        """Queues a call and returns immediately; its credits are held. Waits up to ``queue_wait`` seconds for a full queue."""
        headers = call_headers(max_credits, tags, end_user)
        if webhook_url is not None:
            headers["x-service-webhook-url"] = webhook_url
        key = idempotency_key or str(uuid.uuid4())
        return submit_request(self._transport, id, input, headers, key, queue_wait, timeout)

    def subscribe(
        self,
        id: str,
        input: Mapping[str, Any],
        *,
        on_update: Optional[Callable[[ModelRequest], None]] = None,
        on_submit: Optional[Callable[[ModelRequestHandle], None]] = None,
        cancel_on_timeout: bool = False,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        max_credits: Optional[Credits] = None,
        tags: Optional[Mapping[str, str]] = None,
        end_user: Optional[str] = None,
        queue_wait: float = 60,
        timeout: Optional[float] = None,
    ) -> ModelResult:
        """Queues a call, waits until it ends, and returns its answer. Holds no connection while it waits.

        ``timeout`` is for the whole wait. When it is over the request goes on and its id collects it, unless
        ``cancel_on_timeout`` is set.
        """
        request = self.submit(
            id,
            input,
            idempotency_key=idempotency_key,
            webhook_url=webhook_url,
            max_credits=max_credits,
            tags=tags,
            end_user=end_user,
            queue_wait=queue_wait,
        )
        if on_submit is not None:
            on_submit(request)
        request.wait(on_update=on_update, timeout=timeout, cancel_on_timeout=cancel_on_timeout)
        return request.result()

    def request(self, id: str, request_id: str, *, timeout: Optional[float] = None) -> ModelRequestHandle:
        """A queued call by its id, after a crash or in another process."""
        request = ModelRequestHandle(self._transport, id, request_id, None, None)
        request.status(timeout=timeout)
        return request
