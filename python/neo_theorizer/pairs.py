"""Pairs of observations as arrays, and where they come from."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._core import Space
from ._progress import Progress, callback_of

PathLike = Union[str, "os.PathLike[str]"]
_DIGITS_IN_INT64 = 62  # bits that are safe


def _fits_int64(space: Space) -> bool:
    return space.size * np.log2(space.values[0]) <= _DIGITS_IN_INT64


def is_numbers(space: Space) -> bool:
    """Whether observations of a space are whole numbers that users see as such, and not as their digits."""
    return space.layout == "number" and _fits_int64(space)


def from_digits(space: Space, rows: np.ndarray) -> np.ndarray:
    """Digits [..., d] to whole numbers [...]."""
    weights = space.values[0] ** np.arange(space.size - 1, -1, -1, dtype=np.int64)
    return rows.astype(np.int64) @ weights


def to_digits(space: Space, numbers: Any) -> np.ndarray:
    """Whole numbers [n] to digits [n, d]."""
    rest = np.array(numbers, dtype=np.int64, ndmin=1)
    base, size = space.values[0], space.size
    if rest.min(initial=0) < 0 or rest.max(initial=0) >= base**size:
        raise _core.UsageError(f"these numbers are no {space}")
    return ((rest[:, None] // base ** np.arange(size - 1, -1, -1, dtype=np.int64)) % base).astype(np.uint8)


def to_user(space: Space, rows: np.ndarray) -> np.ndarray:
    """Stored observations [n, *shape] in the form users give them: numbers as integers [n], others as they are."""
    return from_digits(space, rows) if is_numbers(space) else rows


def _stored(space: Space) -> np.dtype:
    if space.kind == "real":
        return np.dtype(np.float32)
    return np.dtype(np.uint8 if space.kind == "pixels" or max(space.values) <= 256 else np.uint16)


def encode_one(space: Space, value: Any) -> np.ndarray:
    """One observation, in any form that its layout can be written in, as [*shape]."""
    if isinstance(value, str):
        return np.asarray(_core.parse(space, value))
    if is_numbers(space) and np.ndim(value) == 0:
        return to_digits(space, value)[0]
    array = np.asarray(value)
    if array.shape == space.shape and array.dtype == _stored(space):
        return array
    return np.asarray(_core.encode(space, array))


def encode_all(space: Space, values: Any) -> np.ndarray:
    """Observations [n, ...] as [n, *shape], in the stored type; no copy where they already are."""
    if is_numbers(space) and not isinstance(values, np.ndarray):
        values = np.asarray(values)
    if is_numbers(space) and values.ndim == 1:
        return to_digits(space, values)
    if isinstance(values, np.ndarray) and values.shape[1:] == space.shape and values.dtype == _stored(space):
        return values
    return np.stack([encode_one(space, value) for value in values])


def is_batch(space: Space, value: Any) -> bool:
    """Whether these are several observations: one dimension more than one has."""
    one = 0 if is_numbers(space) else len(space.shape)
    return not isinstance(value, str) and np.ndim(value) == one + 1


@dataclass(eq=False, repr=False)
class Pairs:
    """Pairs (x, y) of observations.

    x, y      [n, *shape]; whole numbers as integers [n]
    space     what an observation is
    group     [n] pairs known to share their program have the same number; -1: none. Empty: no groups.
              For evaluation only: learning does not look at it.
    program   n names of what happened, where that is known; for scoring only
    held_out  [n] bool, not learned from
    """

    x: np.ndarray
    y: np.ndarray
    space: Space
    group: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    program: List[str] = field(default_factory=list)
    held_out: np.ndarray = field(default_factory=lambda: np.empty(0, bool))
    source: str = ""
    benchmark: str = ""
    split: str = ""
    alpha: float = 1.0
    report: Dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, rows: Any) -> "Pairs":
        """Some of the pairs: a slice, a mask, or a list of their numbers."""
        if isinstance(rows, (int, np.integer)):
            rows = [rows]
        chosen = np.arange(len(self))[rows]

        def of(column: np.ndarray) -> np.ndarray:
            return column[chosen] if len(column) else column

        program = [self.program[i] for i in chosen] if self.program else []
        return Pairs(self.x[chosen], self.y[chosen], self.space, of(self.group), program, of(self.held_out),
                     self.source, self.benchmark, self.split, self.alpha)

    def episodes(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Support x, support y, query x, query y, each [e, ...]: the first pair of a group supports the second, the
        third the fourth, and so on. Pairs without a partner are left out."""
        waiting: Dict[int, int] = {}
        supports: List[int] = []
        queries: Dict[int, int] = {}
        for row, group in enumerate(self.group):
            if group < 0:
                continue
            if group in waiting:
                queries[waiting.pop(group)] = row
            else:
                waiting[group] = row
                supports.append(row)
        supports = [row for row in supports if row in queries]
        second = [queries[row] for row in supports]
        return self.x[supports], self.y[supports], self.x[second], self.y[second]

    def save(self, path: PathLike) -> None:
        """Writes a file of pairs (.h5), as `neo data import` makes them."""
        _core.write_pairs(path, self.space, encode_all(self.space, self.x), encode_all(self.space, self.y),
                          [int(g) for g in self.group], list(self.program), [bool(h) for h in self.held_out],
                          self.source)

    def __repr__(self) -> str:
        held = f", {int(self.held_out.sum())} of them held out" if len(self.held_out) else ""
        groups = f", {len(set(self.group.tolist()) - {-1})} groups" if len(self.group) else ""
        return f"<{len(self)} pairs of {self.space}{held}{groups}>"

    def _repr_html_(self, count: int = 4) -> str:
        return f"<p>{repr(self)[1:-1]}</p>{draw_pairs(self[:count])}"


