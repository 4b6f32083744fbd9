from __future__ import annotations

from typing import Any, Dict, List, Optional


class SignetError(Exception):
    """An error reply of the service. Compare `code`, never the message."""

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
