"""What other people's tools make of neo's files."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import neo_theorizer as nt


def test_safetensors_opens_a_theory(theory, tmp_path):
    safetensors = pytest.importorskip("safetensors")
    theory.save(tmp_path / "theory.safetensors")
    with safetensors.safe_open(tmp_path / "theory.safetensors", "np") as opened:
        names = list(opened.keys())
        assert any(name.startswith("programmer.") for name in names)
        assert all(np.isfinite(opened.get_tensor(name)).all() for name in names)
        assert opened.metadata()


def test_tensorboard_reads_what_a_training_writes(grids, neo, tmp_path):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    x, y, _ = grids
    nt.pairs(x, y).save(tmp_path / "pairs.h5")
    neo("train", "--data", tmp_path / "pairs.h5", "--steps", 20, "--set", "validate_every=10", "--set",
        "checkpoint_every=10", "--tensorboard", "--out", tmp_path / "run")
    events = accumulator.EventAccumulator(str(tmp_path / "run" / "tensorboard"), {"tensors": 0, "images": 0, "histograms": 0, "scalars": 0})
    events.Reload()
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    losses = {line["step"]: line["loss"] for line in lines if "loss" in line}
    assert {e.step: e.value for e in events.Scalars("loss")} == pytest.approx(losses, rel=1e-6)
    assert [e.step for e in events.Histograms("usage")] == list(range(1, 21))
    assert [e.step for e in events.Images("vocabulary")] == [10, 20]
    assert events.Images("vocabulary")[0].encoded_image_string.startswith(b"\x89PNG")
    settings = events.Tensors("settings")[0].tensor_proto.string_val[0].decode()
    assert "[optimizer]" in settings


def test_programs_are_s_expressions_for_stitch(neo, tmp_path):
    weights = Path(nt.__file__).parent / "weights" / "arithmetic-alpha0.33.safetensors"
    neo("explain", weights, "--x", 12, "--y", 420, "--programs", tmp_path / "programs.json")
    neo("explain", weights, "--x", 12, "--y", 420, "--programs", tmp_path / "programs.jsonl")
    expression, = json.loads((tmp_path / "programs.json").read_text())
    line = json.loads((tmp_path / "programs.jsonl").read_text())
    assert [int(code) for code in re.findall(r"z(\d+)", expression)][::-1] == line["codes"]
    stitch = pytest.importorskip("stitch_core")
    assert stitch.compress([expression] * 4, iterations=1).abstractions is not None
