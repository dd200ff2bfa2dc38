"""One request as a value: what to send, and how often it may be sent."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote, urlencode, urlsplit

QueryValue = Union[str, int, Sequence[str], None]
# The form's fields, and the file with its name and media type. Made anew for every attempt.
Form = Tuple[Dict[str, Union[str, List[str]]], Tuple[str, BinaryIO, str]]

# Spec, Limits: longer than the server's deadline of ten minutes, so that a deadline arrives as a typed 504.
RUN_SECONDS = 660.0
TRANSFER_SECONDS = 600.0
USUAL_SECONDS = 60.0

DEFAULT_URL = "http://127.0.0.1:8080"


@dataclass(frozen=True)
class Ask:
    method: str = "GET"
    query: Mapping[str, QueryValue] = field(default_factory=dict)
    json: Any = None
    content: Optional[bytes] = None
    form: Optional[Callable[[], Form]] = None
    headers: Mapping[str, str] = field(default_factory=dict)
    idempotency_key: Optional[str] = None
    # Whether it may be sent again if no answer came: reads, and everything under an idempotency key.
    is_repeatable: Optional[bool] = None
    # Statuses outside 2xx that the caller handles.
    accept: Tuple[int, ...] = ()
    max_retries: Optional[int] = None
    usual_timeout: float = USUAL_SECONDS
    timeout: Optional[float] = None

    @property
    def is_safe(self) -> bool:
        return self.method in ("GET", "HEAD") if self.is_repeatable is None else self.is_repeatable

    def seconds(self, of_the_client: Optional[float]) -> float:
        """The call's own limit, then the client's, then what such calls usually need."""
        if self.timeout is not None:
            return self.timeout
        return self.usual_timeout if of_the_client is None else of_the_client


def json_text(value: Any) -> str:
    """Integers keep all their digits; NaN and infinities, which JSON does not have, are refused here."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def segment(text: str) -> str:
    """One part of a path."""
    return quote(text, safe="")


def given(**members: Any) -> Dict[str, Any]:
    """The members that have a value."""
    return {name: value for name, value in members.items() if value is not None}


_local = re.compile(r"(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(/|$)", re.IGNORECASE)


def base_url_of(text: str) -> str:
    """A local address needs no scheme. For any other we do not guess whether TLS is meant."""
    url = f"http://{text}" if _local.match(text) else text
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f'"{text}" is not a server address; it must start with http:// or https://.')
    return url.rstrip("/")


def from_environment(name: str) -> Optional[str]:
    return os.environ.get(name) or None


def origin_of(url: str) -> Tuple[str, Optional[str], Optional[int]]:
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return (parts.scheme, parts.hostname, port)


def address_of(base_url: str, path: str, query: Mapping[str, QueryValue]) -> str:
    """The server's links are relative to its host and include any mount path; our own paths are relative to the address."""
    parts = urlsplit(base_url)
    origin = f"{parts.scheme}://{parts.netloc}"
    mount = parts.path.rstrip("/")
    if re.match(r"https?://", path):
        url = path
    elif mount and path.startswith(f"{mount}/"):
        url = f"{origin}{path}"
    else:
        url = f"{origin}{mount}{path}"
    pairs: List[Tuple[str, str]] = []
    for name, value in query.items():
        if value is None:
            continue
        values = [str(value)] if isinstance(value, (str, int)) else [str(each) for each in value]
        pairs.extend((name, each) for each in values)
    if not pairs:
        return url
    return f"{url}{'&' if urlsplit(url).query else '?'}{urlencode(pairs)}"
