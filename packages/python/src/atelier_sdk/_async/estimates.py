"""What a run would cost before anything runs, and the node classes that graphs are made of."""

from __future__ import annotations

import os
from typing import Any, AsyncIterator, Dict, Optional, Union

from .._core.asks import Ask, given, segment
from ..graph import Graph, Workflow, files_in, reference_to_later, with_files_placed
from ..wire import GraphEstimate, NodeClass
from .pages import walk
from .transport import AsyncTransport


class AsyncEstimates:
    """Estimates: ``atelier.estimates``. A model's is ``atelier.models.estimate``."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def workflow(
        self,
        workflow: Union[Graph, Workflow],
        *,
        model_key: Optional[str] = None,
        deployment_id: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> GraphEstimate:
        """What a run of the graph would cost, node by node, and how long such graphs took.

        Nothing is submitted, and its files are not uploaded. ``deployment_id`` is the deployment that would run it; without
        it, the managed cloud.
        """
        graph = workflow.graph if isinstance(workflow, Workflow) else workflow
        placed = {id(file): reference_to_later(file.file_path or _name_of(file.source)) for file in files_in(graph)}
        extra = None if model_key is None else {"api_key_service": model_key}
        json = given(workflow=with_files_placed(graph, placed), extra_data=extra)
        query = {"deployment_id": deployment_id}
        ask = Ask(method="POST", json=json, query=query, is_repeatable=True, timeout=timeout)
        estimate: GraphEstimate = await self._transport.json("/account/estimates", ask)
        return estimate


def _name_of(source: Any) -> str:
    return os.path.basename(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else "file"


class AsyncClasses:
    """Node classes, the building blocks for graphs on this server, deployment or proxy: ``atelier.classes``."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        q: Optional[str] = None,
        category: Optional[str] = None,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> AsyncIterator[NodeClass]:
        """The classes, page by page; with ``q``, the best matches first."""
        query = {"q": q, "category": category, "limit": page_size}
        async for each in walk(self._transport, "/api/v2/node-classes", query, timeout):
            yield each

    async def get(self, name: str, *, timeout: Optional[float] = None) -> NodeClass:
        """One class with its inputs, outputs, price and where it runs."""
        found: NodeClass = await self._transport.json(f"/api/v2/node-classes/{segment(name)}", Ask(timeout=timeout))
        return found

    async def object_info(
        self, *, q: Optional[str] = None, category: Optional[str] = None, timeout: Optional[float] = None
    ) -> Dict[str, Any]:
        """The application's own description of the classes, by name, as in its GET /object_info."""
        query = {"q": q, "category": category, "format": "object_info"}
        info: Dict[str, Any] = await self._transport.json("/api/v2/node-classes", Ask(query=query, timeout=timeout))
        return info
