"""What the server keeps, together with the ETag to change it with."""

from __future__ import annotations

from .wire import AccountToken, SavedWorkflow, Work, WorkflowForm


class KeptWorkflow(SavedWorkflow):
    """A saved workflow, and the ETag to change it with."""

    etag: str


class KeptForm(WorkflowForm):
    """A form as it was saved, and the ETag to change its workflow with."""

    etag: str


class PublishedWork(Work):
    """A work, and the ETag to change it with."""

    etag: str


class MadeToken(AccountToken):
    """A new token. ``token`` is the credential itself, shown only here."""

    token: str
