"""Uploads a large file with the tus protocol: in pieces, each acknowledged. After a cut the server is asked where to resume."""

from __future__ import annotations

import time
import base64
from dataclasses import dataclass
from typing import Callable, Optional, Sequence

import httpx

from .._core.asks import TRANSFER_SECONDS, Ask, given
from .._core.failures_read import back_off
from .._core.sources import Source
from ..errors import AtelierError
from .transport import Transport

PIECE_BYTES = 16 * 1024 * 1024
FAILURES_MAX = 8
VERSION = {"tus-resumable": "1.0.0"}


@dataclass(frozen=True)
class Upload:
    source: Source
    file_path: str
    content_type: str
    hash: Optional[str]
    tags: Optional[Sequence[str]]
    expires_in: Optional[int]
    on_address: Optional[Callable[[str], None]]
    resume_from: Optional[str]
    on_progress: Optional[Callable[[int, int], None]]
    timeout: Optional[float]


def resumable_upload(transport: Transport, upload: Upload) -> str:
    """Gives the link to the new asset."""
    size = upload.source.size
    address, offset = upload.resume_from, 0
    if address is not None:
        asked = transport.send(address, Ask(method="HEAD", headers=VERSION, accept=(404, 410)))
        if not asked.is_success:
            # The upload is gone; the bytes go up again from the start.
            address = None
        elif "location" in asked.headers:
            return _required(asked, "location")
        else:
            offset = int(_required(asked, "upload-offset"))
    if address is None:
        address = _begin(transport, upload)
    if upload.on_address is not None:
        upload.on_address(address)
    if offset > 0 and upload.on_progress is not None:
        upload.on_progress(offset, size)
    failures = 0
    while True:
        try:
            answer = transport.send(
                address,
                Ask(
                    method="PATCH",
                    headers={
                        **VERSION,
                        "upload-offset": str(offset),
                        "content-type": "application/offset+octet-stream",
                    },
                    content=upload.source.read_at(offset, PIECE_BYTES),
                    usual_timeout=TRANSFER_SECONDS,
                    timeout=upload.timeout,
                    max_retries=0,
                ),
            )
            offset = int(_required(answer, "upload-offset"))
            failures = 0
            if upload.on_progress is not None:
                upload.on_progress(offset, size)
            if offset >= size:
                return _required(answer, "location")
        except AtelierError as failure:
            failures += 1
            if not _may_go_on(failure) or failures > FAILURES_MAX:
                raise
            time.sleep(back_off(failures))
            asked = transport.send(address, Ask(method="HEAD", headers=VERSION))
            offset = int(_required(asked, "upload-offset"))
            if offset >= size and "location" in asked.headers:
                return _required(asked, "location")


def _begin(transport: Transport, upload: Upload) -> str:
    metadata = given(
        file_path=upload.file_path,
        content_type=upload.content_type,
        expected_hash=upload.hash,
        tags=None if upload.tags is None else ",".join(upload.tags),
        expires_in=None if upload.expires_in is None else str(upload.expires_in),
    )
    pairs = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in metadata.items())
    headers = {**VERSION, "upload-length": str(upload.source.size), "upload-metadata": pairs}
    created = transport.send("/api/v2/uploads", Ask(method="POST", headers=headers, is_repeatable=True))
    return _required(created, "location")


def _may_go_on(failure: AtelierError) -> bool:
    # A wrong offset means that more, or less, arrived than was acknowledged.
    return failure.is_retryable or failure.status == 409 or failure.status >= 500


def _required(answer: httpx.Response, name: str) -> str:
    value = answer.headers.get(name)
    if not isinstance(value, str):
        raise RuntimeError(f"The server's response has no {name}.")
    return value
