"""The node registry: find, read, install and publish nodes."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, List, Mapping, Optional, cast

from .._core.asks import TRANSFER_SECONDS, Ask, given, segment
from .._core.sources import AssetSource, opened
from ..errors import AtelierError
from ..wire import Node, NodePage, NodeVersion, PublishedNodeVersion, Publisher
from .transport import AsyncTransport


class AsyncRegistry:
    """The node registry: ``atelier.registry``."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def search(
        self,
        words: str,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        supported_os: Optional[str] = None,
        supported_accelerator: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> NodePage:
        """Finds nodes by words; typing errors are forgiven."""
        query = {
            "search": words,
            "page": page,
            "limit": limit,
            "supported_os": supported_os,
            "supported_accelerator": supported_accelerator,
        }
        found: NodePage = await self._transport.json("/nodes/search", Ask(query=query, timeout=timeout))
        return found

    async def list(
        self, *, page_size: Optional[int] = None, timeout: Optional[float] = None
    ) -> AsyncIterator[Node]:
        """Every node, page by page."""
        page = 1
        while True:
            ask = Ask(query={"page": page, "limit": page_size}, timeout=timeout)
            answer: NodePage = await self._transport.json("/nodes", ask)
            for node in answer["nodes"]:
                yield node
            if page >= answer["totalPages"]:
                return
            page += 1

    async def get(self, node_id: str, *, timeout: Optional[float] = None) -> Node:
        node: Node = await self._transport.json(f"/nodes/{segment(node_id)}", Ask(timeout=timeout))
        return node

    async def versions(self, node_id: str, *, timeout: Optional[float] = None) -> List[NodeVersion]:
        path = f"/nodes/{segment(node_id)}/versions"
        versions: List[NodeVersion] = await self._transport.json(path, Ask(timeout=timeout))
        return versions

    async def install(
        self, node_id: str, *, version: Optional[str] = None, timeout: Optional[float] = None
    ) -> NodeVersion:
        """The version to install, with its download address. It counts as a download."""
        ask = Ask(query={"version": version}, timeout=timeout)
        found: NodeVersion = await self._transport.json(f"/nodes/{segment(node_id)}/install", ask)
        return found

    async def publisher(self, publisher_id: str, *, timeout: Optional[float] = None) -> Publisher:
        publisher: Publisher = await self._transport.json(f"/publishers/{segment(publisher_id)}", Ask(timeout=timeout))
        return publisher

    async def create_publisher(
        self, publisher: Mapping[str, Any], *, timeout: Optional[float] = None
    ) -> Publisher:
        """Needs at least ``id`` and ``name``."""
        ask = Ask(method="POST", json=publisher, timeout=timeout)
        made: Publisher = await self._transport.json("/publishers", ask)
        return made

    async def create_node(
        self, publisher_id: str, node: Mapping[str, Any], *, timeout: Optional[float] = None
    ) -> Node:
        """Needs at least ``id`` and ``name``."""
        ask = Ask(method="POST", json=node, timeout=timeout)
        made: Node = await self._transport.json(f"/publishers/{segment(publisher_id)}/nodes", ask)
        return made

    async def publish(
        self,
        publisher_id: str,
        node_id: str,
        version: Mapping[str, Any],
        archive: AssetSource,
        *,
        node: Optional[Mapping[str, Any]] = None,
        token: Optional[str] = None,
    ) -> NodeVersion:
        """Publishes a version: announces it, uploads the archive, and gives the version with what the checks said.

        ``version`` needs at least ``version``. ``token`` is a publisher token; without one the client's own key is used.
        """
        path = f"/publishers/{segment(publisher_id)}/nodes/{segment(node_id)}/versions"
        json = given(node=node or {}, node_version=version, personal_access_token=token)
        made: PublishedNodeVersion = await self._transport.json(path, Ask(method="POST", json=json))
        with opened(archive) as file:
            upload = Ask(
                method="PUT",
                content=file.read_at(0, file.size),
                headers={"content-type": "application/zip"},
                is_repeatable=True,
                usual_timeout=TRANSFER_SECONDS,
            )
            verdict: Dict[str, Any] = await self._transport.json(made["signedUrl"], upload)
        number = made["node_version"].get("version") or ""
        shown: Dict[str, Any] = {}
        try:
            shown = await self._transport.json(f"/nodes/{segment(node_id)}/versions/{segment(number)}")
        except AtelierError as failure:
            # A bare token cannot read the findings or a private node later, so the answer to the upload has to do.
            if failure.status not in (401, 404):
                raise
        return cast(NodeVersion, {**made["node_version"], **verdict, **shown})
