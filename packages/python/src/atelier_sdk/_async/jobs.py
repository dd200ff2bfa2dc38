"""v2 jobs: submit, follow, wait, cancel. The server's links are followed and never built (Spec, v2 design rule 4). Every
submission has an idempotency key, so a lost answer does not run the graph twice."""

from __future__ import annotations

import asyncio
import os
import time
import uuid
from typing import Any, AsyncIterator, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .._core.amounts import Credits, call_headers
from .._core.asks import Ask, given, segment
from .._core.deadline import Deadline
from ..errors import AtelierError, JobFailed
from ..events import JobEvent
from ..graph import Submittable, WorkCall, Workflow, files_in, reference_to, with_files_placed
from ..wire import Asset, Job, JobCharge, JobCharges, JobWorkflow, Output, OutputTarget
from .assets import AsyncAssets
from .job_events import job_events
from .pages import walk
from .transport import AsyncTransport

CHARGES_PER_QUESTION = 100


class AsyncJobHandle:
    """A submitted job. It can be found again by its id after a crash: ``atelier.jobs.get(id)``."""

    def __init__(self, transport: AsyncTransport, job: Job, credits_used: Optional[str]) -> None:
        self._transport = transport
        self.current = job
        """What was last known."""
        self.credits_used = credits_used
        """What it cost, in decimal credits, once it has ended; None before, and where the server does not say."""

    @property
    def id(self) -> str:
        return self.current["id"]

    async def refresh(self, *, timeout: Optional[float] = None) -> Job:
        """Asks the server how far it is."""
        return await self._read(self.current["urls"]["self"], Ask(timeout=timeout))

    async def events(self, *, timeout: Optional[float] = None) -> AsyncIterator[JobEvent]:
        """What happens to it, until it has ended: by the stream, or by reading where there is none."""
        async for event in job_events(self._transport, self.current, Deadline(timeout)):
            yield event

    async def wait(
        self, *, on_event: Optional[Callable[[JobEvent], None]] = None, timeout: Optional[float] = None
    ) -> Job:
        """Waits until it has ended, and gives the job with its outputs. Raises JobFailed unless it succeeded."""
        async for event in self.events(timeout=timeout):
            if on_event is not None:
                on_event(event)
        job = await self.refresh()
        if job["status"] != "succeeded":
            raise JobFailed(job)
        return job

    async def cancel(self, *, timeout: Optional[float] = None) -> Job:
        """Cancels it; a job that has ended stays as it is."""
        ask = Ask(method="POST", is_repeatable=True, timeout=timeout)
        return await self._read(self.current["urls"]["cancel"], ask)

    async def workflow(self, *, timeout: Optional[float] = None) -> JobWorkflow:
        """The graph that it ran."""
        ran: JobWorkflow = await self._transport.json(self.current["urls"]["workflow"], Ask(timeout=timeout))
        return ran

    async def _read(self, path: str, ask: Ask) -> Job:
        self.current, self.credits_used = await _read_job(self._transport, path, ask)
        return self.current


async def _read_job(transport: AsyncTransport, path: str, ask: Ask) -> Tuple[Job, Optional[str]]:
    # v2 bodies do not mention credits; a header on reads of a job does.
    response = await transport.send(path, ask)
    job: Job = response.json()
    return job, response.headers.get("x-service-credits-used")