def draw_pairs(pairs: Pairs) -> str:
    """The pairs beside each other, as SVG."""
    x, y = encode_all(pairs.space, pairs.x), encode_all(pairs.space, pairs.y)
    return _core.draw_pairs(pairs.space, [""], [x], [y])


def _part(path: PathLike, held_out: bool) -> Tuple[Pairs, Dict[str, Any]]:
    space, x, y, group, program, about_text = _core.read_pairs(path, held_out)
    about = json.loads(about_text)
    names = about["programs"]
    return Pairs(to_user(space, x), to_user(space, y), space, group if about["grouped"] else np.empty(0, np.int32),
                 [names[i] if i >= 0 else "" for i in program] if names else [], np.full(len(x), held_out),
                 about["source"], about["benchmark"], about["split"], about["alpha"]), about


def read_pairs(path: PathLike) -> Pairs:
    """All pairs of a file that neo made, or of the official release of the benchmark."""
    main, _ = _part(path, False)
    held, _ = _part(path, True)
    if len(held) == 0:
        main.held_out = np.empty(0, bool)
        return main
    join = np.concatenate
    return Pairs(join([main.x, held.x]), join([main.y, held.y]), main.space,
                 join([main.group, held.group]) if len(main.group) else main.group, main.program + held.program,
                 join([main.held_out, held.held_out]), main.source, main.benchmark, main.split, main.alpha)


def import_options(*, layout: Optional[str] = None, values: int = 0, lags: Tuple[int, int] = (1, 3), group: str = "",
                   field: str = "", hold_out: float = 0.1) -> _core.ImportOptions:
    return _core.ImportOptions(layout or "", values, lags[0], lags[1], group, field, hold_out)


def import_pairs(*sources: PathLike, seed: int = 42, progress: Progress = False, **options: Any) -> Pairs:
    """Pairs of anything that `neo data import` reads: .npz, .npy, JSON, CSV, pictures, recordings.

    Options: layout (grid, sequence, number, image or vector), values (how many there are), lags (first, last),
    group and field (names of columns or arrays), hold_out (share, 0.1).
    `pairs.report` holds what the import found.
    """
    with tempfile.TemporaryDirectory(prefix="neo-") as folder:
        out = Path(folder, "pairs.h5")
        report = _core.import_pairs([Path(s) for s in sources], out, seed, import_options(**options),
                                    callback_of(progress))
        found = read_pairs(out)
    found.report = json.loads(report)
    return found


def save_arrays(path: PathLike, x: Any, y: Any, group: Optional[Any] = None, program: Optional[Sequence[str]] = None) -> None:
    """Arrays as the .npz file that the import reads."""
    arrays = {"x": np.asarray(x), "y": np.asarray(y)}
    if group is not None:
        arrays["group"] = np.asarray(group)
    if program is not None:
        arrays["program"] = np.asarray(program)
    np.savez(path, **arrays)


