"""Small worlds that are learned in seconds."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import neo_theorizer as nt


def turned(count: int, seed: int = 42):
    """Grids 3x4 of four values that are mirrored, turned upside down, or both."""
    random = np.random.default_rng(seed)
    x = random.integers(0, 4, (count, 3, 4), dtype=np.uint8)
    names = [("mirror", "turn", "mirror turn")[kind] for kind in random.integers(0, 3, count)]
    actions = {"mirror": np.fliplr, "turn": np.flipud, "mirror turn": lambda grid: grid[::-1, ::-1]}
    return x, np.stack([actions[name](grid) for name, grid in zip(names, x)]), names


@pytest.fixture(scope="session")
def grids():
    return turned(300)


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    return tmp_path_factory.mktemp("learned") / "theory"


@pytest.fixture(scope="session")
def theory(grids, run):
    x, y, _ = grids
    return nt.learn(x, y, out=run, progress=False)


@pytest.fixture(scope="session")
def neo():
    """The command line of the same build."""
    program = os.environ.get("NEO")
    if not program or not Path(program).exists():
        pytest.skip("NEO does not name the program `neo`")

    def call(*arguments, cwd=None):
        return subprocess.run([program, *map(str, arguments)], cwd=cwd, check=True, capture_output=True, text=True).stdout

    return call
