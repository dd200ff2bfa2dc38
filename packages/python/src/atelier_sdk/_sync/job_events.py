"""Follows a job: by the event stream while it works, by plain reads when it does not. It stops when the job itself says that
it has ended."""

from __future__ import annotations

import time
from typing import Iterator

from .._core.asks import Ask
from .._core.deadline import Deadline
from .._core.frames import FrameReader
from .._core.job_reading import SILENCE_SECONDS, Seen, has_ended, is_last
from ..errors import AtelierError
from ..events import JobEvent
from ..wire import Job
from .transport import Transport

# After that many streams without a frame the job is polled.
STREAM_FAILURES_MAX = 3


def job_events(transport: Transport, job: Job, deadline: Deadline) -> Iterator[JobEvent]:
    links = job["urls"]
    seen = Seen()
    failures = 0
    wait = 0.5
    while True:
        if failures < STREAM_FAILURES_MAX:
            frames = 0
            # Half of what is left, so that a silent stream never outlasts the wait.
            silence = max(0.5, min(SILENCE_SECONDS, deadline.remaining(2 * SILENCE_SECONDS) / 2))
            headers = {"accept": "text/event-stream"}
            if seen.last_id is not None:
                headers["last-event-id"] = seen.last_id
            try:
                reader = FrameReader()
                ask = Ask(headers=headers, max_retries=0, timeout=silence)
                with transport.open(links["events"], ask) as response:
                    for piece in response.iter_bytes():
                        for frame in reader.feed(piece):
                            if frame is None:
                                continue
                            frames += 1
                            event = seen.new_in(frame)
                            if event is None:
                                continue
                            yield event
                            if is_last(event):
                                return
                        if deadline.remaining(silence) < silence:
                            break
            except AtelierError as failure:
                # Cut off, silent, or refused for now: the job is read next.
                if failure.status in (401, 403, 404):
                    raise
            failures = 0 if frames > 0 else failures + 1
        current: Job = transport.json(links["self"])
        for event in seen.new_of(current):
            yield event
        if has_ended(current):
            return
        deadline.check()
        if failures < STREAM_FAILURES_MAX:
            time.sleep(deadline.remaining(0.1))
        else:
            time.sleep(deadline.remaining(wait))
            wait = min(5.0, wait * 1.5)
