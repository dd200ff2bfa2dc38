"""Workflows that the workspace keeps: by name, in folders, with every version."""

from __future__ import annotations

import json as json_module
from typing import Any, Iterator, Dict, Mapping, Optional, Sequence, Union

from .._core.asks import Ask, given, json_text, segment
from .._core.etags import matching, with_etag
from ..kept import KeptForm, KeptWorkflow
from ..wire import SavedWorkflow, WorkflowDiff, WorkflowForm, WorkflowVersion, WorkForm
from .pages import walk
from .transport import Transport

PATH = "/account/workflows"


def _at(id: str, end: str = "") -> str:
    return f"{PATH}/{segment(id)}{end}"


class SavedWorkflows:
    """Saved workflows: ``atelier.workflows``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        q: Optional[str] = None,
        folder: Optional[str] = None,
        tag: Optional[str] = None,
        class_type: Optional[str] = None,
        archived: Optional[bool] = None,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[SavedWorkflow]:
        """The saved workflows, last changed first; all that are not archived by default.

        ``q`` is words that must all occur, at least by their beginning; ``class_type`` a class that a node must have.
        """
        flag = None if archived is None else str(archived).lower()
        query = {"q": q, "folder": folder, "tag": tag, "class": class_type, "archived": flag, "limit": page_size}
        for each in walk(self._transport, PATH, query, timeout):
            yield each

    def save(
        self,
        name: str,
        source: Union[str, Mapping[str, Any], None] = None,
        *,
        job_id: Optional[str] = None,
        folder: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        note: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> KeptWorkflow:
        """Saves a workflow under a name: a graph, its JSON text, which is kept byte for byte, or what a job ran."""
        members = given(name=name, folder=folder, tags=tags, note=note)
        ask = Ask(method="POST", headers=_json_type({}), content=_posted(members, source, job_id), timeout=timeout)
        kept: KeptWorkflow = with_etag(self._transport.send(PATH, ask))
        return kept

    def get(self, id: str, *, timeout: Optional[float] = None) -> KeptWorkflow:
        kept: KeptWorkflow = with_etag(self._transport.send(_at(id), Ask(timeout=timeout)))
        return kept

    def change(
        self,
        id: str,
        *,
        name: Optional[str] = None,
        folder: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        archived: Optional[bool] = None,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> KeptWorkflow:
        """Renames, moves, tags, archives or brings back. Refused with 412 if ``if_match`` is no longer its ETag."""
        json = given(name=name, folder=folder, tags=tags, archived=archived)
        ask = Ask(method="PATCH", json=json, headers=matching(if_match), timeout=timeout)
        kept: KeptWorkflow = with_etag(self._transport.send(_at(id), ask))
        return kept

    def delete(self, id: str, *, timeout: Optional[float] = None) -> None:
        """Deletes an archived workflow with all its versions."""
        self._transport.send(_at(id), Ask(method="DELETE", timeout=timeout))

    def duplicate(
        self, id: str, name: str, *, folder: Optional[str] = None, timeout: Optional[float] = None
    ) -> KeptWorkflow:
        ask = Ask(method="POST", json=given(name=name, folder=folder), timeout=timeout)
        kept: KeptWorkflow = with_etag(self._transport.send(_at(id, "/duplicate"), ask))
        return kept

    def versions(
        self, id: str, *, page_size: Optional[int] = None, timeout: Optional[float] = None
    ) -> Iterator[WorkflowVersion]:
        """The versions, the latest first."""
        for each in walk(self._transport, _at(id, "/versions"), {"limit": page_size}, timeout):
            yield each

    def save_version(
        self,
        id: str,
        source: Union[str, Mapping[str, Any], None] = None,
        *,
        job_id: Optional[str] = None,
        note: Optional[str] = None,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> WorkflowVersion:
        """Saves the next version. The very bytes of the latest one make none."""
        content = _posted(given(note=note), source, job_id)
        ask = Ask(method="POST", headers=_json_type(matching(if_match)), content=content, timeout=timeout)
        version: WorkflowVersion = self._transport.json(_at(id, "/versions"), ask)
        return version

    def restore(
        self,
        id: str,
        version: int,
        *,
        note: Optional[str] = None,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> WorkflowVersion:
        """Repeats an earlier version as the latest one."""
        ask = Ask(method="POST", json=given(restore=version, note=note), headers=matching(if_match), timeout=timeout)
        made: WorkflowVersion = self._transport.json(_at(id, "/versions"), ask)
        return made

    def text(
        self,
        id: str,
        *,
        version: Optional[int] = None,
        format: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> str:
        """The document's text, byte for byte as saved, or converted to the graph that jobs run (``format="api"``)."""
        path = _at(id, f"/versions/{'latest' if version is None else version}/document")
        return (self._transport.send(path, Ask(query={"format": format}, timeout=timeout))).text

    def graph(
        self, id: str, *, version: Optional[int] = None, timeout: Optional[float] = None
    ) -> Dict[str, Any]:
        """The graph that jobs run: ``atelier.jobs.run(atelier.workflows.graph(id))``."""
        graph: Dict[str, Any] = json_module.loads(self.text(id, version=version, format="api", timeout=timeout))
        return graph

    def diff(
        self,
        id: str,
        *,
        from_version: Optional[int] = None,
        to_version: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> WorkflowDiff:
        """What changed between two versions; by default in the latest one."""
        ask = Ask(query={"from": from_version, "to": to_version}, timeout=timeout)
        diff: WorkflowDiff = self._transport.json(_at(id, "/diff"), ask)
        return diff

    def form(
        self, id: str, *, version: Optional[int] = None, timeout: Optional[float] = None
    ) -> WorkflowForm:
        """The form that it would be published with, and every value and output that could be in one."""
        ask = Ask(query={"version": version}, timeout=timeout)
        form: WorkflowForm = self._transport.json(_at(id, "/form"), ask)
        return form

    def save_form(
        self,
        id: str,
        form: WorkForm,
        *,
        note: Optional[str] = None,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> KeptForm:
        """Saves a form with the workflow, as its next version. Nothing is published."""
        ask = Ask(method="PUT", json=given(form=form, note=note), headers=matching(if_match), timeout=timeout)
        kept: KeptForm = with_etag(self._transport.send(_at(id, "/form"), ask))
        return kept


def _json_type(headers: Mapping[str, str]) -> Dict[str, str]:
    return {"content-type": "application/json", **headers}


def _posted(members: Mapping[str, Any], source: Union[str, Mapping[str, Any], None], job_id: Optional[str]) -> bytes:
    if (source is None) == (job_id is None):
        raise ValueError("Give either a workflow or a job_id.")
    if isinstance(source, str):
        # A text goes into the body as it is: parsing and writing it again would lose its exact bytes.
        start = json_text(members)[:-1]
        return f'{start}{"" if start == "{" else ","}"document":{source}}}'.encode()
    document = given(document=source, job_id=job_id)
    return json_text({**members, **document}).encode()
