"""Learns theories from pairs of observations.

    import neo_theorizer as nt
    theory = nt.learn(x, y)              # arrays [n, ...]
    e = theory.explain(x[0], y[0])       # e.program, e.trace, e.alternatives
    theory.run(e.program, x[1])          # the same program on another input

docs/python.md is the guide.
"""

from . import _libtorch
from ._built_with import LIBTORCH as _LIBTORCH

_libtorch.refuse_another(_LIBTORCH)

from . import otib  # noqa: E402
from ._core import Error, Space, UsageError, libtorch_path, libtorch_version, set_threads, threads  # noqa: E402
from ._core import version as _version  # noqa: E402
from .pairs import (Pairs, from_gymnasium, from_minari, from_parquet, import_pairs, pairs,  # noqa: E402
                    pairs_from_trajectories, read_pairs)
from .theory import (Code, Explanation, ProgramRun, Score, Theory, Vocabulary, learn, load, program_text,  # noqa: E402
                     shipped_theories)

__version__ = _version()
for _public in (Error, Space, UsageError):  # as users know them
    _public.__module__ = __name__
__all__ = [
    "Code", "Error", "Explanation", "Pairs", "ProgramRun", "Score", "Space", "Theory", "UsageError", "Vocabulary",
    "from_gymnasium", "from_minari", "from_parquet", "import_pairs", "learn", "libtorch_path", "libtorch_version",
    "load", "otib", "pairs", "pairs_from_trajectories", "program_text", "read_pairs", "set_threads",
    "shipped_theories", "threads",
]
