"""What concerns the process and the installation."""

import os
import subprocess
import sys
from importlib import metadata

import pytest

import neo_theorizer as nt


def said(code, path):
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(path)})
    return result.stderr.strip().splitlines()[-1] if result.returncode else ""


def test_a_second_libtorch_is_refused_whichever_comes_first(tmp_path):
    (tmp_path / "torch" / "lib").mkdir(parents=True)
    (tmp_path / "torch" / "__init__.py").touch()
    (tmp_path / "torch" / "lib" / "libtorch_cpu.so").touch()
    for code in ("import torch, neo_theorizer", "import neo_theorizer, torch"):
        message = said(code, tmp_path)
        assert message.startswith("ImportError: neo_theorizer was built with") and "two LibTorches" in message


def test_a_torch_with_the_same_libtorch_is_welcome(tmp_path):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").touch()
    assert said("import torch, neo_theorizer", tmp_path) == ""
    assert said("import neo_theorizer, torch", tmp_path) == ""


def test_the_version_is_that_of_the_distribution():
    assert nt.__version__ == metadata.version("neo-theorizer")


def test_the_types_are_consistent(tmp_path):
    pytest.importorskip("mypy")
    checked = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", os.devnull,
                              "-p", "neo_theorizer"],
                             capture_output=True, text=True, cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout


def test_the_package_says_that_it_is_typed():
    files = {str(file) for file in metadata.files("neo-theorizer")}
    assert {"neo_theorizer/py.typed", "neo_theorizer/_core.pyi", "neo_theorizer/weights/gridworld-alpha0.33.safetensors"} <= files
    assert not any("observation" in name for name in files if name.endswith(".safetensors"))
