"""Tells what is new about a job. The stream is never the truth (Spec, v2 design rule 1): what it misses is read from the job."""

from __future__ import annotations

import base64
import json
from typing import Any, Dict, Iterator, List, Mapping, Optional, Set, Union

from ..events import JobEvent, OutputEvent, PreviewEvent, ProgressEvent, StatusEvent
from ..wire import Job
from .frames import Frame

_terminal = frozenset(["succeeded", "failed", "canceled", "expired"])

# The server sends a sign of life every 15 s.
SILENCE_SECONDS = 45.0


def has_ended(job: Union[Job, Mapping[str, Any]]) -> bool:
    """Whether the job succeeded, failed, was canceled or expired."""
    return job["status"] in _terminal


def is_last(event: JobEvent) -> bool:
    return isinstance(event, StatusEvent) and event.status in _terminal


class Seen:
    def __init__(self) -> None:
        self.last_id: Optional[str] = None
        self._outputs: Set[str] = set()
        self._last: Dict[str, str] = {}

    def new_in(self, frame: Frame) -> Optional[JobEvent]:
        if frame.id is not None:
            self.last_id = frame.id
        event = read_event(frame)
        return event if event is not None and self._is_new(event) else None

    def new_of(self, job: Job) -> Iterator[JobEvent]:
        status = StatusEvent(job["status"], job["queue_position"])
        progress = job["progress"]
        others: List[JobEvent] = [] if progress is None else [ProgressEvent(progress)]
        others.extend(OutputEvent(output) for output in job["outputs"])
        # Outputs before the terminal status, in the same order as the stream.
        for event in [*others, status] if has_ended(job) else [status, *others]:
            if self._is_new(event):
                yield event

    def _is_new(self, event: JobEvent) -> bool:
        if isinstance(event, PreviewEvent):
            return True
        if isinstance(event, OutputEvent):
            is_first = event.output["id"] not in self._outputs
            self._outputs.add(event.output["id"])
            return is_first
        text = repr(event)
        is_other = self._last.get(event.type) != text
        self._last[event.type] = text
        return is_other


def read_event(frame: Frame) -> Optional[JobEvent]:
    try:
        data: Any = json.loads(frame.data)
        if frame.event == "status":
            return StatusEvent(data["status"], data.get("queue_position"))
        if frame.event == "progress":
            return ProgressEvent(data)
        if frame.event == "output":
            return OutputEvent(data)
        if frame.event == "preview":
            picture = base64.b64decode(data["data_base64"])
            return PreviewEvent(str(data["node_id"]), str(data["content_type"]), picture)
    except (ValueError, KeyError, TypeError):
        return None
    return None
