"""An estimator in scikit-learn's style."""

from __future__ import annotations

from collections import Counter
from typing import Any, Optional

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d

from .theory import Program, Theory, learn

_PAIRS_FOR_PROGRAM = 50  # explained to find the most frequent program


def _observations(values: Any, name: str, least: int = 1) -> np.ndarray:
    """Finite numbers [n, ...]; whole numbers may be [n]."""
    if np.ndim(values) == 1 and np.asarray(values).dtype.kind in "iu":
        return column_or_1d(values)
    return check_array(values, allow_nd=True, ensure_min_samples=least, input_name=name)


class Theorizer(BaseEstimator):
    """Learns a theory of pairs (x, y), both [n, ...] of the same form.

    Parameters are those of `neo_theorizer.learn`. Fitted attributes:

    theory_         the Theory
    program_        codes of the program that most of the pairs need, for predict() without a program
    n_features_in_  elements of an observation, where x is [n, d]
    """

    def __init__(self, minutes: float = 0, codes: int = 0, preset: str = "auto", seed: int = 42,
                 layout: Optional[str] = None, values: int = 0, progress: bool = False) -> None:
        self.minutes = minutes
        self.codes = codes
        self.preset = preset
        self.seed = seed
        self.layout = layout
        self.values = values
        self.progress = progress

    def fit(self, X: Any, y: Any) -> "Theorizer":
        """Learns from X and y, [n, ...] each."""
        if y is None:
            raise ValueError("Theorizer requires y to be passed, but the target y is None")
        x, target = _observations(X, "X", least=2), _observations(y, "y", least=2)
        if x.shape != target.shape:
            raise ValueError(f"y needs the shape of X, {list(x.shape)}, not {list(target.shape)}")
        self.theory_: Theory = learn(x, target, minutes=self.minutes, codes=self.codes, preset=self.preset,
                                     seed=self.seed, layout=self.layout, values=self.values, progress=self.progress)
        if x.ndim == 2:
            self.n_features_in_ = x.shape[1]
        rows = np.linspace(0, len(x) - 1, min(len(x), _PAIRS_FOR_PROGRAM)).astype(int)
        programs = Counter(tuple(codes) for codes, _ in self.theory_.programs((x[rows], target[rows])))
        self.program_ = list(programs.most_common(1)[0][0])
        return self

    def predict(self, X: Any, program: Optional[Program] = None) -> np.ndarray:
        """What a program makes of X; without one, the program that most pairs of the training data need."""
        check_is_fitted(self)
        return self.theory_.run(self.program_ if program is None else program, _observations(X, "X"))

    def score(self, X: Any, y: Any) -> float:
        """Share of the pairs that the theory explains."""
        check_is_fitted(self)
        return self.theory_.evaluate((_observations(X, "X"), _observations(y, "y"))).explained

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        tags.input_tags.three_d_array = True
        return tags
