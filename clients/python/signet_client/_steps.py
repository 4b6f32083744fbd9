"""What takes several calls, written once for both clients: a generator yields each call and gets its reply."""

from __future__ import annotations

import asyncio
import datetime
import email.utils
import time
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable, Dict, Generator, List, Mapping, Optional, TypeVar, Union

from . import _crypto, replies
from ._errors import Forbidden, SignetCryptoError, SignetError
from ._operations import OPERATIONS
from ._seen import SeenVersions
from ._transport import Reply
from ._types import UNSET, Json, or_unset


@dataclass
class Call:
    operation: str
    input: Json
    idempotency_key: Optional[str] = None
    timeout: Optional[float] = None
    dry_run: bool = False
    headers: Optional[Mapping[str, str]] = None


@dataclass
class Pause:
    """A step that only waits."""

    seconds: float


T = TypeVar("T")
Steps = Generator[Union[Call, Pause], Any, T]


def run(steps: Steps[T], perform: Callable[[Call], Reply]) -> T:
    try:
        call = next(steps)
        while True:
            if isinstance(call, Pause):
                time.sleep(call.seconds)
                call = next(steps)
                continue
            try:
                reply = perform(call)
            except Exception as error:
                call = steps.throw(error)
            else:
                call = steps.send(reply)
    except StopIteration as done:
        value: T = done.value
        return value


async def run_async(steps: Steps[T], perform: Callable[[Call], Awaitable[Reply]]) -> T:
    try:
        call = next(steps)
        while True:
            if isinstance(call, Pause):
                await asyncio.sleep(call.seconds)
                call = next(steps)
                continue
            try:
                reply = await perform(call)
            except Exception as error:
                call = steps.throw(error)
            else:
                call = steps.send(reply)
    except StopIteration as done:
        value: T = done.value
        return value


_CHANGE_ADDRESSES = ("claimAddress", "releaseAddress", "createInbox")


class OwnAddress:
    """Fills in the only address of the account, and does not claim an address by reading it."""

    def __init__(self) -> None:
        self._only: Optional[str] = None

    def complete(self, name: str, given: Json) -> Steps[Json]:
        operation = OPERATIONS[name]
        filled = dict(given)
        own = operation.own
        if own is not None and filled.get(own, UNSET) is UNSET:
            if self._only is None:
                addresses = (yield Call("listAddresses", {})).body["addresses"]
                if len(addresses) != 1:
                    known = f"has {len(addresses)} addresses: pass {own}" if addresses else "has no address: claim one"
                    raise ValueError(f"The account {known}.")
                self._only = addresses[0]
            filled[own] = self._only
        if "claim" in operation.query and filled.get("claim", UNSET) is UNSET:
            filled["claim"] = False
        return filled

    def call(self, call: Call) -> Steps[Reply]:
        call.input = yield from self.complete(call.operation, call.input)
        try:
            reply: Reply = yield call
            return reply
        finally:
            # Also after an error: the service may have done it.
            if call.operation in _CHANGE_ADDRESSES:
                self._only = None


@dataclass
class Code:
    """A one-time code that came by mail. `code` is None when several candidates fit equally well."""

    code: Optional[str]
    links: List[replies.MailLink]
    sender: replies.MailCodeSender
    message: Union[replies.MessageSummary, replies.WaitForMailReplyMessage]
    candidates: List[str] = field(default_factory=list)
    confidence: Any = None

    def __str__(self) -> str:
        return self.code or ""


_SECONDS_A_CALL = 60
_MARGIN_SECONDS = 15


def wait_for_code(filters: Json, timeout: float) -> Steps[Optional[Code]]:
    """Waits in as many calls as needed. Mail that comes between two calls counts."""
    end = time.monotonic() + timeout
    after = filters.get("after")
    uncertain: Optional[Code] = None
    while True:
        left = end - time.monotonic()
        wait = max(1, min(_SECONDS_A_CALL, int(left + 0.999)))
        asked = {**filters, "after": or_unset(after), "code": True, "wait": wait}
        reply = yield Call("waitForMail", asked, timeout=wait + _MARGIN_SECONDS)
        found, message = reply.body["code"], reply.body["message"]
        if found and message:
            uncertain = Code(
                code=found["code"],
                links=reply.body["links"] or [],
                sender=found["sender"],
                message=message,
                candidates=found.get("candidates") or [],
                confidence=found.get("confidence"),
            )
        if (uncertain and uncertain.code) or left <= _SECONDS_A_CALL:
            return uncertain
        if filters.get("after") is None and reply.headers.get("date"):
            # The clock of the service, in whole seconds: never later than the reply.
            at = email.utils.parsedate_to_datetime(reply.headers["date"])
            after = at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


_POLL_SECONDS = 5.0


def wait_for_approval(identifier: str, timeout: float) -> Steps[replies.GetApprovalReply]:
    """Waits for the event of a decision, or asks again and again where the key may not read events."""
    end = time.monotonic() + timeout
    after: Any = None
    try:
        newest = (yield Call("listEvents", {"order": "desc", "limit": 1})).body["events"]
        after = newest[0]["id"] if newest else UNSET
    except Forbidden:
        pass
    while True:
        approval: replies.GetApprovalReply = (yield Call("getApproval", {"id": identifier})).body
        left = end - time.monotonic()
        if approval["status"] != "pending" or left <= 0:
            return approval
        if after is None:
            yield Pause(min(left, _POLL_SECONDS))
            continue
        wait = max(1, min(_SECONDS_A_CALL, int(left + 0.999)))
        asked = {"after": after, "type": "approval.resolved", "wait": wait, "limit": 1}
        found = (yield Call("listEvents", asked, timeout=wait + _MARGIN_SECONDS)).body["events"]
        after = found[-1]["id"] if found else after


