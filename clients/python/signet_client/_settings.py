from __future__ import annotations

import asyncio
import keyword
import os
import threading
from typing import Any, Dict, Mapping, Optional, Tuple, TypeVar, Union

from . import _crypto, _steps, _transport
from ._errors import ApprovalRequired, SignetCryptoError, Unauthorized
from ._operations import OPERATIONS
from ._seen import SeenVersions
from ._steps import Call

DEFAULT_URL = "http://127.0.0.1:8787"
C = TypeVar("C", bound="Client")


class Account(Dict[str, Any]):
    """The reply of `register`. Its fields are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Settings:
    def __init__(
        self,
        base_url: Optional[str],
        key: Optional[str],
        seed: Union[str, bytes, None],
        account_id: Optional[str],
        timeout: float,
        retries: int,
        versions: Union[str, "os.PathLike[str]", None],
    ) -> None:
        self.base = _transport.base_of(base_url or os.environ.get("SIGNET_URL") or DEFAULT_URL)
        self.key = key or (os.environ.get("SIGNET_KEY") if self._is_of_environment(base_url) else None) or None
        given = seed or os.environ.get("SIGNET_SEED") or None
        self.seed = None if given is None else _crypto.read_seed(given)
        self.account_id = account_id
        self.timeout = timeout
        self.retries = retries
        self.raise_waiting = False
        self.versions = versions
        self.seen = SeenVersions(versions)
        self.own = _steps.OwnAddress()
        self.turn = threading.Lock()
        """Held while a call replaces the key: calls that it makes invalid wait for the new one."""
        self.async_turn: Optional[asyncio.Lock] = None

    def _is_of_environment(self, base_url: Optional[str]) -> bool:
        """The key of the environment never goes to another service than that of the environment."""
        named = os.environ.get("SIGNET_URL")
        return base_url is None or not named or self.base == _transport.base_of(named)

    def require_seed(self) -> bytes:
        if self.seed is None:
            message = "Pass seed=random_seed(), and keep it: nothing else opens the vault. Or set SIGNET_SEED."
            raise SignetCryptoError("seed_missing", message)
        return self.seed

    def wire(self, call: Call) -> Tuple[_transport.Wire, float]:
        wire = _transport.wire_of(
            self.base,
            OPERATIONS[call.operation],
            call.input,
            account=self.account_id,
            idempotency_key=call.idempotency_key,
            dry_run=call.dry_run,
            headers=call.headers,
        )
        wait = call.input.get("wait")
        least = wait + 15 if isinstance(wait, int) else 0
        return wire, max(call.timeout or self.timeout, least)

    def replaces_key(self, call: Call) -> bool:
        """Whether the key ends with a call, which returns a new one."""
        own = "authorization" not in {name.lower() for name in call.headers or {}}
        return call.operation in ("rotateKey", "secureAccount") and own and not call.dry_run

    def take_key(self, call: Call, body: Any) -> None:
        """Goes on with a key that replaced the client's own."""
        key = body.get("api_key") if isinstance(body, dict) else None
        if not isinstance(key, str) or self.key is None:
            return
        # A session goes on as itself, and a named key after a rotation, because neither ends.
        ended = "signet_" if call.operation == "secureAccount" else "_".join(key.split("_")[:2])
        if self.key.startswith(ended):
            self.key = key

    def is_outdated(self, error: Exception, key: Optional[str]) -> bool:
        """Whether a call was refused only because its key was replaced meanwhile."""
        return isinstance(error, Unauthorized) and key is not None and key != self.key


class Client:
    """What both clients are made with, and say of themselves."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        key: Optional[str] = None,
        seed: Union[str, bytes, None] = None,
        *,
        account_id: Optional[str] = None,
        timeout: float = _transport.TIMEOUT_SECONDS,
        retries: int = _transport.RETRIES,
        versions: Union[str, "os.PathLike[str]", None] = None,
        raise_waiting: bool = False,
    ) -> None:
        """`account_id`: the account that a person's session acts for (the header `Signet-Account`).

        `versions`: a file that keeps the versions seen of each vault entry, so that a service cannot return an older
        one after a restart. One file for each account.

        `raise_waiting`: a charge or a mail that waits for a person's decision is raised as ApprovalRequired, instead of
        the reply that says so.
        """
        self._settings = Settings(base_url, key, seed, account_id, timeout, retries, versions)
        self._settings.raise_waiting = raise_waiting
        self.account = Account()
        """The reply of `register`, with `api_key`, which is shown only once. Empty if this client did not register."""
        self._open()

    def _open(self) -> None:
        """Makes the groups of methods, and what sends their calls."""
        raise NotImplementedError

    @property
    def base_url(self) -> str:
        return self._settings.base

    @property
    def key(self) -> Optional[str]:
        return self._settings.key

    @property
    def seed(self) -> Optional[str]:
        """The seed of the vault as base64url."""
        return None if self._settings.seed is None else _crypto.write_seed(self._settings.seed)


    def with_key(self: C, key: Optional[str]) -> C:
        """A client with the same options and another key, or with none."""
        own = self._settings
        made = type(self)(
            own.base,
            key,
            own.seed,
            account_id=own.account_id,
            timeout=own.timeout,
            retries=own.retries,
            versions=own.versions,
            raise_waiting=own.raise_waiting,
        )
        # None is not the key of the environment here.
        made._settings.key = key
        return made

    def _shown(self, reply: Any) -> Any:
        """The body of a reply. Raises ApprovalRequired if it waits for a person and the client asks for that."""
        waits = self._settings.raise_waiting and reply.status == 202 and isinstance(reply.body, dict)
        if waits and ("approval_id" in reply.body or "review_id" in reply.body):
            code = "approval_required" if "approval_id" in reply.body else "held_for_review"
            message = str(reply.body.get("message") or "A person decides this first.")
            raise ApprovalRequired(message, code=code, status=202, fields=reply.body)
        return reply.body


def given_input(given: Optional[Mapping[str, Any]], fields: Mapping[str, Any]) -> Dict[str, Any]:
    """The fields of an input, as a dict, as keywords or both: `from_` is `from`."""
    named = {name[:-1] if keyword.iskeyword(name[:-1]) and name.endswith("_") else name: value for name, value in fields.items()}
    return {**(given or {}), **named}


def code_filters(
    address: Optional[str], sender: Optional[str], subject: Optional[str], after: Any
) -> Dict[str, Any]:
    filters = {"address": address, "from": sender, "subject": subject, "after": after}
    return {name: value for name, value in filters.items() if value is not None}
