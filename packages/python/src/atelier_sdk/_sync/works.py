"""Works: saved workflows that were published. Publishing, versions and links are here; a work is called like any model,
through ``atelier.models`` or as a job."""

from __future__ import annotations

from typing import Any, Iterator, Dict, List, Optional, Sequence, Union

from .._core.amounts import Credits, decimal_text
from .._core.asks import RUN_SECONDS, Ask, given, segment
from .._core.etags import NOT_GIVEN, NotGiven, matching, with_etag
from .._core.moments import Moment, moment_text
from ..kept import PublishedWork
from ..wire import CreatedWorkLink, GivenExample, Work, WorkDiff, WorkForm, WorkLink, WorkVersion
from .pages import walk
from .transport import Transport

PATH = "/account/works"


def _at(name: str, end: str = "") -> str:
    return f"{PATH}/{segment(name)}{end}"


class WorkLinks:
    """Links with which people without an account run a work: ``atelier.works.links``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        name: str,
        *,
        budget: Credits,
        expires_at: Moment,
        label: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> CreatedWorkLink:
        """Makes a link. Its address is in this answer only. ``budget`` is what all its runs may cost together."""
        json = given(budget=decimal_text(budget), expires_at=moment_text(expires_at), label=label)
        ask = Ask(method="POST", json=json, timeout=timeout)
        link: CreatedWorkLink = self._transport.json(_at(name, "/links"), ask)
        return link

    def list(self, name: str, *, timeout: Optional[float] = None) -> List[WorkLink]:
        """Every link of the work, the newest first, with what it has spent."""
        data: List[WorkLink] = (self._transport.json(_at(name, "/links"), Ask(timeout=timeout)))["data"]
        return data

    def delete(self, name: str, id: str, *, timeout: Optional[float] = None) -> None:
        """Ends a link."""
        self._transport.send(_at(name, f"/links/{segment(id)}"), Ask(method="DELETE", timeout=timeout))


class Works:
    """Works: ``atelier.works``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.links = WorkLinks(transport)

    def list(
        self, *, q: Optional[str] = None, page_size: Optional[int] = None, timeout: Optional[float] = None
    ) -> Iterator[Work]:
        """The workspace's works, by name."""
        for each in walk(self._transport, PATH, {"q": q, "limit": page_size}, timeout):
            yield each

    def publish(
        self,
        name: str,
        workflow_id: str,
        *,
        version: Optional[int] = None,
        form: Optional[WorkForm] = None,
        title: Optional[str] = None,
        description: Optional[str] = None,
        note: Optional[str] = None,
        visibility: Optional[str] = None,
        shared_with: Optional[Sequence[str]] = None,
        examples: Optional[Sequence[GivenExample]] = None,
        provider: Optional[str] = None,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> PublishedWork:
        """Publishes a saved workflow as a work, or as the next version of one.

        Runs its examples first, pays for them and waits; if one fails, nothing is published. Without ``examples`` it runs
        once with the defaults; an empty list runs nothing. ``provider`` is the first half of the ids of all works of the
        workspace, chosen with its first work.
        """
        json = given(
            workflow_id=workflow_id,
            version=version,
            form=form,
            title=title,
            description=description,
            note=note,
            visibility=visibility,
            shared_with=shared_with,
            examples=examples,
            provider=provider,
        )
        ask = Ask(method="PUT", json=json, headers=matching(if_match), usual_timeout=RUN_SECONDS, timeout=timeout)
        work: PublishedWork = with_etag(self._transport.send(_at(name), ask))
        return work

    def get(self, name: str, *, timeout: Optional[float] = None) -> PublishedWork:
        work: PublishedWork = with_etag(self._transport.send(_at(name), Ask(timeout=timeout)))
        return work

    def change(
        self,
        name: str,
        *,
        title: Union[str, None, NotGiven] = NOT_GIVEN,
        description: Union[str, None, NotGiven] = NOT_GIVEN,
        visibility: Union[str, NotGiven] = NOT_GIVEN,
        shared_with: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        version: Union[int, NotGiven] = NOT_GIVEN,
        deprecated_at: Union[Moment, None, NotGiven] = NOT_GIVEN,
        sunset_at: Union[Moment, None, NotGiven] = NOT_GIVEN,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> PublishedWork:
        """Describes, shares or deprecates it, or chooses its current version. None removes what was there."""
        members: Dict[str, Any] = {
            "title": title,
            "description": description,
            "visibility": visibility,
            "shared_with": shared_with,
            "version": version,
            "deprecated_at": _moment(deprecated_at),
            "sunset_at": _moment(sunset_at),
        }
        json = {member: value for member, value in members.items() if value is not NOT_GIVEN}
        ask = Ask(method="PATCH", json=json, headers=matching(if_match), timeout=timeout)
        work: PublishedWork = with_etag(self._transport.send(_at(name), ask))
        return work

    def delete(self, name: str, *, if_match: Optional[str] = None, timeout: Optional[float] = None) -> None:
        """Withdraws it with all its versions. Calls that are running end as usual."""
        self._transport.send(_at(name), Ask(method="DELETE", headers=matching(if_match), timeout=timeout))

    def versions(
        self, name: str, *, page_size: Optional[int] = None, timeout: Optional[float] = None
    ) -> Iterator[WorkVersion]:
        """The versions, the latest first."""
        for each in walk(self._transport, _at(name, "/versions"), {"limit": page_size}, timeout):
            yield each

    def version(
        self, name: str, version: Optional[int] = None, *, timeout: Optional[float] = None
    ) -> WorkVersion:
        """One version with its form and examples; the latest by default."""
        path = _at(name, f"/versions/{'latest' if version is None else version}")
        found: WorkVersion = self._transport.json(path, Ask(timeout=timeout))
        return found

    def diff(
        self,
        name: str,
        *,
        from_version: Optional[int] = None,
        to_version: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> WorkDiff:
        """What changed between two versions, in the form and in the graph; by default in the latest one."""
        ask = Ask(query={"from": from_version, "to": to_version}, timeout=timeout)
        diff: WorkDiff = self._transport.json(_at(name, "/diff"), ask)
        return diff


def _moment(given: Union[Moment, None, NotGiven]) -> Union[str, None, NotGiven]:
    return given if given is None or isinstance(given, NotGiven) else moment_text(given)
