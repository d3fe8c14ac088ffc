"""Theories: learned, opened, asked."""

from __future__ import annotations

import html
import json
import os
import shutil
import tempfile
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._core import Space
from ._progress import Progress, callback_of
from .pairs import (Pairs, PathLike, encode_all, encode_one, import_options, is_batch, save_arrays,
                    to_user)

Program = Union[str, Sequence[int], "ProgramRun", "Explanation"]


def program_text(codes: Sequence[int]) -> str:
    """[4, 6] as "z4 z6"."""
    return " ".join(f"z{code}" for code in codes)


@dataclass(eq=False, repr=False)
class ProgramRun:
    """A program and what it does to an x, step by step.

    codes            k codes
    trace            [k + 1, *shape] x, then the result of each code
    losses           k losses l(y, y^) after each step; empty where no y is known
    exact            the result is y
    explained        the same, or to within the theory's tolerance
    log_probability  of the codes under the programmer; 0 where it did not propose them
    """

    codes: List[int]
    trace: np.ndarray
    losses: List[float]
    exact: bool
    explained: bool
    log_probability: float
    space: Space = field(repr=False)
    mass: float = 1.0  #: posterior probability among the programs that were looked at
    target: Optional[np.ndarray] = field(default=None, repr=False)
    _theory: Any = field(default=None, repr=False, compare=False)

    @property
    def program(self) -> str:
        """The codes as text: "z4 z6"."""
        return program_text(self.codes)

    @property
    def result(self) -> Any:
        """What comes out."""
        return to_user(self.space, self.trace[-1:])[0]

    def __repr__(self) -> str:
        verdict = "" if self.target is None else ", gives y" if self.explained else ", does not give y"
        return f"<{self.program or 'the empty program'}: {len(self.codes)} step{'s' * (len(self.codes) != 1)}{verdict}>"

    def svg(self) -> str:
        """Every state under its code, as SVG."""
        return self._theory.draw_program(repr(self)[1:-1], self.codes, self.trace, self.losses, self.target)

    def _repr_html_(self) -> str:
        return self.svg()


@dataclass(eq=False, repr=False)
class Explanation(ProgramRun):
    """The program of a pair, why it has its length, and what else would do.

    lengths       one entry per length that was tried: length, loss, weighted, exact, explained
    reason        why this length, in a sentence
    alternatives  other programs, exact ones first, then the likeliest
    """

    lengths: List[Dict[str, Any]] = field(default_factory=list)
    reason: str = ""
    alternatives: List[ProgramRun] = field(default_factory=list)

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{run.mass:.3f}</td><td>{run.program}</td><td>{'exact' if run.exact else ''}</td></tr>"
                       for run in self.alternatives)
        table = f"<table><tr><th>mass</th><th>alternative</th><th></th></tr>{rows}</table>" if rows else ""
        return f"{self.svg()}<p>{html.escape(self.reason)}</p>{table}"


@dataclass(eq=False)
class Code:
    """What one code does.

    name       in words, where it is simple; else empty
    primitive  the true operation that it acts as, where these are known
    usage      share of all steps of explanations
    before, after  [n, *shape] examples
    """

    code: int
    name: str
    primitive: str
    usage: float
    programs: float
    agreement: float
    unchanged: float
    before: np.ndarray = field(repr=False)
    after: np.ndarray = field(repr=False)