class AsyncJobs:
    """v2 jobs: ``atelier.jobs``."""

    def __init__(self, transport: AsyncTransport, assets: AsyncAssets) -> None:
        self._transport = transport
        self._assets = assets

    async def run(
        self,
        what: Submittable,
        *,
        on_event: Optional[Callable[[JobEvent], None]] = None,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        metadata: Union[str, Mapping[str, str], None] = None,
        end_user: Optional[str] = None,
        priority: Optional[int] = None,
        model_key: Optional[str] = None,
        output_target: Optional[OutputTarget] = None,
        max_credits: Optional[Credits] = None,
        queue_wait: float = 60,
        timeout: Optional[float] = None,
    ) -> Job:
        """Uploads the graph's files, submits it, waits, and gives the job with its outputs.

        Takes the options of ``submit``; ``timeout`` is for the wait. Raises JobFailed unless the job succeeded.
        """
        job = await self.submit(
            what,
            idempotency_key=idempotency_key,
            webhook_url=webhook_url,
            metadata=metadata,
            end_user=end_user,
            priority=priority,
            model_key=model_key,
            output_target=output_target,
            max_credits=max_credits,
            queue_wait=queue_wait,
        )
        return await job.wait(on_event=on_event, timeout=timeout)

    async def submit(
        self,
        what: Submittable,
        *,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        metadata: Union[str, Mapping[str, str], None] = None,
        end_user: Optional[str] = None,
        priority: Optional[int] = None,
        model_key: Optional[str] = None,
        output_target: Optional[OutputTarget] = None,
        max_credits: Optional[Credits] = None,
        queue_wait: float = 60,
        timeout: Optional[float] = None,
    ) -> AsyncJobHandle:
        """Submits a graph, or a work with its inputs: ``WorkCall("w.acme/lighthouse", {"prompt": "fog"})`` or a mapping
        with ``work`` and ``inputs``.

        A full queue, or a deployment that still starts, is waited for up to ``queue_wait`` seconds. ``metadata`` is a text
        or labels, kept with the job; ``priority`` -100 to 100, larger first among your own; ``model_key`` what model nodes
        pay with, if another key; ``max_credits`` the most that the job may cost.
        """
        json = await self._placed(what)
        json.update(
            given(
                webhook_url=webhook_url,
                metadata=metadata,
                priority=priority,
                output_target=output_target,
                extra_data=None if model_key is None else {"api_key_service": model_key},
            )
        )
        ask = Ask(
            method="POST",
            json=json,
            headers=call_headers(max_credits, None, end_user),
            idempotency_key=idempotency_key or str(uuid.uuid4()),
            is_repeatable=True,
            timeout=timeout,
        )
        give_up_at = time.monotonic() + queue_wait
        while True:
            try:
                job, credits_used = await _read_job(self._transport, "/api/v2/jobs", ask)
                return AsyncJobHandle(self._transport, job, credits_used)
            except AtelierError as failure:
                wait = failure.retry_after
                if failure.status != 429 or wait is None or time.monotonic() + wait > give_up_at:
                    raise
            await asyncio.sleep(wait)

    async def get(self, id: str, *, timeout: Optional[float] = None) -> AsyncJobHandle:
        """A job by its id."""
        job, credits_used = await _read_job(self._transport, f"/api/v2/jobs/{segment(id)}", Ask(timeout=timeout))
        return AsyncJobHandle(self._transport, job, credits_used)

    async def list(
        self,
        *,
        status: Optional[str] = None,
        metadata: Union[str, Mapping[str, str], None] = None,
        idempotency_key: Optional[str] = None,
        page_size: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> AsyncIterator[Job]:
        """Your jobs, newest first. ``metadata`` is the text that they carry, or labels that all of them must have."""
        query: Dict[str, Union[str, int, None]] = {"status": status, "idempotency_key": idempotency_key, "limit": page_size}
        if isinstance(metadata, str):
            query["metadata"] = metadata
        elif metadata is not None:
            query.update({f"metadata[{key}]": value for key, value in metadata.items()})
        async for each in walk(self._transport, "/api/v2/jobs", query, timeout):
            yield each

    async def cancel(self, id: str, *, timeout: Optional[float] = None) -> Job:
        """Cancels a job by its id."""
        job = await self.get(id, timeout=timeout)
        return await job.cancel(timeout=timeout)

    async def charges(self, id: str, *, timeout: Optional[float] = None) -> JobCharges:
        """What a job was charged, in all, for its running time and for each node that called models."""
        path = f"/account/jobs/{segment(id)}/charges"
        charges: JobCharges = await self._transport.json(path, Ask(timeout=timeout))
        return charges

    async def charges_of(self, ids: Sequence[str], *, timeout: Optional[float] = None) -> List[JobCharge]:
        """What each of these jobs was charged; those that are not yours are left out."""
        found: List[JobCharge] = []
        for at in range(0, len(ids), CHARGES_PER_QUESTION):
            query = {"job_id": list(ids[at : at + CHARGES_PER_QUESTION])}
            page = await self._transport.json("/account/jobs/charges", Ask(query=query, timeout=timeout))
            found.extend(page["data"])
        return found

    async def convert(self, workflow: Mapping[str, Any], *, timeout: Optional[float] = None) -> Dict[str, Any]:
        """Makes an API graph of the editor's export: ``workflow`` and ``format``."""
        ask = Ask(method="POST", json={"workflow": workflow}, is_repeatable=True, timeout=timeout)
        converted: Dict[str, Any] = await self._transport.json("/api/v2/workflows/convert", ask)
        return converted

    async def download(self, output: Union[Output, Asset], *, timeout: Optional[float] = None) -> bytes:
        """The bytes of an output, read under your key."""
        return await self._assets.download(output, timeout=timeout)

    async def save(
        self, output: Union[Output, Asset], path: Union[str, os.PathLike[str]], *, timeout: Optional[float] = None
    ) -> int:
        """Writes an output to a file, piece by piece, and gives its size. Resumes where a connection breaks off."""
        return await self._assets.save(output, path, timeout=timeout)

    async def _placed(self, what: Submittable) -> Dict[str, Any]:
        # No node of a graph is a text.
        if isinstance(what, Mapping) and isinstance(what.get("work"), str):
            what = WorkCall(what["work"], what.get("inputs") or {})
        graph: Any = what.inputs if isinstance(what, WorkCall) else what.graph if isinstance(what, Workflow) else what
        placed: Dict[int, Any] = {}
        for file in files_in(graph):
            if id(file) in placed:
                continue
            asset = await self._assets.put(
                file.source,
                file_path=file.file_path,
                content_type=file.content_type,
                tags=file.tags,
                expires_in=file.expires_in,
                hash=file.hash,
            )
            # In the inputs of a work, a file is the id of an asset.
            placed[id(file)] = asset["id"] if isinstance(what, WorkCall) else reference_to(asset)
        whole = with_files_placed(graph, placed)
        return {"work": what.work, "inputs": whole} if isinstance(what, WorkCall) else {"workflow": whole}
