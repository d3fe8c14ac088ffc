import os
import signal
import threading

import numpy as np
import pytest

import neo_theorizer as nt


def test_python_and_the_command_line_learn_the_same_bytes(grids, neo, tmp_path):
    x, y, _ = grids
    np.savez(tmp_path / "pairs.npz", x=x, y=y)
    nt.learn(tmp_path / "pairs.npz", out=tmp_path / "python", seed=43, progress=False)
    neo("learn", tmp_path / "pairs.npz", "--out", tmp_path / "command", "--seed", 43)
    ours = (tmp_path / "python" / "best.safetensors").read_bytes()
    theirs = (tmp_path / "command" / "best.safetensors").read_bytes()
    assert ours == theirs


def test_progress_goes_to_a_callback_and_nothing_to_stderr(grids, capfd):
    x, y, _ = grids
    seen = []
    nt.learn(x, y, seed=44, progress=lambda label, done, total, rate, suffix, finished: seen.append((label, done, finished)))
    assert ("training", True) in {(label, finished) for label, _, finished in seen}
    assert capfd.readouterr().err == ""


def test_what_a_callback_throws_comes_back(grids):
    x, y, _ = grids

    def fail(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        nt.learn(x, y, progress=fail)


def test_an_interrupt_keeps_what_was_learned(grids, tmp_path):
    x, y, _ = grids
    out = tmp_path / "run"

    def interrupt(label, done, total, rate, suffix, finished):
        if label == "training" and not finished:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="continues"):
        nt.learn(x, y, out=out, preset="fast", progress=interrupt)
    assert nt.load(out).space.shape == (3, 4)


def test_the_same_call_continues_to_the_same_bytes(grids, tmp_path):
    x, y, _ = grids
    np.savez(tmp_path / "pairs.npz", x=x, y=y)

    def stop_in_the_middle(label, done, total, rate, suffix, finished):
        if label == "training" and done > total // 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nt.learn(tmp_path / "pairs.npz", out=tmp_path / "a", progress=stop_in_the_middle)
    nt.learn(tmp_path / "pairs.npz", out=tmp_path / "a", progress=False)
    nt.learn(tmp_path / "pairs.npz", out=tmp_path / "b", progress=False)
    assert (tmp_path / "a/best.safetensors").read_bytes() == (tmp_path / "b/best.safetensors").read_bytes()


def test_pairs_can_be_looked_at_before_they_are_learned(grids, tmp_path):
    x, y, names = grids
    pairs = nt.pairs(x, y, program=names, group=np.arange(300) // 2)
    assert len(pairs) == 300 and pairs.held_out.sum() == 30
    assert set(pairs.program) == {"mirror", "turn", "mirror turn"}
    theory = nt.learn(pairs, out=tmp_path / "run", progress=False)
    assert theory.evaluate(pairs).pairs == 15
    assert theory.evaluate(pairs).transfer is not None


def test_pairs_without_rule_are_no_theory():
    random = np.random.default_rng(42)
    x, y = random.integers(0, 6, (2, 120, 4, 4))
    with pytest.warns(UserWarning, match="no theory found"):
        nt.learn(x, y, progress=False, minutes=0.05)


def test_arrays_of_different_length_are_refused(grids):
    x, y, _ = grids
    with pytest.raises(nt.Error):
        nt.learn(x, y[:-1], progress=False)


def test_threads_outside_learning_run_on(grids):
    x, y, _ = grids
    count, done = 0, threading.Event()

    def tick():
        nonlocal count
        while not done.wait(0.01):
            count += 1

    thread = threading.Thread(target=tick)
    thread.start()
    nt.learn(x, y, progress=False)
    done.set()
    thread.join()
    assert count > 10
