"""Headers of a call: the most it may cost, and what usage and budgets count it under."""

from __future__ import annotations

import json
from decimal import ROUND_DOWN, Decimal
from typing import Dict, Mapping, Optional, Union

# Credits: a decimal text as the server sends it, or a number.
Credits = Union[str, int, float, Decimal]


def decimal_text(credits: Credits) -> str:
    """Never an exponent, and no more digits than a credit has. Rounded down, so that never more is allowed than was said."""
    if isinstance(credits, str):
        return credits
    amount = Decimal(repr(credits)) if isinstance(credits, float) else Decimal(credits)
    if not amount.is_finite():
        raise ValueError(f"max_credits must be an amount, not {credits}.")
    text = format(amount.quantize(Decimal("0.000001"), rounding=ROUND_DOWN), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def call_headers(
    max_credits: Optional[Credits] = None,
    tags: Optional[Mapping[str, str]] = None,
    end_user: Optional[str] = None,
) -> Dict[str, str]:
    headers: Dict[str, str] = {}
    if max_credits is not None:
        headers["x-service-max-credits"] = decimal_text(max_credits)
    if tags is not None:
        # ASCII, which every header can carry.
        headers["x-service-tags"] = json.dumps(dict(tags), separators=(",", ":"))
    if end_user is not None:
        headers["x-service-end-user"] = end_user
    return headers
