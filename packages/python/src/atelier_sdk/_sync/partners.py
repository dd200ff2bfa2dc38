"""The partner proxy: tasks that run at a partner. Starting one returns immediately; waiting polls it until it has ended, and
with a webhook_url the server calls back, so no caller has to wait."""

from __future__ import annotations

import time
import uuid
from typing import Any, Mapping, Optional

from .._core.asks import TRANSFER_SECONDS, Ask, segment
from .._core.deadline import Deadline
from .._core.sources import AssetSource, opened
from ..wire import (
    ImageToVideoRequest,
    PartnerATaskResult,
    PartnerBPrompt,
    RelightRequest,
    SkinEnhancerCreativeRequest,
    SkinEnhancerFaithfulRequest,
    SkinEnhancerFlexibleRequest,
    StorageTicket,
    TextToVideoRequest,
)
from .transport import Transport

WAIT_SECONDS = 1800.0


def _start(transport: Transport, path: str, input: Mapping[str, Any], key: Optional[str]) -> Any:
    ask = Ask(method="POST", json=input, idempotency_key=key or str(uuid.uuid4()), is_repeatable=True)
    return transport.json(path, ask)


class PartnerA:
    """Partner A: relight pictures and enhance skin."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def relight(self, input: RelightRequest, *, idempotency_key: Optional[str] = None) -> PartnerATaskResult:
        """Relights an image."""
        return self._begin("image-relight", input, idempotency_key)

    def enhance_skin(
        self, input: SkinEnhancerFlexibleRequest, *, idempotency_key: Optional[str] = None
    ) -> PartnerATaskResult:
        return self._begin("skin-enhancer/flexible", input, idempotency_key)

    def enhance_skin_creative(
        self, input: SkinEnhancerCreativeRequest, *, idempotency_key: Optional[str] = None
    ) -> PartnerATaskResult:
        return self._begin("skin-enhancer/creative", input, idempotency_key)

    def enhance_skin_faithful(
        self, input: SkinEnhancerFaithfulRequest, *, idempotency_key: Optional[str] = None
    ) -> PartnerATaskResult:
        return self._begin("skin-enhancer/faithful", input, idempotency_key)

    def get_relight(self, task_id: str, *, timeout: Optional[float] = None) -> PartnerATaskResult:
        return self._task("image-relight", task_id, timeout)

    def get_skin(self, task_id: str, *, timeout: Optional[float] = None) -> PartnerATaskResult:
        return self._task("skin-enhancer", task_id, timeout)

    def wait_for_relight(self, task_id: str, *, timeout: float = WAIT_SECONDS) -> PartnerATaskResult:
        return self._wait("image-relight", task_id, timeout)

    def wait_for_skin(self, task_id: str, *, timeout: float = WAIT_SECONDS) -> PartnerATaskResult:
        return self._wait("skin-enhancer", task_id, timeout)

    def _begin(self, kind: str, input: Mapping[str, Any], key: Optional[str]) -> PartnerATaskResult:
        task: PartnerATaskResult = _start(self._transport, f"/proxy/partner-a/v1/ai/{kind}", input, key)
        return task

    def _task(self, kind: str, task_id: str, timeout: Optional[float]) -> PartnerATaskResult:
        path = f"/proxy/partner-a/v1/ai/{kind}/{segment(task_id)}"
        task: PartnerATaskResult = self._transport.json(path, Ask(timeout=timeout))
        return task

    def _wait(self, kind: str, task_id: str, timeout: float) -> PartnerATaskResult:
        deadline = Deadline(timeout)
        pause = 0.5
        while True:
            task = self._task(kind, task_id, None)
            if task["data"]["status"] in ("COMPLETED", "FAILED"):
                return task
            deadline.check()
            time.sleep(deadline.remaining(pause))
            pause = min(5.0, pause * 1.5)


class PartnerB:
    """Partner B: films from text and pictures."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def text_to_video(self, input: TextToVideoRequest, *, idempotency_key: Optional[str] = None) -> PartnerBPrompt:
        """Makes a film from a text."""
        path = "/proxy/partner-b/prompts/text-to-video"
        prompt: PartnerBPrompt = _start(self._transport, path, input, idempotency_key)
        return prompt

    def image_to_video(
        self, input: ImageToVideoRequest, *, idempotency_key: Optional[str] = None
    ) -> PartnerBPrompt:
        path = "/proxy/partner-b/prompts/image-to-video"
        prompt: PartnerBPrompt = _start(self._transport, path, input, idempotency_key)
        return prompt

    def get(self, prompt_id: str, *, timeout: Optional[float] = None) -> PartnerBPrompt:
        path = f"/proxy/partner-b/prompts/{segment(prompt_id)}"
        prompt: PartnerBPrompt = self._transport.json(path, Ask(timeout=timeout))
        return prompt

    def wait(self, prompt_id: str, *, timeout: float = WAIT_SECONDS) -> PartnerBPrompt:
        deadline = Deadline(timeout)
        pause = 0.5
        while True:
            prompt = self.get(prompt_id)
            if prompt["status"] in ("completed", "error"):
                return prompt
            deadline.check()
            time.sleep(deadline.remaining(pause))
            pause = min(5.0, pause * 1.5)


class Partners:
    """Tasks at partners, and uploads for large pictures: ``atelier.partners``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.a = PartnerA(transport)
        self.b = PartnerB(transport)

    def storage(self, *, file_name: str, content_type: str, timeout: Optional[float] = None) -> StorageTicket:
        """A place to upload a large file, and the URL a partner can read it from."""
        json = {"file_name": file_name, "content_type": content_type}
        ask = Ask(method="POST", json=json, is_repeatable=True, timeout=timeout)
        ticket: StorageTicket = self._transport.json("/customers/storage", ask)
        return ticket

    def upload(
        self, source: AssetSource, *, file_name: str, content_type: str, timeout: Optional[float] = None
    ) -> str:
        """Uploads a picture for a partner and returns its URL."""
        ticket = self.storage(file_name=file_name, content_type=content_type)
        with opened(source) as file:
            ask = Ask(
                method="PUT",
                content=file.read_at(0, file.size),
                headers={"content-type": content_type},
                is_repeatable=True,
                usual_timeout=TRANSFER_SECONDS,
                timeout=timeout,
            )
            self._transport.send(ticket["upload_url"], ask)
        return ticket["download_url"]