@dataclass
class VaultEntry:
    """An opened entry. `content` is bytes."""

    name: str
    content: bytes
    metadata: Optional[Dict[str, Any]]
    version: int

    @property
    def text(self) -> str:
        return _crypto._text(self.content)


def _without_proof(metadata: Optional[Mapping[str, Any]]) -> Optional[Dict[str, Any]]:
    own = {name: value for name, value in (metadata or {}).items() if name != _crypto.VERSION_PROOF}
    return own or None


def _open_entry(seed: bytes, name: str, entry: Json, unproven: bool) -> VaultEntry:
    metadata = entry.get("metadata")
    proof = (metadata or {}).get(_crypto.VERSION_PROOF)
    content = _crypto.open_vault_entry(seed, name, entry["ciphertext"])
    if proof is None and _crypto.VERSION_PROOF in (metadata or {}):
        raise SignetCryptoError("malformed", "The version proof is malformed.")
    if proof is not None or not unproven:
        _crypto.check_vault_version(seed, name, entry["version"], entry["ciphertext"], proof)
    return VaultEntry(name, content, _without_proof(metadata), entry["version"])


_CONFLICTS_MAX = 100


class VaultSteps:
    """The calls of a vault. It remembers the highest proven version of each entry, and refuses an older one."""

    def __init__(self, seed: bytes, seen: SeenVersions) -> None:
        self._seed = seed
        self._newest: Dict[str, int] = {}
        self._seen = seen

    def _require_not_older(self, name: str, version: int, seen: int) -> None:
        if version < seen:
            message = f"{name}: version {version} is older than {seen}."
            raise SignetCryptoError("version_rolled_back", message)

    def put(
        self, name: str, content: Union[str, bytes], metadata: Optional[Json], if_version: Optional[int]
    ) -> Steps[replies.PutVaultEntryReply]:
        latest = if_version if if_version is not None else self._newest.get(name, self._seen.get(name))
        for _ in range(_CONFLICTS_MAX):
            seen = self._seen.get(name)
            try:
                return (yield from self._put_over(name, content, latest, metadata))
            except SignetError as error:
                if error.code != "version_conflict" or if_version is not None:
                    raise
                latest = int(error.fields.get("latest_version") or 0)
                self._require_not_older(name, latest, seen)
        raise SignetCryptoError("version_mismatch", f"{name} is written by too many others at once.")

    def _put_over(
        self, name: str, content: Union[str, bytes], latest: int, metadata: Optional[Json]
    ) -> Steps[replies.PutVaultEntryReply]:
        ciphertext = _crypto.seal_vault_entry(self._seed, name, content)
        proof = _crypto.prove_vault_version(self._seed, name, latest + 1, ciphertext)
        given = {
            "key": name,
            "ciphertext": ciphertext,
            "metadata": {**(metadata or {}), _crypto.VERSION_PROOF: proof},
            "if_version": latest,
        }
        stored: replies.PutVaultEntryReply = (yield Call("putVaultEntry", given)).body
        self._newest[name] = stored["version"]
        if stored["version"] == latest + 1:
            self._seen.note(name, stored["version"])
            return stored
        # The newest version was deleted, and its number is not reused, so the proof names a wrong version.
        again = yield from self._put_over(name, content, stored["version"], metadata)
        yield Call("deleteVaultEntry", {"key": name, "version": stored["version"]})
        return again

    def get(self, name: str, version: Optional[int], unproven: bool) -> Steps[VaultEntry]:
        seen = self._seen.get(name)
        entry = (yield Call("getVaultEntry", {"key": name, "version": or_unset(version)})).body
        opened = _open_entry(self._seed, name, entry, unproven)
        if entry["version"] != (entry["latest_version"] if version is None else version):
            message = f"{name}: version {entry['version']} is not the requested one."
            raise SignetCryptoError("version_mismatch", message)
        if version is None:
            self._require_not_older(name, entry["version"], seen)
        if (entry.get("metadata") or {}).get(_crypto.VERSION_PROOF) is not None:
            self._seen.note(name, entry["version"])
        self._newest[name] = entry["latest_version"]
        return opened

    def delete(self, name: str, version: Optional[int]) -> Steps[replies.DeleteVaultEntryReply]:
        deleted: replies.DeleteVaultEntryReply = (
            yield Call("deleteVaultEntry", {"key": name, "version": or_unset(version)})
        ).body
        if version is None or version >= self._seen.get(name):
            self._seen.forget(name)
        return deleted

    def names(self) -> Steps[List[str]]:
        names: List[str] = []
        cursor: Any = UNSET
        while True:
            page = (yield Call("listVaultKeys", {"cursor": cursor})).body
            # A copy of the seed that a person sealed with a passphrase. The seed does not open it.
            names += [key["key"] for key in page["keys"] if key["key"] != "signet.seed"]
            cursor = page["next_cursor"]
            if cursor is None:
                return names
