"""v2 assets. Bytes that the workspace has are not sent again, if the package blake3 is installed. Large files go up in pieces
and survive a dropped connection, in both directions."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from typing import Any, AsyncIterator, Callable, Mapping, Optional, Sequence, Union

import httpx

from .._core.asks import TRANSFER_SECONDS, Ask, Form, given, segment
from .._core.failures_read import back_off
from .._core.moments import moment_in
from .._core.results import SharedUrl
from .._core.sources import AssetSource, Source, content_type_of, hash_of, opened
from ..errors import AtelierError, NotFound
from ..wire import Asset, Output
from .pages import walk
from .resumable_upload import Upload, resumable_upload
from .transport import AsyncTransport

RESUMABLE_FROM_BYTES = 32 * 1024 * 1024
DOWNLOAD_FAILURES_MAX = 8


class AsyncAssets:
    """v2 assets: ``atelier.assets``."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def put(
        self,
        source: AssetSource,
        *,
        file_path: Optional[str] = None,
        content_type: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        expires_in: Optional[int] = None,
        hash: Optional[str] = None,
        resumable_from_bytes: int = RESUMABLE_FROM_BYTES,
        on_address: Optional[Callable[[str], None]] = None,
        resume_from: Optional[str] = None,
        on_progress: Optional[Callable[[int, int], None]] = None,
        timeout: Optional[float] = None,
    ) -> Asset:
        """Stores bytes, the content of a path, or an open binary file.

        ``file_path`` is a bare name, or a path below a known root such as ``models/checkpoints/x.safetensors``.
        ``expires_in`` is in seconds. ``hash`` is ``blake3:`` and 64 hexadecimal digits, if you know it: the server checks
        it, and bytes that the workspace already has are not sent. Without it the bytes are hashed here if the package
        blake3 is installed, otherwise by the server. Above ``resumable_from_bytes`` the file goes up in pieces:
        ``on_address`` gets the URL of that upload, with which ``resume_from`` continues it.
        """
        with opened(source) as bytes_of:
            path = file_path or bytes_of.name
            kind = content_type or content_type_of(path)
            known_hash = hash or hash_of(bytes_of)
            if known_hash is not None and await self.has(known_hash, timeout=timeout):
                known = await self._from_hash(known_hash, path, tags, expires_in, timeout)
                if known is not None:
                    return known
            if bytes_of.size >= resumable_from_bytes:
                upload = Upload(
                    source=bytes_of,
                    file_path=path,
                    content_type=kind,
                    hash=known_hash,
                    tags=tags,
                    expires_in=expires_in,
                    on_address=on_address,
                    resume_from=resume_from,
                    on_progress=on_progress,
                    timeout=timeout,
                )
                link = await resumable_upload(self._transport, upload)
                large: Asset = await self._transport.json(link, Ask(timeout=timeout))
                return large
            fields = given(content_type=kind, file_path=path, expected_hash=known_hash)
            if tags is not None:
                fields["tags"] = list(tags)
            if expires_in is not None:
                fields["expires_in"] = str(expires_in)
            # The same bytes under the same name are the same asset, so a repeated request creates nothing new.
            ask = Ask(
                method="POST",
                form=_form(fields, bytes_of, path, kind),
                is_repeatable=True,
                usual_timeout=TRANSFER_SECONDS,
                timeout=timeout,
            )
            asset: Asset = await self._transport.json("/api/v2/assets", ask)
            if on_progress is not None:
                on_progress(bytes_of.size, bytes_of.size)
            return asset

    async def has(self, hash: str, *, timeout: Optional[float] = None) -> bool:
        """Whether the workspace has these bytes; ``hash`` is ``blake3:`` and 64 hexadecimal digits."""
        ask = Ask(method="HEAD", accept=(404,), timeout=timeout)
        return (await self._transport.send(f"/api/v2/assets/by-hash/{segment(hash)}", ask)).is_success

    async def get(self, id: str, *, timeout: Optional[float] = None) -> Asset:
        """An asset by its id, with a fresh URL."""
        asset: Asset = await self._transport.json(f"/api/v2/assets/{segment(id)}", Ask(timeout=timeout))
        return asset

    async def list(
        self,
        *,
        tag: Optional[str] = None,
        kind: Optional[str] = None,
        job_id: Optional[str] = None,
        source: Optional[str] = None,
        q: Optional[str] = None,
        hash: Optional[str] = None,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> AsyncIterator[Asset]:
        """Your assets, newest first. ``source`` is ``upload`` or ``output``; ``q`` part of the name."""
        query = {"tag": tag, "kind": kind, "job": job_id, "source": source, "q": q, "hash": hash, "limit": page_size}
        async for each in walk(self._transport, "/api/v2/assets", query, timeout):
            yield each

    async def change_tags(
        self,
        id: str,
        *,
        add: Optional[Sequence[str]] = None,
        remove: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
    ) -> Asset:
        """Adds and removes tags of an asset."""
        ask = Ask(method="PATCH", json=given(add=add, remove=remove), is_repeatable=True, timeout=timeout)
        asset: Asset = await self._transport.json(f"/api/v2/assets/{segment(id)}", ask)
        return asset

    async def delete(self, id: str, *, timeout: Optional[float] = None) -> None:
        """Deletes an asset. Its bytes go when nothing else uses them."""
        await self._transport.send(f"/api/v2/assets/{segment(id)}", Ask(method="DELETE", timeout=timeout))

    async def share(self, asset: Union[Asset, Output], *, timeout: Optional[float] = None) -> SharedUrl:
        """A URL to share: it works without a key until it expires. Ask for a fresh one each time you show it."""
        fresh = await self.get(asset["id"], timeout=timeout)
        expiry = fresh["url_expires_at"]
        return SharedUrl(fresh["url"], None if expiry is None else moment_in(expiry))

    async def download(self, of: Union[Asset, Output], *, timeout: Optional[float] = None) -> bytes:
        """All bytes of an asset or output."""
        async with self.open(of, timeout=timeout) as response:
            return await response.aread()

    @asynccontextmanager
    async def open(
        self,
        of: Union[Asset, Output],
        *,
        start: Optional[int] = None,
        end: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> AsyncIterator[httpx.Response]:
        """The bytes as they arrive, all of them or those from ``start`` up to and including ``end``."""
        headers = {} if start is None and end is None else {"range": f"bytes={start or 0}-{'' if end is None else end}"}
        # A fresh link each time: links expire.
        url: str = (await self._transport.json(of["urls"]["self"]))["url"]
        ask = Ask(headers=headers, usual_timeout=TRANSFER_SECONDS, timeout=timeout)
        async with self._transport.open(url, ask) as response:
            yield response

    async def save(
        self, of: Union[Asset, Output], path: Union[str, os.PathLike[str]], *, timeout: Optional[float] = None
    ) -> int:
        """Writes it to a file, piece by piece, and gives its size.

        When the connection breaks off, or the link expires on the way, it goes on with a fresh link where it was. The file
        has its name only once it is whole.
        """
        target = os.fspath(path)
        part = f"{target}.part"
        failures = 0
        with open(part, "wb") as file:
            while True:
                try:
                    at = file.tell()
                    async with self.open(of, start=at if at > 0 else None, timeout=timeout) as response:
                        if at > 0 and response.status_code != 206:
                            file.seek(0)
                            file.truncate()
                        async for piece in response.aiter_bytes():
                            file.write(piece)
                            failures = 0
                    size = file.tell()
                    break
                except AtelierError as failure:
                    failures += 1
                    if not failure.is_retryable or failures > DOWNLOAD_FAILURES_MAX:
                        raise
                await asyncio.sleep(back_off(failures))
        os.replace(part, target)
        return size

    async def _from_hash(
        self,
        hash: str,
        file_path: str,
        tags: Optional[Sequence[str]],
        expires_in: Optional[int],
        timeout: Optional[float],
    ) -> Optional[Asset]:
        json = given(hash=hash, file_path=file_path, tags=tags, expires_in=expires_in)
        ask = Ask(method="POST", json=json, is_repeatable=True, timeout=timeout)
        try:
            asset: Asset = await self._transport.json("/api/v2/assets/from-hash", ask)
            return asset
        except NotFound:
            return None


def _form(fields: Mapping[str, Any], source: Source, name: str, kind: str) -> Callable[[], Form]:
    return lambda: (dict(fields), (name, source.whole(), kind))
