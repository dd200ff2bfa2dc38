"""Failures as classes with facts.

The bucket decides the class, not the body, because a body may be HTML, truncated or empty. ``billed`` says what is known
about money, ``is_retryable`` whether repeating the call may help.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, FrozenSet, List, Optional, Type

if TYPE_CHECKING:
    from .wire import Job, RouterValidationEntry


@dataclass(frozen=True)
class FailureFacts:
    """Everything that is known about a failed answer."""

    status: int
    code: str
    message: str
    bucket: Optional[str] = None
    status_hint: Optional[str] = None
    request_id: Optional[str] = None
    retry_after: Optional[float] = None
    details: Any = None
    body_text: str = ""
    idempotency_key: Optional[str] = None
    credits_used: Optional[str] = None


class AtelierError(Exception):
    """A call that the server refused or could not finish. Every subclass is one bucket of the router or one code of v2."""

    def __init__(self, facts: FailureFacts) -> None:
        request = "" if facts.request_id is None else f" (request {facts.request_id})"
        super().__init__(f"{facts.message}{request}")
        self.facts = facts

    @property
    def status(self) -> int:
        """The HTTP status; 0 when no answer came."""
        return self.facts.status

    @property
    def code(self) -> str:
        """The most specific code: a reason of the queue, the router's bucket, or another area's code."""
        return self.facts.code

    @property
    def bucket(self) -> Optional[str]:
        """One of the router's fifteen buckets under /v1, ``internal_error`` if the answer names none; None elsewhere."""
        return self.facts.bucket

    @property
    def status_hint(self) -> Optional[str]:
        """What the status alone suggests, for answers from something in between. A guess, never the bucket."""
        return self.facts.status_hint

    @property
    def request_id(self) -> Optional[str]:
        """Quote it when you ask for help."""
        return self.facts.request_id

    @property
    def retry_after(self) -> Optional[float]:
        """Seconds after which the server wants to be asked again."""
        return self.facts.retry_after

    @property
    def details(self) -> Any:
        return self.facts.details

    @property
    def body_text(self) -> str:
        return self.facts.body_text

    @property
    def idempotency_key(self) -> Optional[str]:
        """The key to repeat the same call with."""
        return self.facts.idempotency_key

    @property
    def is_retryable(self) -> bool:
        """Whether the same call, under the same key, may succeed later."""
        return self.code in _retryable or (self.status == 429 and self.retry_after is not None)

    @property
    def billed(self) -> str:
        """Whether the failed call was charged: ``no``, ``yes``, or ``maybe`` where the answer did not say."""
        used = self.facts.credits_used
        # The server's figure wins; the code alone does not settle it.
        if used is not None and re.fullmatch(r"\d+(\.\d+)?", used):
            return "yes" if re.search("[1-9]", used) else "no"
        return "maybe" if self.code in _maybe_billed else "no"


_retryable: FrozenSet[str] = frozenset(
    "rate_limited concurrency_limit_exceeded service_unavailable internal_error client_disconnected connection_failed "
    "timed_out queue_full too_many_streams deployment_not_ready upstream_unreachable".split()
)

_maybe_billed: FrozenSet[str] = frozenset(
    "content_policy_violation provider_error provider_timeout deadline_exceeded client_disconnected internal_error "
    "connection_failed timed_out".split()
)

BUCKETS: FrozenSet[str] = frozenset(
    "invalid_input content_policy_violation provider_error provider_timeout insufficient_credits model_not_found "
    "unauthorized forbidden concurrency_limit_exceeded client_disconnected internal_error deadline_exceeded not_enabled "
    "service_unavailable rate_limited".split()
)


class InvalidInput(AtelierError):
    """The input was refused before anything ran. Never billed."""

    @property
    def fields(self) -> List[RouterValidationEntry]:
        """Each rejected field: ``loc``, ``msg``."""
        fields: List[RouterValidationEntry] = self.details if isinstance(self.details, list) else []
        return [each for each in fields if isinstance(each, dict) and "loc" in each and "msg" in each]


class Unauthorized(AtelierError):
    """No usable credential."""


class Forbidden(AtelierError):
    """The credential may not do this."""


class NotFound(AtelierError):
    """It does not exist, or belongs to another workspace."""


class ModelNotFound(NotFound):
    """No such model is served."""


class NotEnabled(AtelierError):
    """The router is switched off here."""


class ContentPolicyViolation(AtelierError):
    """The model refused on content-policy grounds."""


class InsufficientCredits(AtelierError):
    """The balance or a cap does not cover the call."""


# The router has no bucket for this, so it is recognised by the message, which names the header.
ABOVE_LIMIT = re.compile(r"can cost up to (\d[\d.]*) credits, and X-Service-Max-Credits allows (\d+(?:\.\d+)?)")


