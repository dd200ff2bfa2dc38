"""How long a wait may take."""

from __future__ import annotations

import time
from typing import Optional

from ..errors import FailureFacts, TimedOut


class Deadline:
    def __init__(self, seconds: Optional[float], what: str = "wait") -> None:
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._what = what

    def remaining(self, at_most: float) -> float:
        """The seconds left, or `at_most` if more are."""
        if self._ends is None:
            return at_most
        return max(0.0, min(at_most, self._ends - time.monotonic()))

    def check(self) -> None:
        if self._ends is not None and time.monotonic() >= self._ends:
            message = f"The {self._what} timed out. What was submitted goes on; its id finds it again."
            raise TimedOut(FailureFacts(status=0, code="timed_out", message=message))