@dataclass(eq=False, repr=False)
class Vocabulary:
    """The codes of a theory, those in use first, and how they relate.

    relations  no_ops, duplicates, inverses, commuting, composites; each with the share of inputs on which it holds
    """

    codes: List[Code]
    relations: Dict[str, Any] = field(repr=False)
    primitiveness: Optional[float]
    explained_pairs: int
    mean_length: float
    space: Space = field(repr=False)

    def __iter__(self) -> Iterator[Code]:
        return iter(self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, code: int) -> Code:
        """The code with this number."""
        return next(entry for entry in self.codes if entry.code == code)

    def __repr__(self) -> str:
        lines = [f"<vocabulary of {len(self)} codes>"]
        lines += [f"  z{c.code:<4}{c.name:<40}{100 * c.usage:6.1f} % of steps"
                  for c in self.codes]
        return "\n".join(lines)

    def svg(self) -> str:
        """Each code with examples of what it does, as SVG."""
        titles = [f"z{c.code} {c.name} ({100 * c.usage:.0f} % of steps)" for c in self.codes]
        return _core.draw_pairs(self.space, titles, [c.before for c in self.codes], [c.after for c in self.codes])

    def _repr_html_(self) -> str:
        return self.svg()


@dataclass
class Score:
    """How well a theory explains pairs.

    explained    share of pairs whose program gives y, to within the theory's tolerance
    error        mean distance of what programs give from y
    transfer     the same program on another pair of the group: share of exact answers, or mean error; None: no groups
    mean_length  of the programs
    """

    pairs: int
    explained: float
    error: float
    transfer: Optional[float]
    mean_length: float
    record: Dict[str, Any] = field(repr=False)


