"""The workspace's own things: tokens that may do less, budgets, and names that stand for several models."""

from __future__ import annotations

from typing import Iterator, List, Optional, Sequence

from .._core.amounts import Credits, decimal_text
from .._core.asks import Ask, given, segment
from .._core.etags import matching
from ..kept import MadeToken
from ..wire import AccountToken, Budget, ModelRoute, PutBudget, PutRoute
from .pages import walk
from .transport import Transport


class Tokens:
    """Tokens for browsers, phones and agents: they may do less than your credential, and end within a day.
    ``atelier.tokens``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        capabilities: Sequence[str],
        *,
        models: Optional[Sequence[str]] = None,
        credits_max: Optional[Credits] = None,
        expires_in: Optional[int] = None,
        end_user: Optional[str] = None,
        origins: Optional[Sequence[str]] = None,
        addresses: Optional[Sequence[str]] = None,
        label: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> MadeToken:
        """Makes one from the client's own key or token. It may never do more, and nothing that is not named.

        ``models`` are ids of models and works, ``provider/*`` or ``*``; ``credits_max`` is what it and all tokens made from
        it may spend together; ``expires_in`` seconds, an hour by default, 24 hours at most; only pages of ``origins`` may
        use it, and only from ``addresses``.
        """
        json = given(
            capabilities=capabilities,
            models=models,
            credits_max=None if credits_max is None else decimal_text(credits_max),
            expires_in_seconds=expires_in,
            end_user=end_user,
            origins=origins,
            addresses=addresses,
            label=label,
        )
        made: MadeToken = self._transport.json("/account/tokens", Ask(method="POST", json=json, timeout=timeout))
        return made

    def list(
        self, *, page_size: Optional[int] = None, timeout: Optional[float] = None
    ) -> Iterator[AccountToken]:
        """Those made from the client's credential, the newest first."""
        for each in walk(self._transport, "/account/tokens", {"limit": page_size}, timeout):
            yield each

    def get(self, id: str, *, timeout: Optional[float] = None) -> AccountToken:
        """One of them, with what it has spent."""
        token: AccountToken = self._transport.json(f"/account/tokens/{segment(id)}", Ask(timeout=timeout))
        return token

    def revoke(self, id: str, *, timeout: Optional[float] = None) -> AccountToken:
        """Ends it, and every token made from it, everywhere within a second."""
        ask = Ask(method="DELETE", timeout=timeout)
        token: AccountToken = self._transport.json(f"/account/tokens/{segment(id)}", ask)
        return token


class Budgets:
    """What the workspace, a key, a tag or an end user may spend in a day, a week or a month: ``atelier.budgets``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, timeout: Optional[float] = None) -> List[Budget]:
        """All of them, by name, with what counts against them now."""
        data: List[Budget] = (self._transport.json("/account/budgets", Ask(timeout=timeout)))["data"]
        return data

    def get(self, name: str, *, timeout: Optional[float] = None) -> Budget:
        """One of them, with its last alerts."""
        budget: Budget = self._transport.json(f"/account/budgets/{segment(name)}", Ask(timeout=timeout))
        return budget

    def put(self, name: str, budget: PutBudget, *, timeout: Optional[float] = None) -> Budget:
        """Sets the budget of this name. Alerts at 50, 80 and 100 % go to its ``webhook_url``, signed."""
        ask = Ask(method="PUT", json=budget, timeout=timeout)
        kept: Budget = self._transport.json(f"/account/budgets/{segment(name)}", ask)
        return kept

    def delete(self, name: str, *, timeout: Optional[float] = None) -> None:
        self._transport.send(f"/account/budgets/{segment(name)}", Ask(method="DELETE", timeout=timeout))


class Routes:
    """Names that stand for several models, called as ``route/{name}``: ``atelier.routes``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, timeout: Optional[float] = None) -> List[ModelRoute]:
        """Those that the workspace can call: its own, and the server's."""
        data: List[ModelRoute] = (self._transport.json("/account/routes", Ask(timeout=timeout)))["data"]
        return data

    def get(self, name: str, *, timeout: Optional[float] = None) -> ModelRoute:
        """One of them."""
        route: ModelRoute = self._transport.json(f"/account/routes/{segment(name)}", Ask(timeout=timeout))
        return route

    def put(
        self, name: str, route: PutRoute, *, if_match: Optional[str] = None, timeout: Optional[float] = None
    ) -> ModelRoute:
        """Writes one of the workspace's own. ``if_match`` is a version such as ``'"3"'``, with its quotes."""
        ask = Ask(method="PUT", json=route, headers=matching(if_match), timeout=timeout)
        kept: ModelRoute = self._transport.json(f"/account/routes/{segment(name)}", ask)
        return kept

    def delete(self, name: str, *, if_match: Optional[str] = None, timeout: Optional[float] = None) -> None:
        """Removes one of the workspace's own. Calls in flight finish."""
        ask = Ask(method="DELETE", headers=matching(if_match), timeout=timeout)
        self._transport.send(f"/account/routes/{segment(name)}", ask)
