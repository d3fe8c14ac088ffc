"""One LibTorch per process: two of them would share symbols and crash."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import sys
from typing import Any, Optional, Sequence


def _library_of(package: str) -> Optional[str]:
    """The LibTorch that a `torch` package at `package` brings along; None where it uses the system's."""
    library = os.path.join(package, "lib", "libtorch_cpu.so")
    return os.path.realpath(library) if os.path.exists(library) else None


def _refuse(package: str, ours: str) -> None:
    theirs = _library_of(package)
    if theirs is not None and theirs != ours:
        raise ImportError(
            f"neo_theorizer was built with {ours}, and torch brings {theirs}: two LibTorches in one process would "
            "crash; reinstall neo_theorizer in this environment to build it with its torch, or use two processes"
        )


class _Guard(importlib.abc.MetaPathFinder):
    """Looks at `import torch` before it happens."""

    def __init__(self, ours: str) -> None:
        self.ours = ours

    def find_spec(self, name: str, path: Optional[Sequence[str]], target: Any = None) -> None:
        if name == "torch":
            found = importlib.machinery.PathFinder.find_spec(name, path)
            if found is not None and found.origin:
                _refuse(os.path.dirname(found.origin), self.ours)


def refuse_another(ours: str) -> None:
    """Refuses a `torch` that was or will be imported, if it brings another LibTorch than the file `ours`."""
    ours = os.path.realpath(ours)
    torch = sys.modules.get("torch")
    place = getattr(torch, "__file__", None)
    if place:
        _refuse(os.path.dirname(place), ours)
    else:
        sys.meta_path.insert(0, _Guard(ours))