class PriceAboveLimit(AtelierError):
    """It could cost more than ``max_credits`` allows; nothing ran. ``details`` of a graph names its dearest nodes."""

    @property
    def highest(self) -> Optional[str]:
        """The most that it can cost, in decimal credits."""
        found = ABOVE_LIMIT.search(self.facts.message)
        return found.group(1) if found else None

    @property
    def limit(self) -> Optional[str]:
        found = ABOVE_LIMIT.search(self.facts.message)
        return found.group(2) if found else None


class RateLimited(AtelierError):
    """Too many requests; wait ``retry_after`` seconds."""


class ConcurrencyLimit(AtelierError):
    """Too many calls in flight at once."""


class ServiceUnavailable(AtelierError):
    """The service cannot answer right now."""


class ProviderError(AtelierError):
    """The provider failed."""


class ProviderTimeout(AtelierError):
    """The provider's own clock ran out."""


class DeadlineExceeded(AtelierError):
    """The server's deadline passed; the provider may still finish, and be charged."""


class InternalError(AtelierError):
    """A fault of the server, or an answer without a bucket."""


class InvalidWorkflow(AtelierError):
    """The graph cannot run; ``details["node_errors"]`` names the nodes."""


class EditorWorkflow(InvalidWorkflow):
    """The graph is the editor's export, and the server cannot convert it; ``details`` says why."""


class MissingAsset(AtelierError):
    """The graph names an asset that is not there."""


class HashMismatch(AtelierError):
    """The bytes do not hash to what was said."""


class IdempotencyKeyReuse(AtelierError):
    """The key belongs to another request."""


class Cancelled(AtelierError):
    """The queued call was cancelled; nothing was charged."""


class QueueTimeout(AtelierError):
    """The queued call waited for too long; nothing ran."""


class RequestNotFound(NotFound):
    """No such queued call, or its 24 hours are over."""


class QueueBacklogFull(RateLimited):
    """As many calls wait as may; come back after ``retry_after`` seconds."""


class CancelRefused(AtelierError):
    """The provider has the queued call and cannot be asked to stop: it goes on."""


class AlreadyCompleted(AtelierError):
    """The queued call had ended before it was to be cancelled."""


class RequestNotCompleted(AtelierError):
    """The queued call has no result yet; ``details`` says how it stands."""


class ConnectionFailed(AtelierError):
    """No answer came."""


class TimedOut(AtelierError, TimeoutError):
    """The time that this client allows passed."""


class JobFailed(Exception):
    """The job failed, was canceled or expired; ``job`` says more."""

    def __init__(self, job: Job) -> None:
        error: Dict[str, Any] = {**(job.get("error") or {})}
        where = f" at node {error['node_id']}" if error.get("node_id") else ""
        if where and error.get("class_type"):
            where = f"{where} ({error['class_type']})"
        said = f": {error['message']}" if error.get("message") else ""
        super().__init__(f"Job {job['id']} {job['status']}{where}{said}")
        self.job = job


CLASSES: Dict[str, Type[AtelierError]] = {
    "invalid_input": InvalidInput,
    "invalid_request": InvalidInput,
    "invalid_body": InvalidInput,
    "unauthorized": Unauthorized,
    "forbidden": Forbidden,
    "model_not_found": ModelNotFound,
    "not_found": NotFound,
    "blob_not_found": NotFound,
    "output_unavailable": NotFound,
    "not_enabled": NotEnabled,
    "content_policy_violation": ContentPolicyViolation,
    "insufficient_credits": InsufficientCredits,
    "rate_limited": RateLimited,
    "queue_full": RateLimited,
    "too_many_streams": RateLimited,
    "quota_exceeded": RateLimited,
    "concurrency_limit_exceeded": ConcurrencyLimit,
    "service_unavailable": ServiceUnavailable,
    "upstream_unreachable": ServiceUnavailable,
    "deployment_not_ready": ServiceUnavailable,
    "provider_error": ProviderError,
    "provider_timeout": ProviderTimeout,
    "deadline_exceeded": DeadlineExceeded,
    "internal_error": InternalError,
    "invalid_workflow": InvalidWorkflow,
    "workflow_format_ui": EditorWorkflow,
    "missing_asset": MissingAsset,
    "hash_mismatch": HashMismatch,
    "idempotency_key_reuse": IdempotencyKeyReuse,
    "price_above_limit": PriceAboveLimit,
    "cancelled": Cancelled,
    "queue_timeout": QueueTimeout,
    "request_not_found": RequestNotFound,
    "queue_backlog_full": QueueBacklogFull,
    "cancel_refused": CancelRefused,
    "already_completed": AlreadyCompleted,
}
