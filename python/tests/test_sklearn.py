import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from neo_theorizer.sklearn import Theorizer  # noqa: E402

OTHER_SHAPE = "fits a column y to a table X; here y has the shape of X"


CHECKS_WITH_A_COLUMN = """
check_fit_score_takes_y check_estimators_overwrite_params check_dont_overwrite_parameters
check_estimators_fit_returns_self check_readonly_memmap_input check_n_features_in_after_fitting
check_positive_only_tag_during_fit check_estimators_dtypes check_dtype_object check_pipeline_consistency
check_estimators_nan_inf check_estimators_pickle check_f_contiguous_array_estimator
check_methods_sample_order_invariance check_methods_subset_invariance check_dict_unchanged check_fit_idempotent
check_fit_check_is_fitted check_n_features_in check_fit2d_predict1d
""".split()


@parametrize_with_checks([Theorizer(minutes=0.01)],
                         expected_failed_checks=lambda _: {name: OTHER_SHAPE for name in CHECKS_WITH_A_COLUMN})
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def fitted(grids):
    x, y, _ = grids
    return Theorizer(seed=43).fit(x, y)


def test_the_most_frequent_program_is_the_default(fitted, grids):
    x, y, _ = grids
    assert (fitted.predict(x[:5]) == fitted.theory_.run(fitted.program_, x[:5])).all()


def test_predictions_follow_a_program(fitted, grids):
    x, y, _ = grids
    e = fitted.theory_.explain(x[0], y[0])
    assert (fitted.predict(x[:1], program=e) == y[:1]).all()


def test_the_score_is_the_share_of_pairs_explained(fitted, grids):
    x, y, _ = grids
    assert fitted.score(x[:40], y[:40]) > 0.9
    shuffled = np.roll(y[:40], 7, axis=0)
    assert fitted.score(x[:40], shuffled) < fitted.score(x[:40], y[:40])


def test_a_clone_is_not_fitted_and_a_pickle_is(fitted, grids):
    x, y, _ = grids
    assert not hasattr(clone(fitted), "theory_")
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict(x[:5]) == fitted.predict(x[:5])).all()


def test_fitting_twice_gives_the_same_theory(fitted, grids):
    x, y, _ = grids
    again = clone(fitted).fit(x, y)
    assert again.program_ == fitted.program_


def test_another_shape_of_y_is_refused(grids):
    x, y, _ = grids
    with pytest.raises(ValueError, match="shape of X"):
        Theorizer().fit(x, y[:, 0])


def test_what_is_not_finite_is_refused():
    x = np.full((10, 3), np.nan)
    with pytest.raises(ValueError, match="NaN"):
        Theorizer().fit(x, x)
