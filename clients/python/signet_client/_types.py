from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, TypeVar, Union

Json = Dict[str, Any]
T = TypeVar("T")


class Unset:
    """The value of an argument that is not sent. None is sent as null."""

    def __bool__(self) -> bool:
        return False


UNSET = Unset()


def or_unset(value: Optional[T]) -> Union[T, Unset]:
    """An argument that None leaves out, because the service takes no null there."""
    return UNSET if value is None else value


Perform = Callable[[str, Json, Optional[str]], Any]
"""Calls an operation, with its input and an idempotency key."""


class Methods:
    """A group of methods, each the call of an operation."""

    def __init__(self, perform: Perform) -> None:
        self._call = perform


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
