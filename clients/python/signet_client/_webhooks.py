from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import List, Mapping, Union

from . import replies
from ._crypto import from_base64
from ._errors import SignetCryptoError

_SIGNATURES_MAX = 10


def _header(headers: Mapping[str, str], name: str) -> str:
    found = next((value for key, value in headers.items() if key.lower() == name), None)
    if not found:
        raise SignetCryptoError("signature_missing", f"The request has no {name} header.")
    return found


def _keys(secret: str) -> List[bytes]:
    keys = [secret.encode()]
    try:
        decoded = from_base64(secret[6:] if secret.startswith("whsec_") else secret)
    except SignetCryptoError:
        return keys
    return [*keys, decoded] if decoded else keys


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: Union[str, bytes], *, tolerance_seconds: float = 300
) -> replies.Event:
    """Verifies that a webhook is from the service (Standard Webhooks), and returns its content.

    `body`: the bytes as received. The event's id is the same in every attempt: skip the events you have handled.
    Raises SignetCryptoError `signature_missing`, `signature_invalid`, `expired`, `not_yet_valid` or `malformed`.
    """
    data = body.encode() if isinstance(body, str) else bytes(body)
    identifier = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature").split(" ")[:_SIGNATURES_MAX]
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise SignetCryptoError("malformed", "webhook-timestamp is not a number.")
    signed = f"{identifier}.{timestamp}.".encode() + data
    macs = [hmac.new(key, signed, hashlib.sha256).digest() for key in _keys(secret)]
    holds = False
    for signature in signatures:
        found = re.fullmatch(r"v1,([A-Za-z0-9+/]{43}=)", signature)
        if found:
            given = from_base64(found.group(1))
            holds = any([hmac.compare_digest(given, mac) for mac in macs]) or holds
    if not holds:
        raise SignetCryptoError("signature_invalid", "The signature is not valid for this secret and body.")
    age = time.time() - int(timestamp)
    if age > tolerance_seconds:
        raise SignetCryptoError("expired", f"It was sent {round(age)} seconds ago.")
    if age < -tolerance_seconds:
        raise SignetCryptoError("not_yet_valid", "Its time is in the future. Check the clocks.")
    try:
        event: replies.Event = json.loads(data)
        return event
    except ValueError:
        raise SignetCryptoError("malformed", "The body is not JSON.") from None
