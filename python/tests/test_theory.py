import threading

import numpy as np
import pytest

import neo_theorizer as nt


def test_a_theory_of_flips_explains_pairs_held_out(theory):
    assert theory.learned["theory"]
    assert theory.learned["explained"] > 0.9


def test_an_explanation_holds_every_state_from_x_to_y(theory, grids):
    x, y, _ = grids
    e = theory.explain(x[0], y[0])
    assert e.exact and e.explained
    assert e.trace.shape == (len(e.codes) + 1, 3, 4)
    assert (e.trace[0] == x[0]).all() and (e.trace[-1] == y[0]).all()
    assert len(e.losses) == len(e.codes)
    assert e.program == nt.program_text(e.codes)


def test_a_program_runs_on_one_input_and_on_many(theory, grids):
    x, y, _ = grids
    e = theory.explain(x[0], y[0])
    assert (theory.run(e.program, x[0]) == y[0]).all()
    assert (theory.run(e, x[:3]) == np.stack([theory.run(e.codes, one) for one in x[:3]])).all()
    assert theory.run(e, x[:3]).shape == (3, 3, 4)


def test_the_forms_of_an_observation_are_equal(theory, grids):
    x, y, _ = grids
    program = theory.explain(x[0], y[0]).codes
    for form in (x[0].tolist(), x[0].astype(np.int64), x[0].astype(float), np.asfortranarray(x[0])):
        assert (theory.run(program, form) == y[0]).all()


def test_arrays_of_torch_are_taken(theory, grids):
    torch = pytest.importorskip("torch")
    x, y, _ = grids
    e = theory.explain(torch.from_numpy(x[0]), torch.from_numpy(y[0]))
    assert e.explained


def test_the_vocabulary_says_what_codes_do(theory, grids):
    x, y, _ = grids
    vocabulary = theory.vocabulary((x[:200], y[:200]))
    used = [code for code in vocabulary if code.usage > 0]
    assert sum(code.usage for code in used) == pytest.approx(1)
    assert all(code.name for code in used)
    assert all(code.before.shape == (3, 3, 4) for code in used)
    assert vocabulary[used[0].code] is used[0]


def test_programs_of_many_pairs_are_those_of_each(theory, grids):
    x, y, _ = grids
    assert [codes for codes, _ in theory.programs((x[:9], y[:9]))] == [theory.explain(a, b).codes for a, b in zip(x[:9], y[:9])]


def test_evaluation_counts_every_pair(theory, grids):
    x, y, _ = grids
    score = theory.evaluate((x[:50], y[:50]))
    assert score.pairs == 50
    assert score.explained > 0.9
    assert score.transfer is None


def test_a_saved_theory_answers_alike(theory, grids, tmp_path):
    x, y, _ = grids
    theory.save(tmp_path / "mine.safetensors")
    again = nt.load(tmp_path / "mine.safetensors")
    assert again.explain(x[1], y[1]).codes == theory.explain(x[1], y[1]).codes
    assert again.space == theory.space


def test_a_run_folder_opens(theory, run):
    assert nt.load(run).space == theory.space


def test_a_shipped_theory_opens_by_name():
    theory = nt.load("arithmetic-0.33")
    assert "arithmetic-alpha0.33" in nt.shipped_theories()
    e = theory.explain(12, 420)
    assert theory.run(e.program, 7) == 245
    assert theory.run(e.program, [1, 2, 3]).tolist() == [35, 70, 105]


def test_the_policy_can_be_changed_for_a_call_and_for_good(theory, grids):
    x, y, _ = grids
    copy = theory.copy()
    copy.set_policy(steps=1)
    assert copy.policy["steps"] == 1 and theory.policy["steps"] > 1
    assert len(theory.explain(x[0], y[0], steps=1).codes) == 1


def test_threads_share_a_theory(theory, grids):
    x, y, _ = grids
    expected = [theory.explain(x[i], y[i]).codes for i in range(4)]
    found = [None] * 4

    def ask(i):
        found[i] = theory.explain(x[i], y[i]).codes

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_messages_are_those_of_the_command_line(theory, neo, run):
    with pytest.raises(nt.UsageError) as caught:
        theory.run("z99", np.zeros((3, 4), np.uint8))
    import subprocess
    with pytest.raises(subprocess.CalledProcessError) as said:
        neo("transfer", run, "--program", "z99", "--x", "0")
    assert str(caught.value) in said.value.stderr
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [np.zeros((4, 4)), np.full((3, 4), 9), np.full((3, 4), np.nan), "nonsense"])
def test_what_is_no_observation_is_refused(theory, wrong):
    with pytest.raises(nt.UsageError):
        theory.run("z0", wrong)


def test_a_missing_theory_is_an_error_of_one_line():
    with pytest.raises(nt.UsageError, match="shipped theories are"):
        nt.load("nowhere")


def test_notebooks_draw_theories_and_explanations(theory, grids):
    x, y, _ = grids
    e = theory.explain(x[0], y[0])
    for drawn in (e, theory, theory.vocabulary(), nt.pairs(x[:9], y[:9])):
        assert "<svg" in drawn._repr_html_()
    assert "gives y" in repr(e)
    assert "3x4 grid" in repr(theory)
