"""Progress of the library's loops as a tqdm bar, or for a callback."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Callable, Optional, Union

if find_spec("ipywidgets"):  # without it tqdm.auto warns in every notebook
    from tqdm.auto import tqdm
else:
    from tqdm import tqdm

#: (label, done, total, rate, suffix, finished); total is 0 where it is unknown
Callback = Callable[[str, int, int, float, str, bool], None]
Progress = Union[bool, Callback]


class _Bars:
    """One bar after the other: loops follow each other."""

    def __init__(self) -> None:
        self.bar: Optional[Any] = None
        self.label = ""

    def __call__(self, label: str, done: int, total: int, rate: float, suffix: str, finished: bool) -> None:
        if self.bar is None or label != self.label:
            self.close()
            self.bar, self.label = tqdm(total=total or None, desc=label, leave=False), label
        self.bar.total = total or None
        self.bar.set_postfix_str(suffix, refresh=False)
        self.bar.update(done - self.bar.n)
        if finished:
            self.close()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def callback_of(progress: Progress) -> Optional[Callback]:
    if callable(progress):
        return progress
    return _Bars() if progress else None
