"""The benchmark OTIB: its splits as arrays, and the score of anybody's predictions.

    splits = nt.otib.gridworld(alpha=0.33)
    x, y, query_x, query_y = splits["id"].episodes()      # explain x -> y, predict what becomes of query_x
    nt.otib.score(my_model(x, y, query_x), splits["id"])
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional

import numpy as np

from . import _core
from ._progress import Progress, callback_of
from .pairs import Pairs, PathLike, encode_all, read_pairs

_SPLITS = {"gridworld": "train id comp length", "arithmetic": "train id comp length", "imaging": "train id comp length"}


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base, "neo-theorizer")


class Splits(Mapping[str, Pairs]):
    """The splits of a benchmark by name: train, id, comp (not at alpha 1) and length. Made, bit for bit as the
    official ones, when they are first asked for, and kept."""

    def __init__(self, benchmark: str, alpha: float, episodes: int, folder: Optional[PathLike], pictures: PathLike,
                 progress: Progress) -> None:
        self.benchmark, self.alpha, self.episodes = benchmark, alpha, episodes
        self._root = Path(folder) if folder is not None else _cache()
        self._pictures, self._progress = Path(pictures) if pictures else Path(), progress
        self._loaded: Dict[str, Pairs] = {}

    def _folder(self, split: str) -> Path:
        size = f"-{self.episodes}" if self.episodes else ""
        name = f"{self.benchmark}-length" if split == "length" else f"{self.benchmark}-alpha{self.alpha:.2f}"
        return self._root / (name + size)

    def path(self, split: str) -> Path:
        """The file of a split, which `neo eval --data` takes too."""
        if split not in self:
            raise KeyError(f"{self.benchmark} at alpha {self.alpha:g} has the splits {', '.join(self)}, not '{split}'")
        path = self._folder(split) / f"{split}.h5"
        if not path.exists():
            _core.make_split(self.benchmark, self.alpha, split, self.episodes, self._folder(split), self._pictures,
                             callback_of(self._progress))
        return path

    def __getitem__(self, split: str) -> Pairs:
        if split not in self._loaded:
            self._loaded[split] = read_pairs(self.path(split))
        return self._loaded[split]

    def _names(self) -> List[str]:
        return [name for name in _SPLITS[self.benchmark].split() if name != "comp" or self.alpha < 1]

    def __contains__(self, split: object) -> bool:
        return split in self._names()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __repr__(self) -> str:
        return f"<splits of {self.benchmark} at alpha {self.alpha:g}: {', '.join(self)}>"


def gridworld(alpha: float = 0.33, *, episodes: int = 0, folder: Optional[PathLike] = None,
              progress: Progress = True) -> Splits:
    """Grids [10, 10] of 9 colours, in which an object moves. `episodes`: only the first of each split; 0: all."""
    return Splits("gridworld", alpha, episodes, folder, "", progress)


def arithmetic(alpha: float = 0.33, *, episodes: int = 0, folder: Optional[PathLike] = None,
               progress: Progress = True) -> Splits:
    """Numbers of six digits, which are multiplied. `episodes`: of each program; 0: all."""
    return Splits("arithmetic", alpha, episodes, folder, "", progress)


def imaging(alpha: float = 0.66, *, episodes: int = 0, folder: Optional[PathLike] = None,
            pictures: PathLike = "data/cifar10", progress: Progress = True) -> Splits:
    """Photographs [32, 32, 3], which are edited. `pictures`: what `neo data fetch cifar10` fetched."""
    return Splits("imaging", alpha, episodes, folder, pictures, progress)


@dataclass
class PredictionScore:
    """How good predictions of query outputs are.

    episodes  number of predictions
    exact     share that are right in every element
    error     mean distance: share of wrong elements, or mean L1 on [0, 1] of images
    transfer  what the tables of the benchmark show: `exact`, or `error` for images
    """

    episodes: int
    exact: float
    error: float
    transfer: float


def score(predictions: Any, split: Pairs) -> PredictionScore:
    """Scores predictions [e, ...] of what the hidden program of each episode makes of its query x."""
    _, _, _, truth = split.episodes()
    if len(predictions) != len(truth):
        raise _core.UsageError(f"{len(truth)} episodes need as many predictions, not {len(predictions)}")
    text = _core.score_predictions(split.space, encode_all(split.space, predictions), encode_all(split.space, truth))
    return PredictionScore(**json.loads(text))
