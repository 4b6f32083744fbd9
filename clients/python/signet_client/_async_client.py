from __future__ import annotations

import asyncio
import os
from typing import Any, AsyncIterator, List, Mapping, Optional, Union

import httpx

from . import _crypto, _steps, _transport, replies
from ._errors import Unauthorized
from ._operations import OPERATIONS, AsyncApprovalsMethods, AsyncEmailMethods, AsyncEventsMethods, AsyncGroups
from ._settings import Account, Client, code_filters, given_input
from ._steps import Call, Code, VaultEntry, VaultSteps
from ._transport import Reply
from ._types import Json, Unset, or_unset


class AsyncEmailGroup(AsyncEmailMethods):
    """Mail. `from_` and `address` default to the only address of the account."""

    _client: "AsyncSignet"

    async def wait_for_code(
        self,
        *,
        from_: Optional[str] = None,
        subject: Optional[str] = None,
        address: Optional[str] = None,
        after: Any = None,
        timeout: float = 120,
    ) -> Optional[Code]:
        """Waits for the next mail with a one-time code. None if none came in `timeout` seconds."""
        steps = _steps.wait_for_code(code_filters(address, from_, subject, after), timeout)
        return await _steps.run_async(steps, self._client._perform)


class AsyncApprovalsGroup(AsyncApprovalsMethods):
    _client: "AsyncSignet"

    async def wait(self, id: str, *, timeout: float = 600) -> replies.GetApprovalReply:
        """Waits until a charge is approved, rejected or expired. After `timeout` seconds it is still `pending`."""
        return await _steps.run_async(_steps.wait_for_approval(id, timeout), self._client._perform)


class AsyncEventsGroup(AsyncEventsMethods):
    _client: "AsyncSignet"

    async def follow(self, *, after: Optional[str] = None, type: Optional[str] = None) -> AsyncIterator[replies.Event]:
        """Yields events as they happen, without gaps. Keep `event["id"]` and pass it as `after` to go on later."""
        if after is None:
            newest = (await self.list(order="desc", limit=1))["events"]
            after = newest[0]["id"] if newest else None
        while True:
            asked = {"after": or_unset(after), "type": or_unset(type), "wait": 60}
            for event in (await self._client._perform(Call("listEvents", asked, timeout=75))).body["events"]:
                after = event["id"]
                yield event


class AsyncVault:
    """Secrets, sealed before they are sent and opened after they arrive: the service cannot read them."""

    def __init__(self, client: "AsyncSignet") -> None:
        self._client = client
        self._made: Optional[VaultSteps] = None

    def _steps(self) -> VaultSteps:
        self._made = self._made or VaultSteps(self._client._settings.require_seed(), self._client._settings.seen)
        return self._made

    async def put(
        self, name: str, value: Union[str, bytes], *, metadata: Optional[Json] = None, if_version: Optional[int] = None
    ) -> replies.PutVaultEntryReply:
        """Stores text or bytes as the next version. `metadata` is not sealed."""
        return await _steps.run_async(self._steps().put(name, value, metadata, if_version), self._client._perform)

    async def get(self, name: str, *, version: Optional[int] = None) -> str:
        """Returns the text of the latest version, or of another."""
        return (await self.entry(name, version=version)).text

    async def entry(self, name: str, *, version: Optional[int] = None, unproven: bool = False) -> VaultEntry:
        """Returns bytes, metadata and version. `unproven`: also an entry that another tool stored without a proof."""
        return await _steps.run_async(self._steps().get(name, version, unproven), self._client._perform)

    async def list(self) -> List[str]:
        """Returns the names."""
        return await _steps.run_async(self._steps().names(), self._client._perform)

    async def delete(self, name: str, *, version: Optional[int] = None) -> replies.DeleteVaultEntryReply:
        """Deletes all versions, or one."""
        return await _steps.run_async(self._steps().delete(name, version), self._client._perform)


