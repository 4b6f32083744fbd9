from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

Json = Dict[str, Any]


class Unset:
    """The value of an argument that is not sent. None is sent as null."""

    def __bool__(self) -> bool:
        return False


UNSET = Unset()


@dataclass(frozen=True)
class Operation:
    """The request of an operation."""

    method: str
    path: str
    repeatable: bool
    """True if a retry is safe."""
    query: List[str]
    body: str
    """`none`, `fields`, or `whole`: the input's `body`."""
    reply: str
    """`json`, `bytes`, `text` or `location`."""
    items: Optional[str] = None
    cursor: Optional[str] = None
    next: List[str] = field(default_factory=list)
    own: Optional[str] = None
    """The field that takes the only address of the account when it is left out."""
