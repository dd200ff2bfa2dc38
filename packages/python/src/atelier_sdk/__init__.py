"""The Python client of the Atelier generation platform.

>>> from atelier_sdk import Atelier
>>> atelier = Atelier()  # ATELIER_URL, ATELIER_API_KEY
>>> atelier.models.run("sandbox/text-1", {"prompt": "a haiku about tea"}).data  # doctest: +SKIP
"""

from __future__ import annotations

from . import wire
from ._async.badges import AsyncBadges
from ._async.client import AsyncAtelier
from ._async.jobs import AsyncJobHandle
from ._async.model_requests import AsyncModelRequestHandle
from ._core.asks import json_text as write_json
from ._core.job_reading import has_ended
from ._core.results import ModelEvent, ModelResult, SharedUrl
from ._sync.badges import Badges
from ._sync.client import Atelier
from ._sync.jobs import JobHandle
from ._sync.model_requests import ModelRequestHandle
from .errors import (
    AlreadyCompleted,
    AtelierError,
    Cancelled,
    CancelRefused,
    ConcurrencyLimit,
    ConnectionFailed,
    ContentPolicyViolation,
    DeadlineExceeded,
    EditorWorkflow,
    Forbidden,
    HashMismatch,
    IdempotencyKeyReuse,
    InsufficientCredits,
    InternalError,
    InvalidInput,
    InvalidWorkflow,
    JobFailed,
    MissingAsset,
    ModelNotFound,
    NotEnabled,
    NotFound,
    PriceAboveLimit,
    ProviderError,
    ProviderTimeout,
    QueueBacklogFull,
    QueueTimeout,
    RateLimited,
    RequestNotCompleted,
    RequestNotFound,
    ServiceUnavailable,
    TimedOut,
    Unauthorized,
)
from .events import JobEvent, OutputEvent, PreviewEvent, ProgressEvent, StatusEvent
from .graph import Graph, GraphFile, WorkCall, Workflow, reference_to
from .kept import KeptForm, KeptWorkflow, MadeToken, PublishedWork
from .webhooks import WebhookRefused, unwrap

__all__ = [
    "AlreadyCompleted",
    "AsyncAtelier",
    "AsyncBadges",
    "AsyncJobHandle",
    "AsyncModelRequestHandle",
    "Atelier",
    "AtelierError",
    "Badges",
    "CancelRefused",
    "Cancelled",
    "ConcurrencyLimit",
    "ConnectionFailed",
    "ContentPolicyViolation",
    "DeadlineExceeded",
    "EditorWorkflow",
    "Forbidden",
    "Graph",
    "GraphFile",
    "HashMismatch",
    "IdempotencyKeyReuse",
    "InsufficientCredits",
    "InternalError",
    "InvalidInput",
    "InvalidWorkflow",
    "JobEvent",
    "JobFailed",
    "JobHandle",
    "KeptForm",
    "KeptWorkflow",
    "MadeToken",
    "MissingAsset",
    "ModelEvent",
    "ModelNotFound",
    "ModelRequestHandle",
    "ModelResult",
    "NotEnabled",
    "NotFound",
    "OutputEvent",
    "PreviewEvent",
    "PriceAboveLimit",
    "ProgressEvent",
    "ProviderError",
    "ProviderTimeout",
    "PublishedWork",
    "QueueBacklogFull",
    "QueueTimeout",
    "RateLimited",
    "RequestNotCompleted",
    "RequestNotFound",
    "ServiceUnavailable",
    "SharedUrl",
    "StatusEvent",
    "TimedOut",
    "Unauthorized",
    "WebhookRefused",
    "WorkCall",
    "Workflow",
    "has_ended",
    "reference_to",
    "unwrap",
    "wire",
    "write_json",
]