class AsyncSignet(Client, AsyncGroups):
    """`Signet` for asyncio: the same methods, awaited. `signet = await AsyncSignet.register(name="ada")`."""

    approvals: AsyncApprovalsGroup
    email: AsyncEmailGroup
    events: AsyncEventsGroup

    def _open(self) -> None:
        AsyncGroups.__init__(self, self)
        self._http = httpx.AsyncClient()
        self.approvals = AsyncApprovalsGroup(self)
        self.email = AsyncEmailGroup(self)
        self.events = AsyncEventsGroup(self)
        self.vault = AsyncVault(self)

    @classmethod
    async def register(
        cls, base_url: Optional[str] = None, *, seed: Union[str, bytes, None] = None, **fields: Any
    ) -> "AsyncSignet":
        """Creates an account with a key and an address. Keep `client.key` and `client.seed`."""
        stranger = cls(base_url)
        stranger._settings.key = None
        account = (await stranger._perform(Call("register", fields))).body
        client = cls(base_url, account["api_key"], seed or os.environ.get("SIGNET_SEED") or _crypto.random_seed())
        client.account = Account(account)
        await stranger.close()
        return client

    async def call(
        self,
        operation: str,
        input: Optional[Json] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        headers: Optional[Mapping[str, str]] = None,
        dry_run: bool = False,
        **fields: Any,
    ) -> Any:
        """Calls an operation by its `operationId`, with the fields of path, query and body as a dict or as keywords."""
        call = Call(operation, given_input(input, fields), idempotency_key, timeout, dry_run, headers)
        return self._shown(await self._completed(call))

    def paginate(self, operation: str, input: Optional[Json] = None, **fields: Any) -> AsyncIterator[Any]:
        """Yields every entry of a list, one page at a time. The same as `iter` of its method."""
        return self._entries(operation, given_input(input, fields))

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> "AsyncSignet":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def _entries(self, operation: str, given: Json) -> AsyncIterator[Any]:
        row = OPERATIONS[operation]
        if row.items is None or row.cursor is None:
            raise ValueError(f"{operation} has no pages")
        asked = {name: value for name, value in given.items() if not isinstance(value, Unset)}
        while True:
            body = await self._method(operation, asked)
            for entry in body[row.items]:
                yield entry
            following = _transport.next_cursor(row, body, asked.get(row.cursor))
            if following is None:
                return
            asked[row.cursor] = following

    async def _method(
        self, operation: str, given: Json, idempotency_key: Optional[str] = None, dry_run: bool = False
    ) -> Any:
        return self._shown(await self._completed(Call(operation, given, idempotency_key, dry_run=dry_run)))

    async def _completed(self, call: Call) -> Reply:
        """Performs a call with the only address of the account, where one is left out."""
        return await _steps.run_async(self._settings.own.call(call), self._perform)

    async def _perform(self, call: Call) -> Reply:
        if not self._settings.replaces_key(call):
            return await self._attempts(call)
        async with self._async_turn():
            reply = await self._attempts(call)
            self._settings.take_key(call, reply.body)
            return reply

    def _async_turn(self) -> asyncio.Lock:
        # Made in the loop: before Python 3.10 a lock belongs to one.
        self._settings.async_turn = self._settings.async_turn or asyncio.Lock()
        return self._settings.async_turn

    async def _attempts(self, call: Call) -> Reply:
        operation, settings = OPERATIONS[call.operation], self._settings
        wire, timeout = settings.wire(call)
        attempt = 0
        while True:
            key = settings.key
            try:
                try:
                    response = await self._http.request(wire.method, wire.url, **wire.arguments(timeout, key))
                except httpx.HTTPError as error:
                    raise _transport.connection_error(error, settings.base) from error
                return _transport.read_reply(operation, response)
            except Exception as error:
                if isinstance(error, Unauthorized) and not settings.replaces_key(call):
                    async with self._async_turn():
                        pass
                if settings.is_outdated(error, key):
                    continue
                pause = _transport.pause_before_retry(operation, error, attempt, settings.retries)
                if pause is None:
                    raise
            await asyncio.sleep(pause)
            attempt += 1
