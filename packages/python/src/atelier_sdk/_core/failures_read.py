"""Reads a failed answer, and decides whether to send the request again."""

from __future__ import annotations

import json
import random
import re
from typing import Any, Dict, Mapping, Optional

import httpx

from ..errors import (
    ABOVE_LIMIT,
    BUCKETS,
    CLASSES,
    AtelierError,
    ConnectionFailed,
    FailureFacts,
    NotFound,
    PriceAboveLimit,
    TimedOut,
)

_by_status = {
    401: "unauthorized",
    402: "insufficient_credits",
    403: "forbidden",
    404: "not_found",
    429: "rate_limited",
    503: "service_unavailable",
}


def failure_of(response: httpx.Response, *, idempotency_key: Optional[str], is_routers: bool) -> AtelierError:
    """A failed answer, whose body has been read, as an error."""
    body_text = response.text
    said = _read_body(body_text)
    hint = _by_status.get(response.status_code)
    # Spec, Errors rule 2: a missing bucket header means internal_error, whatever the status and body suggest.
    bucket: Optional[str] = None
    if is_routers:
        word = response.headers.get("x-service-error-type")
        bucket = word if word in BUCKETS else "internal_error"
    reason = response.headers.get("x-service-error-reason")
    code: str = (said.get("code") or hint or "internal_error") if bucket is None else (reason or bucket)
    facts = FailureFacts(
        status=response.status_code,
        code=code,
        bucket=bucket,
        status_hint=hint,
        message=said.get("message") or f"The server responded with status {response.status_code}.",
        request_id=response.headers.get("x-service-request-id"),
        retry_after=retry_after_of(response.headers),
        details=said.get("details"),
        body_text=body_text,
        idempotency_key=idempotency_key,
        credits_used=response.headers.get("x-service-credits-used"),
    )
    if response.status_code == 422 and ABOVE_LIMIT.search(facts.message):
        return PriceAboveLimit(facts)
    known = CLASSES.get(code) or (CLASSES.get(bucket) if bucket else None)
    return (known or (NotFound if response.status_code == 404 else AtelierError))(facts)


def failure_in_stream(data: str, response: httpx.Response, idempotency_key: Optional[str]) -> AtelierError:
    """A failure after the first byte of a stream comes as an event with the router's body."""
    said = _read_body(data)
    code = said.get("code") or "internal_error"
    facts = FailureFacts(
        status=response.status_code,
        code=code,
        bucket=code if code in BUCKETS else "internal_error",
        message=said.get("message") or "The stream ended with an error.",
        request_id=response.headers.get("x-service-request-id"),
        details=said.get("details"),
        body_text=data,
        idempotency_key=idempotency_key,
    )
    return CLASSES.get(code, AtelierError)(facts)


def no_answer(thrown: Exception, idempotency_key: Optional[str]) -> AtelierError:
    """The connection failed, or the time was over."""
    if isinstance(thrown, httpx.TimeoutException):
        return TimedOut(
            FailureFacts(status=0, code="timed_out", message="The request timed out.", idempotency_key=idempotency_key)
        )
    message = f"The server cannot be reached: {thrown or type(thrown).__name__}."
    return ConnectionFailed(
        FailureFacts(status=0, code="connection_failed", message=message, idempotency_key=idempotency_key)
    )


def may_repeat(failure: AtelierError, is_safe: bool) -> bool:
    """A refusal that says when to come back did nothing. Any other failure may have done something, so the call is sent
    again only if a repetition counts as the same call."""
    if not failure.is_retryable:
        return False
    return is_safe or (failure.retry_after is not None and failure.status != 0 and failure.code != "internal_error")


def wait_seconds(failure: AtelierError, attempt: int) -> float:
    return back_off(attempt) if failure.retry_after is None else min(failure.retry_after, 60.0)


def back_off(attempt: int) -> float:
    """With jitter, so that many clients do not all come back at the same moment."""
    return min(8.0, 0.5 * float(2**attempt)) * (0.75 + random.random() / 2)


def retry_after_of(headers: Mapping[str, str]) -> Optional[float]:
    text = headers.get("retry-after", "").strip()
    return float(text) if re.fullmatch(r"\d{1,9}", text) else None


def _read_body(text: str) -> Dict[str, Any]:
    """The four bodies of the wire: the router's two, v2's and the generic one."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(body, dict):
        return {}
    detail, error = body.get("detail"), body.get("error")
    if isinstance(detail, list):
        fields = [each for each in detail if _is_entry(each)]
        message = "; ".join(_sentence(each) for each in fields)
        return {"code": "invalid_input", "message": message, "details": fields}
    if isinstance(detail, str):
        return {"message": detail, "code": body.get("error_type")}
    if isinstance(error, dict) and isinstance(error.get("code"), str):
        return {"code": error["code"], "message": str(error.get("message") or ""), "details": error.get("details")}
    if isinstance(error, str):
        return {"code": error, "message": str(body.get("message") or error), "details": body.get("details")}
    return {}


def _is_entry(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("loc"), list) and isinstance(value.get("msg"), str)


def _sentence(entry: Dict[str, Any]) -> str:
    where = ".".join(str(part) for part in entry["loc"][1:]) or "body"
    return f"{where}: {entry['msg']}"


