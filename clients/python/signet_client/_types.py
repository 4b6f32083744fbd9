from __future__ import annotations

import datetime
import decimal
import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple, TypeVar, Union

Json = Dict[str, Any]
T = TypeVar("T")


class Unset:
    """The value of an argument that is not sent. None is sent as null."""

    def __bool__(self) -> bool:
        return False


UNSET = Unset()

Time = Union[str, datetime.date]
"""A time as the service writes it, or a `datetime`. Without a zone it is local time. A `date` for a whole day."""
Amount = Union[int, str, decimal.Decimal]
"""Atomic units as an int (1,000,000 is 1 USDC), or USDC: `"3.00"`, `Decimal("3")`."""
Attachment = Union[Mapping[str, Any], "os.PathLike[str]", Tuple[str, Union[bytes, bytearray, memoryview]]]
"""A path, a name with bytes, or `{"filename", "content", "content_type"}`, with bytes or base64 as content."""


def or_unset(value: Optional[T]) -> Union[T, Unset]:
    """An argument that None leaves out, because the service takes no null there."""
    return UNSET if value is None else value


class Methods:
    """A group of methods, each the call of an operation."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._call = client._method


@dataclass(frozen=True)
class Operation:
    """The request of an operation."""

    method: str
    path: str
    repeatable: bool
    """True if a retry is safe."""
    query: List[str]
    """The input fields that go into the query: `name`, or `query_name:name` where the body has that name too."""
    body: str
    """`none`, `fields`, or `whole`: the input's `body`."""
    reply: str
    """`json`, `bytes`, `text` or `location`."""
    items: Optional[str] = None
    cursor: Optional[str] = None
    next: List[str] = field(default_factory=list)
    own: Optional[str] = None
    """The field that takes the only address of the account when it is left out."""
