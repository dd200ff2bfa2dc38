"""Receives webhooks: checks the Standard Webhooks signature, HMAC-SHA256 over id, time and body, in constant time."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Optional, Sequence, Union


class WebhookRefused(Exception):
    """Why a webhook was not accepted."""


def unwrap(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> Any:
    """Checks a webhook and gives what it says. ``secret`` may be a list while secrets rotate.

    ``body`` is what arrived, byte for byte; ``headers`` any mapping of a web framework. A webhook that is more than
    ``tolerance`` seconds old or early is refused.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    id_, sent, signatures = (_header(lower, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    current = time.time() if now is None else now
    if not (sent.isascii() and sent.isdigit()) or abs(current - int(sent)) > tolerance:
        raise WebhookRefused("The webhook's timestamp is too old or in the future.")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{id_}.{sent}.".encode() + content
    given = [_bytes_of(each[3:]) for each in signatures.split(" ") if each.startswith("v1,")]
    is_right = False
    # Every secret and every signature is compared, so that the time tells nothing about which of them fit.
    for each in [secret] if isinstance(secret, str) else secret:
        right = hmac.new(_key_of(each), signed, hashlib.sha256).digest()
        for signature in given:
            is_right |= signature is not None and hmac.compare_digest(signature, right)
    if not is_right:
        raise WebhookRefused("The webhook's signature is invalid.")
    return json.loads(content)


def _key_of(secret: str) -> bytes:
    key = _bytes_of(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    if key is None:
        raise WebhookRefused("The webhook secret is invalid; secrets start with whsec_.")
    return key


def _bytes_of(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not isinstance(value, str) or value == "":
        raise WebhookRefused(f"The header {name} is missing.")
    return value