def pairs(x: Any, y: Any, *, group: Optional[Any] = None, program: Optional[Sequence[str]] = None, seed: int = 42,
          **options: Any) -> Pairs:
    """Pairs of arrays x, y [n, ...], with the space that follows from their values (`import_pairs` names the options)."""
    with tempfile.TemporaryDirectory(prefix="neo-") as folder:
        path = Path(folder, "pairs.npz")
        save_arrays(path, x, y, group, program)
        return import_pairs(path, seed=seed, **options)


def pairs_from_trajectories(obs: Any, ends: Any, lags: Tuple[int, int] = (1, 3), *, seed: int = 42,
                            **options: Any) -> Pairs:
    """Pairs (o_t, o_t+k) of trajectories, k drawn from lags for every t.

    obs   [t, ...] observations, trajectory after trajectory
    ends  [t] bool: the last observation of a trajectory
    """
    observations, last = np.asarray(obs), np.asarray(ends, dtype=bool)
    if last.ndim != 1 or len(last) != len(observations):
        raise _core.UsageError(f"ends needs one flag per observation, [{len(observations)}], not {list(last.shape)}")
    with tempfile.TemporaryDirectory(prefix="neo-") as folder:
        path = Path(folder, "trajectories.npz")
        np.savez(path, observations=observations, ends=last)
        return import_pairs(path, seed=seed, lags=lags, **options)


def from_minari(path: PathLike, lags: Tuple[int, int] = (1, 3), **options: Any) -> Pairs:
    """Pairs of the episodes in a Minari data set: its folder, or its main_data.hdf5. `field` chooses one of several
    observations."""
    return import_pairs(path, lags=lags, **options)


def _observation(value: Any, field: str) -> np.ndarray:
    """One observation of an environment; of several, the one called `field`, or the largest."""
    if not isinstance(value, dict):
        return np.asarray(value)
    arrays = {name: np.asarray(part) for name, part in value.items() if not isinstance(part, str)}
    if field and field not in arrays:
        raise _core.UsageError(f"the environment observes {', '.join(sorted(value))}, not '{field}'")
    return arrays[field] if field else max(arrays.values(), key=lambda part: part.size)


def from_gymnasium(env: Any, steps: int = 10_000, lags: Tuple[int, int] = (1, 3), *, policy: Any = None, seed: int = 42,
                   field: str = "", **options: Any) -> Pairs:
    """Pairs from acting in a Gymnasium environment, at random unless `policy(observation)` gives the action.

    env   an environment or its name
    """
    if isinstance(env, str):
        import gymnasium

        env = gymnasium.make(env)
    env.action_space.seed(seed)
    observation, _ = env.reset(seed=seed)
    seen, ends = [_observation(observation, field)], [False]
    while len(seen) < steps:
        action = env.action_space.sample() if policy is None else policy(observation)
        observation, _, terminated, truncated, _ = env.step(action)
        seen.append(_observation(observation, field))
        ends.append(bool(terminated or truncated))
        if ends[-1] and len(seen) < steps:
            observation, _ = env.reset()
            seen.append(_observation(observation, field))
            ends.append(False)
    ends[-1] = True
    return pairs_from_trajectories(np.stack(seen), ends, lags, seed=seed, **options)


def from_parquet(path: PathLike, columns: Union[str, Tuple[str, str]] = ("x", "y"), *, episode: str = "episode_index",
                 lags: Tuple[int, int] = (1, 3), **options: Any) -> Pairs:
    """Pairs of a Parquet file or a folder of them (also LeRobot's data folder), read with pyarrow.

    columns   two names: x and y. One name: observations in order, trajectory after trajectory, which the column
              `episode` tells apart ("observation.state" in LeRobot's files).
    """
    import pyarrow.parquet as parquet

    names = [columns, episode] if isinstance(columns, str) else list(columns)
    table = parquet.read_table(os.fspath(path), columns=names)
    missing = sorted(set(names) - set(table.column_names))
    if missing:
        raise _core.UsageError(f"{os.fspath(path)} has no column {', '.join(missing)}")
    arrays = [np.array(table[name].to_pylist()) for name in names]
    if not isinstance(columns, str):
        return pairs(arrays[0], arrays[1], **options)
    ends = np.append(arrays[1][1:] != arrays[1][:-1], True)
    return pairs_from_trajectories(arrays[0], ends, lags, **options)