class Theory:
    """A learned theory. Made by `learn` and `load`; safe to use from several threads, one at a time."""

    def __init__(self, core: _core.Theory, run: Optional[Path] = None, learned: Optional[Dict[str, Any]] = None) -> None:
        self._core = core
        self.run_folder = run  #: where it was learned
        self.learned = learned or {}  #: what `neo learn --json` says

    @property
    def space(self) -> Space:
        """What an observation is."""
        return self._core.space

    @property
    def codes(self) -> int:
        """Size of the vocabulary."""
        return self._core.codes

    @property
    def info(self) -> Dict[str, Any]:
        """Where it comes from: benchmark, source, preset, seed, policy, names of codes and more."""
        return json.loads(self._core.info)

    @property
    def policy(self) -> Dict[str, Any]:
        """How it explains: steps, lambda, tolerance, search and more; `set_policy` changes it."""
        return self.info["policy"]

    def set_policy(self, **changes: Any) -> None:
        self._core.set_policy(_settings(changes))

    @property
    def examples(self) -> Pairs:
        """A few pairs that it was not trained on."""
        x, y, group, program = self._core.examples
        return Pairs(to_user(self.space, x), to_user(self.space, y), self.space,
                     group if (group >= 0).any() else group[:0], program if any(program) else [])

    def explain(self, x: Any, y: Any, *, alternatives: int = 5, seed: int = 42, **policy: Any) -> Explanation:
        """The program for x -> y.

        x, y    one observation each: [*shape], a whole number, or text in the layout's form
        policy  changes for this call: search="beam", steps=6, draws=256, tolerance=0.1, ...
        """
        target = encode_one(self.space, y)
        text, seen = self._core.explain(encode_one(self.space, x), target, _settings(policy), alternatives, seed)
        found = json.loads(text)
        run = self._run(found["run"], seen, target)
        others = [self._run(entry["run"], seen, target, entry["mass"]) for entry in found["alternatives"]]
        return Explanation(**{**vars(run), "mass": found["mass"]}, lengths=found["lengths"], reason=found["reason"],
                           alternatives=others)

    def _run(self, found: Dict[str, Any], seen: np.ndarray, target: Optional[np.ndarray], mass: float = 1.0) -> ProgramRun:
        return ProgramRun(found["codes"], seen[found["trace"]], found["losses"], found["exact"], found["explained"],
                          found["log_probability"], self.space, mass, target, self._core)

    def codes_of(self, program: Program) -> List[int]:
        """A program in any form as codes: "z4 z6", [4, 6] or an explanation."""
        if isinstance(program, ProgramRun):
            return list(program.codes)
        return self._core.parse_program(program if isinstance(program, str) else program_text(program))

    def run(self, program: Program, x: Any) -> Any:
        """What a program makes of x: one observation, or several [n, ...] at once."""
        codes = self.codes_of(program)
        if is_batch(self.space, x):
            return to_user(self.space, np.asarray(self._core.run_batch(codes, encode_all(self.space, x))))
        return to_user(self.space, np.asarray(self._core.run_batch(codes, encode_one(self.space, x))))[0]

    def trace(self, program: Program, x: Any, y: Any = None) -> ProgramRun:
        """The same for one x, with every intermediate state, and the losses where y is given."""
        target = None if y is None else encode_one(self.space, y)
        text, seen = self._core.run_one(self.codes_of(program), encode_one(self.space, x), target)
        return self._run(json.loads(text), seen, target)

    def _given(self, pairs: Union[Pairs, Tuple[Any, Any], None]) -> _core.GivenPairs:
        if pairs is None:
            pairs = self.examples
        if not isinstance(pairs, Pairs):
            x, y = pairs
            pairs = Pairs(np.asarray(x), np.asarray(y), self.space)
        elif len(pairs.held_out) and pairs.held_out.any():
            pairs = pairs[pairs.held_out]
        return _core.GivenPairs(self.space, encode_all(self.space, pairs.x), encode_all(self.space, pairs.y),
                                [int(g) for g in pairs.group], list(pairs.program), pairs.benchmark, pairs.split)

    def vocabulary(self, pairs: Union[Pairs, Tuple[Any, Any], None] = None, *, examples: int = 3) -> Vocabulary:
        """The codes, tried on these pairs (those held out, where some are); without pairs on the theory's examples."""
        text, seen = self._core.vocabulary(self._given(pairs), examples)
        found = json.loads(text)
        codes = [Code(c["code"], c["name"], c["primitive"], c["usage"], c["programs"], c["agreement"], c["unchanged"],
                      seen[[e["before"] for e in c["examples"]]], seen[[e["after"] for e in c["examples"]]])
                 for c in found["codes"]]
        codes.sort(key=lambda c: (c.usage == 0, c.code))
        known = bool(found["vocabulary"].get("primitives"))
        return Vocabulary(codes, found["relations"], found["vocabulary"]["primitiveness"] if known else None,
                          found["pairs"], found["mean_length"], self.space)

    def evaluate(self, pairs: Union[Pairs, Tuple[Any, Any]]) -> Score:
        """Explains the pairs (those held out, where some are) as `neo eval` does."""
        record = json.loads(self._core.evaluate(self._given(pairs)))
        return Score(record["episodes"], record["explained"], record["error"], record.get("transfer"),
                     record["mean_length"], record)

    def programs(self, pairs: Union[Pairs, Tuple[Any, Any]]) -> List[Tuple[List[int], bool]]:
        """The codes of every pair's program, and whether it explains the pair: `explain` for many at once."""
        return [(codes, explained) for codes, explained in json.loads(self._core.programs(self._given(pairs)))]

    def error(self, observation: Any, target: Any) -> float:
        """How far an observation is from another, as evaluation measures it."""
        return self._core.error(encode_one(self.space, observation), encode_one(self.space, target))

    def save(self, path: PathLike) -> None:
        """Writes one .safetensors file, which `load` and every `neo` command open."""
        self._core.save(path)

    def copy(self) -> "Theory":
        """Another one like it, for another thread."""
        return Theory(self._core.copy(), self.run_folder, self.learned)

    def __reduce__(self) -> Tuple[Any, ...]:
        with tempfile.TemporaryDirectory(prefix="neo-") as folder:
            self.save(Path(folder, "theory"))
            return _from_bytes, (Path(folder, "theory").read_bytes(), self.run_folder, self.learned)

    def __repr__(self) -> str:
        return f"<Theory of {self.space} with {self.codes} codes, from {self.info['source']}>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self)[1:-1])}</p>{self.vocabulary()._repr_html_()}"


