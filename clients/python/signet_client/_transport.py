"""What both clients do alike: the request, the reply, and whether to try again. No input or output here."""

from __future__ import annotations

import datetime
import email.utils
import random
import re
import secrets
import urllib.parse
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Union

import httpx

from ._errors import SignetConnectionError, SignetError, error_class
from ._types import Json, Operation, Unset
from ._values import plain_input

RETRIES = 2
TIMEOUT_SECONDS = 30.0
_RETRY_AFTER_MAX = 30.0
_TRANSIENT = (502, 503, 504)


@dataclass
class Wire:
    method: str
    url: str
    params: Dict[str, str]
    headers: Dict[str, str]
    json: Any
    has_body: bool

    def arguments(self, timeout: float, key: Optional[str]) -> Dict[str, Any]:
        body = {"json": self.json} if self.has_body else {}
        headers = {**({"authorization": f"Bearer {key}"} if key else {}), **self.headers}
        # A followed redirect could send the request and its content anywhere.
        return {"params": self.params, "headers": headers, "timeout": timeout, "follow_redirects": False, **body}


@dataclass
class Reply:
    body: Any
    headers: httpx.Headers
    status: int


def base_of(base_url: str) -> str:
    return re.sub(r"[?#].*\Z", "", base_url).rstrip("/")


def _query_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def wire_of(
    base: str,
    operation: Operation,
    given: Mapping[str, Any],
    *,
    account: Optional[str],
    idempotency_key: Optional[str],
    dry_run: bool,
    headers: Optional[Mapping[str, str]],
) -> Wire:
    """Splits an input into path, query and body."""
    rest = plain_input({name: value for name, value in given.items() if not isinstance(value, Unset)})

    def part(found: "re.Match[str]") -> str:
        value = str(rest.pop(found.group(1), ""))
        if value in ("", ".", ".."):
            raise ValueError(f"{found.group(1)} is part of the path and cannot be {value!r}")
        return urllib.parse.quote(value, safe="")

    path = re.sub(r"\{(\w+)\}", part, operation.path)
    params: Dict[str, str] = {}
    for named in operation.query:
        name, _, in_query = named.partition(":")
        if name in rest:
            value = rest.pop(name)
            # Each member of an object is a parameter: `name.member=value`.
            members = value.items() if isinstance(value, dict) else [("", value)]
            for member, each in members:
                params[f"{in_query or name}.{member}" if member else in_query or name] = _query_value(each)
    takes_key = operation.method in ("POST", "PUT") and not dry_run
    sent = {
        **({"signet-account": account} if account else {}),
        # One for all attempts, so that the change happens once. A dry run changes nothing and takes none.
        **({"idempotency-key": idempotency_key or secrets.token_hex(16)} if takes_key else {}),
        **({"signet-dry-run": "true"} if dry_run else {}),
        **{name.lower(): value for name, value in (headers or {}).items()},
    }
    body = rest.get("body") if operation.body == "whole" else rest
    return Wire(operation.method, base + path, params, sent, body, operation.body != "none")


def _retry_after(headers: httpx.Headers) -> Optional[float]:
    value = headers.get("retry-after")
    if value is None:
        return None
    if re.fullmatch(r"[0-9]+", value):
        return float(value)
    try:
        at = email.utils.parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    seconds: float = (at - datetime.datetime.now(datetime.timezone.utc)).total_seconds()
    return max(0.0, seconds)


def _error_of(response: httpx.Response) -> Union[SignetError, SignetConnectionError]:
    status = response.status_code
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict) or not isinstance(body.get("error"), str):
        code = "unreachable" if status in _TRANSIENT else "unreadable"
        return SignetConnectionError(code, f"The reply with status {status} is not from this service.")
    fields = {name: value for name, value in body.items() if name not in ("error", "message", "details", "code")}
    suggestion = fields.get("suggestion")
    return error_class(body["error"], status)(
        str(body.get("message", f"The service replied with the error {body['error']}.")),
        code=body["error"],
        status=status,
        suggestion=suggestion if isinstance(suggestion, str) else None,
        details=body.get("details") if isinstance(body.get("details"), list) else [],
        request_id=response.headers.get("x-request-id"),
        retry_after=_retry_after(response.headers),
        fields=fields,
    )


def read_reply(operation: Operation, response: httpx.Response) -> Reply:
    """Raises SignetError, or SignetConnectionError for another server's reply."""
    location = response.headers.get("location")
    if operation.reply == "location" and location is not None:
        return Reply({"location": location}, response.headers, response.status_code)
    if response.status_code == 304:
        return Reply(None, response.headers, response.status_code)
    if 300 <= response.status_code < 400:
        raise SignetConnectionError("unreadable", f"The service redirects to {location}: use that as base_url.")
    if response.status_code >= 400:
        raise _error_of(response)
    if operation.reply == "bytes":
        return Reply(response.content, response.headers, response.status_code)
    if operation.reply == "text":
        return Reply(response.text, response.headers, response.status_code)
    try:
        return Reply(response.json() if response.content else None, response.headers, response.status_code)
    except ValueError:
        raise SignetConnectionError("unreadable", f"The reply to {operation.path} is not JSON.") from None


def connection_error(error: httpx.HTTPError, base: str) -> SignetConnectionError:
    if isinstance(error, httpx.TimeoutException):
        return SignetConnectionError("timeout", f"No reply of {base} in time.")
    return SignetConnectionError("unreachable", f"No reply from {base}: {error}")


def pause_before_retry(operation: Operation, error: Exception, attempt: int, retries: int) -> Optional[float]:
    """Seconds until the next attempt, or None if there is none."""
    if attempt >= retries:
        return None
    backoff = 0.25 * 2**attempt * (0.5 + random.random() / 2)
    if isinstance(error, SignetConnectionError):
        # If a retry could change something twice, the caller must find out what happened.
        return backoff if operation.repeatable and error.code != "unreadable" else None
    if not isinstance(error, SignetError):
        return None
    nothing_done = error.status in (429, 503) or error.code == "idempotency_in_progress"
    if not nothing_done and not (operation.repeatable and error.status in _TRANSIENT):
        return None
    if error.retry_after is None:
        return None if error.status == 429 else backoff
    return None if error.retry_after > _RETRY_AFTER_MAX else max(error.retry_after, backoff)


def next_cursor(operation: Operation, reply: Json, asked: Optional[Any]) -> Optional[Any]:
    found: Any = reply
    for name in operation.next:
        found = found[name]
    # A list that can grow returns the same cursor again at its end.
    return None if found is None or reply.get("has_more") is False or found == asked else found
