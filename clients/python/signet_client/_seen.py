from __future__ import annotations

import contextlib
import json
import os
from typing import Dict, Iterator, Optional, Union

try:
    import fcntl
except ImportError:  # Windows: processes there do not wait for each other.
    fcntl = None  # type: ignore[assignment]


class SeenVersions:
    """The highest proven version of each entry of one vault, in memory and in a file if one is given.

    With the file a service cannot return an older version after a restart either. It holds no secret.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]", None]) -> None:
        self._path: Optional[str] = None if path is None else os.fspath(path)
        self._memory: Dict[str, int] = {}

    def get(self, name: str) -> int:
        return max(self._memory.get(name, 0), self._read().get(name, 0))

    def note(self, name: str, version: int) -> None:
        """Raises what was seen. A lower version changes nothing."""
        self._memory[name] = max(self._memory.get(name, 0), version)
        if self._path is None or self._read().get(name, 0) >= version:
            return
        with self._locked(self._path) as kept:
            kept[name] = max(kept.get(name, 0), version)

    def forget(self, name: str) -> None:
        """Forgets an entry that the owner deleted."""
        self._memory.pop(name, None)
        if self._path is not None and name in self._read():
            with self._locked(self._path) as kept:
                kept.pop(name, None)

    def _read(self) -> Dict[str, int]:
        if self._path is None:
            return {}
        try:
            with open(self._path, encoding="utf-8") as file:
                return {str(name): int(version) for name, version in json.load(file).items()}
        except FileNotFoundError:
            return {}

    @contextlib.contextmanager
    def _locked(self, path: str) -> Iterator[Dict[str, int]]:
        """Changes the file while no other process does. Readers see the old file or the new one."""
        with open(f"{path}.lock", "a", encoding="utf-8") as lock:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            kept = self._read()
            yield kept
            draft = f"{path}.{os.getpid()}"
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump(kept, file)
            os.replace(draft, path)
