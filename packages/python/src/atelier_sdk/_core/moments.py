"""Times, as the wire has them: RFC 3339 in UTC with milliseconds."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Union

Moment = Union[datetime, str]


def moment_in(text: str) -> datetime:
    # Python 3.9 does not read the Z.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def moment_text(moment: Moment) -> str:
    """A datetime without a time zone is refused: nobody can know which moment it means."""
    given = moment_in(moment) if isinstance(moment, str) else moment
    if given.tzinfo is None:
        raise ValueError("The time needs a time zone, such as datetime.now(timezone.utc).")
    return given.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
