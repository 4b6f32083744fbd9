from __future__ import annotations

from typing import Any, Dict, List, Optional, Type


class SignetError(Exception):
    """An error reply of the service. Catch a class below, or compare `code`, never the message."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        suggestion: Optional[str] = None,
        details: Optional[List[Dict[str, Any]]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        fields: Optional[Dict[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.suggestion = suggestion
        """What to do instead, where the service has an idea."""
        self.details = details or []
        """The faults of single fields."""
        self.request_id = request_id
        """Name it when you report a problem."""
        self.retry_after = retry_after
        """Seconds, from `Retry-After`."""
        self.fields = fields or {}
        """The other fields of the error: `limit`, `accepts`, `remaining`, and so on."""

    def __str__(self) -> str:
        hint = f" {self.suggestion}" if self.suggestion else ""
        return f"{self.code}: {self.message}{hint}"


class InvalidRequest(SignetError):
    """The request itself is at fault: see `details` and `suggestion`."""


class Unauthorized(SignetError):
    """The key is missing, unknown or has ended."""


class LimitReached(SignetError):
    """As many or as much as this account may have."""

    @property
    def limit(self) -> Optional[Dict[str, Any]]:
        """`name`, `used` and `max`, where the service says them."""
        found = (self.fields.get("limit"), self.fields.get("quota"))
        return next((limit for limit in found if isinstance(limit, dict)), None)


class PaymentRequired(LimitReached):
    """More than this tier has: pay one of `accepts`, or wait."""

    @property
    def accepts(self) -> List[Dict[str, Any]]:
        return list(self.fields.get("accepts") or [])


class BudgetExceeded(SignetError):
    """A charge over what is left of a cap."""


class Forbidden(SignetError):
    """This credential may not do this, or a policy does not allow it."""

    @property
    def required_scope(self) -> Optional[str]:
        return self.fields.get("required_scope")


class ApprovalRequired(Forbidden):
    """A person must decide it. `reply` is the reply that says so, if it waits for a decision already."""

    @property
    def reply(self) -> Dict[str, Any]:
        return self.fields

    @property
    def approval_id(self) -> Optional[str]:
        """For `approvals.wait`, if a charge waits."""
        return self.fields.get("approval_id")

    @property
    def review_id(self) -> Optional[str]:
        """If a mail waits."""
        return self.fields.get("review_id")


class NotFound(SignetError):
    """There is no such thing, or it is another account's."""


class Conflict(SignetError):
    """It was done, decided or changed meanwhile, or what it needs is missing."""


class VersionConflict(Conflict):
    """Another version is the latest."""

    @property
    def latest_version(self) -> Optional[int]:
        return self.fields.get("latest_version")


class Expired(Conflict):
    """It ended before it was decided."""


class RateLimited(SignetError):
    """Too many requests: wait `retry_after` seconds."""


class Unavailable(SignetError):
    """The service cannot do it now."""


_BY_STATUS: Dict[int, Type[SignetError]] = {
    401: Unauthorized,
    402: PaymentRequired,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Expired,
    412: VersionConflict,
    429: RateLimited,
}
_BY_CODE: Dict[str, Type[SignetError]] = {
    "budget_exceeded": BudgetExceeded,
    "single_tx_limit_exceeded": BudgetExceeded,
    "operator_required": ApprovalRequired,
    "passkey_required": ApprovalRequired,
    "storage_full": LimitReached,
    "limit_reached": LimitReached,
    "pod_limit_reached": LimitReached,
    "payload_too_large": LimitReached,
    "metadata_too_large": LimitReached,
    "body_too_large": LimitReached,
    "too_many_recipients": LimitReached,
}


def error_class(code: str, status: int) -> Type[SignetError]:
    """The class of a refusal, by its code and else by its status."""
    if code in _BY_CODE:
        return _BY_CODE[code]
    if code.endswith("_limit"):
        return LimitReached
    return _BY_STATUS.get(status) or (Unavailable if status >= 500 else InvalidRequest)


class SignetConnectionError(Exception):
    """No reply of the service. `code`: `unreachable`, `timeout`, or `unreadable` for another server's reply."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class SignetCryptoError(Exception):
    """Something sealed or signed did not hold; nothing of its content is given out. `code` says why, as in docs/client.md."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
