"""What a model answered, and other answers with facts that are not in their body."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Optional

import httpx


@dataclass(frozen=True)
class ModelResult:
    """A model's answer and its metadata."""

    data: Any
    """The provider's JSON, integers exact; None if the output is not JSON."""
    content_type: str
    content: bytes
    """The answer's exact bytes."""
    request_id: Optional[str]
    is_replay: bool
    """True if this key was answered before."""
    credits_used: Optional[str]
    """Credits as a decimal text, as the server sends it."""
    idempotency_key: Optional[str]
    """The key of the call; None if the answer was fetched by the id of a queued call."""


@dataclass(frozen=True)
class ModelEvent:
    """One event of a model's stream, as the provider sent it."""

    event: str
    id: Optional[str]
    data: str

    def json(self) -> Any:
        """Its data as JSON; None where it is none, such as ``[DONE]``."""
        try:
            return json.loads(self.data)
        except ValueError:
            return None


@dataclass(frozen=True)
class SharedUrl:
    """A URL that works without a key, and when it expires; None if the surface has no such URLs."""

    url: str
    expires_at: Optional[datetime]


def result_of(response: httpx.Response, idempotency_key: Optional[str]) -> ModelResult:
    content_type = response.headers.get("content-type", "")
    is_json = re.match(r"application/(?:[\w.+-]+\+)?json\b", content_type, re.IGNORECASE) is not None
    return ModelResult(
        data=response.json() if is_json else None,
        content_type=content_type,
        content=response.content,
        request_id=response.headers.get("x-service-request-id"),
        is_replay=response.headers.get("idempotent-replayed") == "true",
        credits_used=response.headers.get("x-service-credits-used"),
        idempotency_key=idempotency_key,
    )
