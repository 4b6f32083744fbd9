"""Python's values as the service takes them."""

from __future__ import annotations

import base64
import datetime
import decimal
import mimetypes
import os
from typing import Any, Dict, Mapping

_BYTES = (bytes, bytearray, memoryview)


def _time(value: datetime.date) -> str:
    if not isinstance(value, datetime.datetime):
        return value.isoformat()
    return value.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")


def _amount(value: decimal.Decimal) -> str:
    if not value.is_finite():
        raise ValueError(f"{value} is no amount")
    # Without a point it would be atomic units.
    text = format(value.normalize(), "f")
    return text if "." in text else f"{text}.0"


def _attachment(given: Any, place: str) -> Any:
    if isinstance(given, os.PathLike):
        path = os.fspath(given)
        with open(path, "rb") as file:
            given = {"filename": os.path.basename(path), "content": file.read()}
    elif isinstance(given, tuple) and len(given) == 2:
        given = {"filename": given[0], "content": given[1]}
    elif isinstance(given, _BYTES):
        raise TypeError(f'{place} has no name: pass ("report.pdf", data)')
    if not isinstance(given, Mapping):
        raise TypeError(f"{place} must be a path, a name with bytes, or a dict with filename and content")
    made: Dict[str, Any] = dict(given)
    content = made.get("content")
    if isinstance(content, os.PathLike):
        with open(os.fspath(content), "rb") as file:
            made.setdefault("filename", os.path.basename(os.fspath(content)))
            content = file.read()
    if isinstance(content, _BYTES):
        made["content"] = base64.b64encode(bytes(content)).decode("ascii")
    guessed = mimetypes.guess_type(str(made.get("filename", "")))[0]
    if guessed and "content_type" not in made:
        made["content_type"] = guessed
    return plain(made, place)


def plain(value: Any, place: str) -> Any:
    """A value as JSON has it. Raises TypeError, with the place, for what has no such form."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, datetime.date):
        return _time(value)
    if isinstance(value, decimal.Decimal):
        return _amount(value)
    if isinstance(value, Mapping):
        return {str(name): plain(each, f"{place}.{name}") for name, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(each, f"{place}[{at}]") for at, each in enumerate(value)]
    if isinstance(value, _BYTES):
        raise TypeError(f"{place} takes no bytes: encode them as the field wants them. Attachments take bytes.")
    raise TypeError(f"{place} cannot be sent: {type(value).__name__}")


def plain_input(given: Mapping[str, Any]) -> Dict[str, Any]:
    """The input of an operation as JSON has it. Attachments may be paths and bytes."""
    made = {name: value for name, value in given.items() if name != "attachments"}
    attachments = given.get("attachments")
    found = {name: plain(value, name) for name, value in made.items()}
    if isinstance(attachments, (list, tuple)):
        found["attachments"] = [_attachment(each, f"attachments[{at}]") for at, each in enumerate(attachments)]
    elif attachments is not None:
        raise TypeError("attachments must be a list")
    return found
