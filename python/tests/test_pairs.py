import numpy as np
import pytest

import neo_theorizer as nt


def test_pairs_of_trajectories_never_span_their_ends():
    obs = np.arange(20).reshape(20, 1) % 10
    ends = np.arange(20) % 10 == 9
    pairs = nt.pairs_from_trajectories(obs, ends, lags=(1, 2), layout="sequence", values=10, hold_out=0)
    change = pairs.y.astype(int) - pairs.x.astype(int)
    assert set(change.ravel().tolist()) <= {1, 2}


def test_flags_of_the_wrong_length_are_refused():
    with pytest.raises(nt.UsageError, match=r"\[20\]"):
        nt.pairs_from_trajectories(np.zeros((20, 3)), np.zeros(19, bool))


def test_numbers_are_whole_numbers_for_users():
    pairs = nt.pairs(np.arange(200), 3 * np.arange(200))
    assert pairs.space.layout == "number"
    assert pairs.y.dtype == np.int64 and sorted(pairs.y) == sorted(3 * np.arange(200))


@pytest.mark.parametrize("x", [np.random.default_rng(42).random((120, 5)).astype(np.float32),
                               np.random.default_rng(42).integers(0, 256, (120, 4, 6, 3), dtype=np.uint8),
                               np.random.default_rng(42).integers(0, 700, (120, 9))])
def test_saved_pairs_come_back(x, tmp_path):
    pairs = nt.pairs(x, x[::-1], group=np.arange(120) // 2)
    pairs.save(tmp_path / "pairs.h5")
    again = nt.read_pairs(tmp_path / "pairs.h5")
    assert again.space == pairs.space
    assert (again.x == pairs.x).all() and (again.y == pairs.y).all()
    assert (again.held_out == pairs.held_out).all() and (again.group == pairs.group).all()


def test_a_selection_of_pairs_keeps_their_labels():
    pairs = nt.pairs(np.arange(200), np.arange(200) + 1, program=["plus"] * 200)
    few = pairs[pairs.held_out]
    assert 0 < len(few) < 200 and len(few.program) == len(few)


def test_an_environment_is_recorded():
    class Corridor:
        """Five places; an action goes left or right; the last place ends."""

        class action_space:
            seed = staticmethod(lambda s: setattr(Corridor, "random", np.random.default_rng(s)))
            sample = staticmethod(lambda: Corridor.random.integers(2))

        def reset(self, seed=None):
            self.place = 1
            return {"where": np.eye(5, dtype=np.int64)[self.place], "note": "x"}, {}

        def step(self, action):
            self.place = max(0, self.place + (1 if action else -1))
            return {"where": np.eye(5, dtype=np.int64)[self.place]}, 0.0, self.place == 4, False, {}

    pairs = nt.from_gymnasium(Corridor(), steps=300, lags=(1, 1), values=2)
    assert pairs.space.shape == (5,)
    places = np.argmax(pairs.x, 1).astype(int), np.argmax(pairs.y, 1).astype(int)
    assert np.abs(places[1] - places[0]).max() <= 1
    assert places[0].max() < 4  # no pair begins where an episode has ended


def test_parquet_files_are_read(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    steps = np.cumsum(np.ones((60, 2)), 0)
    table = pa.table({"observation.state": steps.tolist(), "episode_index": np.arange(60) // 20})
    pa.parquet.write_table(table, tmp_path / "episodes.parquet")
    pairs = nt.from_parquet(tmp_path / "episodes.parquet", "observation.state", lags=(1, 1), layout="vector")
    assert len(pairs) == 57
    assert np.allclose(pairs.y - pairs.x, 1)
