import numpy as np
import pytest

import neo_theorizer as nt


@pytest.fixture(scope="module")
def splits(tmp_path_factory):
    return nt.otib.arithmetic(alpha=0.66, episodes=20, folder=tmp_path_factory.mktemp("otib"), progress=False)


def test_splits_are_arrays(splits):
    assert list(splits) == ["train", "id", "comp", "length"]
    x, y, query_x, query_y = splits["id"].episodes()
    assert len(x) == len(y) == len(query_x) == len(query_y)
    assert ((y * query_x) == (query_y * x)).all()  # one factor for both pairs


def test_the_truth_scores_one_and_copies_score_nothing(splits):
    _, _, query_x, truth = splits["id"].episodes()
    assert nt.otib.score(truth, splits["id"]).transfer == 1
    copied = nt.otib.score(query_x, splits["id"])
    assert copied.transfer == pytest.approx(np.mean(query_x == truth))
    assert copied.episodes == len(truth)


def test_too_few_predictions_are_refused(splits):
    _, _, _, truth = splits["id"].episodes()
    with pytest.raises(nt.UsageError):
        nt.otib.score(truth[:-1], splits["id"])


def test_without_compositional_split_at_alpha_one(tmp_path):
    assert "comp" not in nt.otib.gridworld(alpha=1.0, folder=tmp_path)
    with pytest.raises(KeyError):
        nt.otib.gridworld(alpha=1.0, folder=tmp_path)["comp"]
