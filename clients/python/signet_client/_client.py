from __future__ import annotations

import os
import time
from typing import Any, Iterator, List, Mapping, Optional, Union

import httpx

from . import _crypto, _steps, _transport, replies
from ._operations import OPERATIONS, EmailMethods, EventsMethods, Groups
from ._settings import Account, Client, code_filters
from ._steps import Call, Code, VaultEntry, VaultSteps
from ._transport import Reply
from ._types import Json, or_unset


class EmailGroup(EmailMethods):
    """Mail. `from_` and `address` default to the only address of the account."""

    _client: "Signet"

    def wait_for_code(
        self,
        *,
        from_: Optional[str] = None,
        subject: Optional[str] = None,
        address: Optional[str] = None,
        after: Any = None,
        timeout: float = 120,
    ) -> Optional[Code]:
        """Waits for the next mail with a one-time code. None if none came in `timeout` seconds.

        Pass `after`, a datetime or the id of an event, if the mail may come before this call.
        """
        return _steps.run(_steps.wait_for_code(code_filters(address, from_, subject, after), timeout), self._client._perform)


class EventsGroup(EventsMethods):
    _client: "Signet"

    def follow(self, *, after: Optional[str] = None, type: Optional[str] = None) -> Iterator[replies.Event]:
        """Yields events as they happen, without gaps. Keep `event["id"]` and pass it as `after` to go on later."""
        if after is None:
            newest = self.list(order="desc", limit=1)["events"]
            after = newest[0]["id"] if newest else None
        while True:
            asked = {"after": or_unset(after), "type": or_unset(type), "wait": 60}
            for event in self._client._perform(Call("listEvents", asked, timeout=75)).body["events"]:
                after = event["id"]
                yield event


class Vault:
    """Secrets, sealed before they are sent and opened after they arrive: the service cannot read them."""

    def __init__(self, client: "Signet") -> None:
        self._client = client
        self._made: Optional[VaultSteps] = None

    def _steps(self) -> VaultSteps:
        self._made = self._made or VaultSteps(self._client._settings.require_seed(), self._client._settings.seen)
        return self._made

    def put(
        self, name: str, value: Union[str, bytes], *, metadata: Optional[Json] = None, if_version: Optional[int] = None
    ) -> replies.PutVaultEntryReply:
        """Stores text or bytes as the next version. `metadata` is not sealed."""
        return _steps.run(self._steps().put(name, value, metadata, if_version), self._client._perform)

    def get(self, name: str, *, version: Optional[int] = None) -> str:
        """Returns the text of the latest version, or of another."""
        return self.entry(name, version=version).text

    def entry(self, name: str, *, version: Optional[int] = None, unproven: bool = False) -> VaultEntry:
        """Returns bytes, metadata and version. `unproven`: also an entry that another tool stored without a proof."""
        return _steps.run(self._steps().get(name, version, unproven), self._client._perform)

    def list(self) -> List[str]:
        """Returns the names."""
        return _steps.run(self._steps().names(), self._client._perform)

    def delete(self, name: str, *, version: Optional[int] = None) -> replies.DeleteVaultEntryReply:
        """Deletes all versions, or one."""
        return _steps.run(self._steps().delete(name, version), self._client._perform)


class Signet(Client, Groups):
    """The client of a Signet service. `base_url`, `key` and `seed` default to SIGNET_URL, SIGNET_KEY and SIGNET_SEED.

        signet = Signet.register(base_url="http://127.0.0.1:8787", name="ada")
        signet.email.send(to="bob@example.com", subject="Hello", text="Hello, Bob.")

    An error reply is raised as SignetError, a missing reply as SignetConnectionError.
    """

    email: EmailGroup
    events: EventsGroup

    def _open(self) -> None:
        Groups.__init__(self, self._method)
        self._http = httpx.Client()
        self.email = EmailGroup(self._method)
        self.email._client = self
        self.events = EventsGroup(self._method)
        self.events._client = self
        self.vault = Vault(self)

    @classmethod
    def register(
        cls, base_url: Optional[str] = None, *, seed: Union[str, bytes, None] = None, **fields: Any
    ) -> "Signet":
        """Creates an account with a key and an address. Keep `client.key` and `client.seed`.

        `fields`: those of `POST /v1/register`, such as `name`. Without `seed` a new one is made.
        """
        stranger = cls(base_url)
        stranger._settings.key = None
        account = stranger._perform(Call("register", fields)).body
        client = cls(base_url, account["api_key"], seed or os.environ.get("SIGNET_SEED") or _crypto.random_seed())
        client.account = Account(account)
        stranger.close()
        return client

    def call(
        self,
        operation: str,
        input: Optional[Json] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        """Calls an operation by its `operationId`, with the fields of path, query and body together."""
        return self._perform(Call(operation, input or {}, idempotency_key, timeout), headers).body

    def paginate(self, operation: str, **given: Any) -> Iterator[Json]:
        """Yields every entry of a list, one page at a time."""
        row = OPERATIONS[operation]
        if row.items is None or row.cursor is None:
            raise ValueError(f"{operation} has no pages")
        asked = dict(given)
        while True:
            body = self._method(operation, asked, None)
            yield from body[row.items]
            following = _transport.next_cursor(row, body, asked.get(row.cursor))
            if following is None:
                return
            asked[row.cursor] = following

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> "Signet":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _method(self, operation: str, given: Json, idempotency_key: Optional[str]) -> Any:
        return _steps.run(self._settings.own.call(operation, given, idempotency_key), self._perform)

    def _perform(self, call: Call, headers: Optional[Mapping[str, str]] = None) -> Reply:
        operation = OPERATIONS[call.operation]
        wire, timeout = self._settings.wire(call, headers)
        attempt = 0
        while True:
            try:
                try:
                    response = self._http.request(wire.method, wire.url, **wire.arguments(timeout))
                except httpx.HTTPError as error:
                    raise _transport.connection_error(error, self._settings.base) from error
                return _transport.read_reply(operation, response)
            except Exception as error:
                pause = _transport.pause_before_retry(operation, error, attempt, self._settings.retries)
                if pause is None:
                    raise
            time.sleep(pause)
            attempt += 1
