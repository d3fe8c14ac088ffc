"""The notebooks in examples/ run from the first cell to the last."""

from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.ipynb")))
def test_a_notebook_runs(name, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    notebook = nbformat.read(EXAMPLES / name, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                            resources={"metadata": {"path": tmp_path}}).execute()


def test_notebooks_are_stored_without_output():
    for path in EXAMPLES.glob("*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        assert all(not cell.get("outputs") for cell in cells), path.name
