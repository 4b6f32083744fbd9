from __future__ import annotations

import os
from typing import Any, Dict, Mapping, Optional, Tuple, Union

from . import _crypto, _steps, _transport
from ._errors import SignetCryptoError
from ._operations import OPERATIONS
from ._seen import SeenVersions
from ._steps import Call

DEFAULT_URL = "http://127.0.0.1:8787"


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
        self.seen = SeenVersions(versions)
        self.own = _steps.OwnAddress()

    def _is_of_environment(self, base_url: Optional[str]) -> bool:
        """The key of the environment never goes to another service than that of the environment."""
        named = os.environ.get("SIGNET_URL")
        return base_url is None or not named or self.base == _transport.base_of(named)

    def require_seed(self) -> bytes:
        if self.seed is None:
            message = "Pass seed=random_seed(), and keep it: nothing else opens the vault. Or set SIGNET_SEED."
            raise SignetCryptoError("seed_missing", message)
        return self.seed

    def wire(self, call: Call, headers: Optional[Mapping[str, str]]) -> Tuple[_transport.Wire, float]:
        operation = OPERATIONS[call.operation]
        wire = _transport.wire_of(
            self.base,
            operation,
            call.input,
            key=self.key,
            account=self.account_id,
            idempotency_key=call.idempotency_key,
            headers=headers,
        )
        wait = call.input.get("wait")
        least = wait + 15 if isinstance(wait, int) else 0
        return wire, max(call.timeout or self.timeout, least)


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
    ) -> None:
        """`account_id`: the account that a person's session acts for (the header `Signet-Account`).

        `versions`: a file that keeps the versions seen of each vault entry, so that a service cannot return an older
        one after a restart. One file for each account.
        """
        self._settings = Settings(base_url, key, seed, account_id, timeout, retries, versions)
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


def code_filters(
    address: Optional[str], sender: Optional[str], subject: Optional[str], after: Any
) -> Dict[str, Any]:
    filters = {"address": address, "from": sender, "subject": subject, "after": after}
    return {name: value for name, value in filters.items() if value is not None}
