"""Things that are changed with the ETag they were read with, and members that were not given."""

from __future__ import annotations

from typing import Any, Dict, Optional

import httpx


class NotGiven:
    """The default of members for which None has a meaning."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()


def matching(if_match: Optional[str]) -> Dict[str, str]:
    return {} if if_match is None else {"if-match": if_match}


def with_etag(response: httpx.Response) -> Any:
    return {**response.json(), "etag": response.headers.get("etag", "")}