def _from_bytes(content: bytes, run: Optional[Path], learned: Dict[str, Any]) -> Theory:
    """A pickled theory."""
    with tempfile.TemporaryDirectory(prefix="neo-") as folder:
        Path(folder, "theory").write_bytes(content)
        return Theory(_core.Theory.open(Path(folder, "theory")), run, learned)


def _settings(changes: Dict[str, Any]) -> List[str]:
    """Keywords as the assignments that --set takes; lambda_ stands for lambda."""
    def text(value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    return [f"{key.rstrip('_')}={text(value)}" for key, value in changes.items()]


def shipped_theories() -> List[str]:
    """Names that `load` knows."""
    return sorted(path.stem for path in (Path(__file__).parent / "weights").glob("*.safetensors"))


def load(path: PathLike) -> Theory:
    """Opens a theory: a weights file, a run folder, or a shipped one by name ("imaging-0.66")."""
    name = os.fspath(path)
    if not os.path.exists(name):
        for known in shipped_theories():
            if name in (known, known.replace("alpha", "")):
                return Theory(_core.Theory.open(Path(__file__).parent / "weights" / f"{known}.safetensors"))
        raise _core.UsageError(f"there is no '{name}'; shipped theories are {', '.join(shipped_theories())}")
    return Theory(_core.Theory.open(name), Path(name) if os.path.isdir(name) else None)


def _sources_of(x: Any, y: Any, group: Any, program: Any, folder: Path) -> List[Path]:
    """What to learn from, as files."""
    if isinstance(x, Pairs):
        x.save(folder / "pairs.h5")
        return [folder / "pairs.h5"]
    if y is not None:
        save_arrays(folder / "pairs.npz", x, y, group, program)
        return [folder / "pairs.npz"]
    names = [x] if isinstance(x, (str, os.PathLike)) else list(x)
    return [Path(name) for name in names]


def learn(x: Any, y: Any = None, *, group: Any = None, program: Optional[Sequence[str]] = None, minutes: float = 0,
          codes: int = 0, preset: str = "auto", seed: int = 42, out: Optional[PathLike] = None,
          progress: Progress = True, **options: Any) -> Theory:
    """Learns a theory of pairs.

    x, y      arrays [n, ...]; or x alone: `Pairs`, or files that `neo data import` reads
    group     [n] pairs known to share a program; program: n names of what happened. Both for scoring only
    minutes   about; 0: as long as it takes
    codes     size of the vocabulary; 0: found, or the preset's
    out       folder of the run; without it a temporary one, which `theory.run_folder` names
    progress  a tqdm bar, or a callable (label, done, total, rate, suffix, finished)
    options   of `import_pairs`: layout, values, lags, group, field, hold_out

    Ctrl-C raises KeyboardInterrupt; its message says how to go on, and how to open what was learned until then.
    """
    run = Path(out) if out is not None else Path(tempfile.mkdtemp(prefix="neo-"), "theory")
    with tempfile.TemporaryDirectory(prefix="neo-") as folder:
        sources = _sources_of(x, y, group, program, Path(folder))
        if isinstance(x, Pairs):  # stays with the run, which names it
            run.mkdir(parents=True, exist_ok=True)
            if not (run / "pairs.h5").exists():
                shutil.move(sources[0], run / "pairs.h5")
            sources = [run / "pairs.h5"]
        try:
            learned = json.loads(_core.learn(sources, run, float(minutes), codes, preset, seed, import_options(**options),
                                             callback_of(progress)))
        except KeyboardInterrupt as interrupt:
            again = f"the same call with out={str(run)!r} continues, load({str(run)!r}) opens what was learned so far"
            raise KeyboardInterrupt(f"interrupted; {again}") from interrupt
    if not learned["theory"]:
        warnings.warn("no theory found: nothing that these pairs have in common carries over to pairs held out",
                      stacklevel=2)
    return Theory(_core.Theory.open(run), run, learned)
