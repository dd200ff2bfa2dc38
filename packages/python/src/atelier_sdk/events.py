"""What happens to a job while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Optional, Union

if TYPE_CHECKING:
    from .wire import JobState, Output, Progress


@dataclass(frozen=True)
class StatusEvent:
    type: ClassVar[str] = "status"
    status: JobState
    queue_position: Optional[int]


@dataclass(frozen=True)
class ProgressEvent:
    type: ClassVar[str] = "progress"
    progress: Progress


@dataclass(frozen=True)
class PreviewEvent:
    type: ClassVar[str] = "preview"
    node_id: str
    content_type: str
    data: bytes


@dataclass(frozen=True)
class OutputEvent:
    type: ClassVar[str] = "output"
    output: Output


# Each output comes once, before the terminal status.
JobEvent = Union[StatusEvent, ProgressEvent, PreviewEvent, OutputEvent]
