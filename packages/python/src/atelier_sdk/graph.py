"""Graphs with files as inputs. The files are uploaded when the graph is submitted."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._core.sources import AssetSource

# A graph in API format, nodes by id; or what the editor saves, which the server converts if it knows every node class.
Graph = Mapping[str, Any]


@dataclass(frozen=True)
class GraphFile:
    """A file in a graph or in the inputs of a work, uploaded on submission.

    ``source`` is a path, bytes or an open binary file.
    """

    source: AssetSource
    file_path: Optional[str] = None
    content_type: Optional[str] = None
    tags: Optional[Sequence[str]] = None
    expires_in: Optional[int] = None
    hash: Optional[str] = field(default=None)


class Workflow:
    """A graph to fill in. The graph it was made from never changes.

    >>> Workflow({"6": {"class_type": "Text", "inputs": {}}}).set("6", "text", "a red fox").graph["6"]["inputs"]
    {'text': 'a red fox'}
    """

    def __init__(self, graph: Graph) -> None:
        self.graph: Dict[str, Any] = copy.deepcopy(dict(graph))

    def set(self, node_id: str, name: str, value: Any) -> Workflow:
        """Sets one input of one node. The node must exist."""
        node = self.graph.get(node_id)
        if node is None:
            raise KeyError(f"The graph has no node {node_id}.")
        self.graph[node_id] = {**node, "inputs": {**node["inputs"], name: value}}
        return self


@dataclass(frozen=True)
class WorkCall:
    """A work to run as a job, ``w.acme/lighthouse`` or a version of it, ``w.acme/lighthouse.v3``, with its inputs."""

    work: str
    inputs: Mapping[str, Any] = field(default_factory=dict)


def reference_to(asset: Mapping[str, Any]) -> Dict[str, Any]:
    """How a graph refers to an asset."""
    return {"__type": "core/ASSET", "info": {"id": asset["id"]}}


def reference_to_later(file_path: str) -> Dict[str, Any]:
    """How an estimated graph refers to a file that is uploaded only on submission."""
    return {"__type": "core/ASSET", "info": {"file_path": file_path}}


Submittable = Union[Graph, Workflow, WorkCall]


def files_in(value: Any) -> List[GraphFile]:
    """Every file of a graph."""
    if isinstance(value, GraphFile):
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [file for each in value for file in files_in(each)]
    return []


def with_files_placed(value: Any, placed: Mapping[int, Any]) -> Any:
    """The graph with what stands for each file: `placed` has it by the id of the `GraphFile`."""
    if isinstance(value, GraphFile):
        return placed[id(value)]
    if isinstance(value, Mapping):
        return {name: with_files_placed(each, placed) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [with_files_placed(each, placed) for each in value]
    return value
