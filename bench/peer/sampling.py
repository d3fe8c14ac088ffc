"""NEO-S for many episodes at once: draws of an episode that are at the same observation share what follows."""
import torch
from torch import Tensor

from distinct import first_of_each, number
from models import pick


def same(hard: Tensor, targets: Tensor) -> Tensor:
    return hard.eq(targets).flatten(1).all(1)


def draw_programs(model, x: Tensor, y: Tensor, uniforms: Tensor) -> tuple[Tensor, Tensor]:
    """codes [E, M, K] and lengths [E, M], 0 where no prefix leads from x to y."""
    episodes, draws, steps = uniforms.shape
    uniforms = uniforms.flatten(0, 1)
    codes, lengths = torch.zeros(episodes * draws, steps, dtype=torch.long), torch.zeros(episodes * draws, dtype=torch.long)
    goal = model.encode(y)
    rows, node = torch.arange(episodes * draws), torch.arange(episodes).repeat_interleave(draws)
    observation, owner = x, torch.arange(episodes)  # of each node
    for k in range(steps):
        state = model.encode(observation)
        probabilities = model.propose(state, goal[owner])
        chosen = codes[rows, k] = pick(probabilities[node], uniforms[rows, k])
        calls, call = torch.unique(node * probabilities.shape[1] + chosen, return_inverse=True)
        source = calls.div(probabilities.shape[1], rounding_mode="floor")
        hard, owner = model.execute(state[source], calls % probabilities.shape[1]), owner[source]
        solved = same(hard, y[owner])
        lengths[rows[solved[call]]] = k + 1
        # Those that are not there yet go on, from one node for each observation of an episode.
        on = ~solved[call]
        rows, call = rows[on], call[on]
        if not len(rows):
            break
        reached = number(hard, {}) * episodes + owner
        merged, first = torch.unique(reached, return_inverse=True)[1], first_of_each(reached)
        node, observation, owner = merged[call], hard[first], owner[first]
    return codes.view(episodes, draws, steps), lengths.view(episodes, draws)


def replay(model, x: Tensor, codes: Tensor, lengths: Tensor) -> Tensor:
    """Where each program leads."""
    ends = x.clone()
    for k in range(int(lengths.max()) if len(lengths) else 0):
        rows = (lengths > k).nonzero().squeeze(1)
        ends[rows] = model.execute(model.encode(ends[rows]), codes[rows, k])
    return ends


def vote(model, x: Tensor, y: Tensor, query: Tensor, uniforms: Tensor) -> Tensor:
    """What the program that most solving draws spell (the first one met, if several) makes of the query; -1: no program."""
    codes, lengths = draw_programs(model, x, y, uniforms)
    answers = torch.full_like(query, -1)
    if not lengths.any():
        return answers
    episode, draw = lengths.nonzero(as_tuple=True)
    codes, lengths = codes[episode, draw], lengths[episode, draw]
    base, steps = int(codes.max()) + 2, codes.shape[1]
    digits = (codes + 1) * (torch.arange(steps) < lengths[:, None])
    spelled = (digits * base ** torch.arange(steps)).sum(1) + episode * base ** steps
    votes, first = torch.unique(spelled, return_counts=True)[1], first_of_each(spelled)  # of each distinct program
    episode, rank = episode[first], votes * len(spelled) - first
    ends = replay(model, query[episode], codes[first], lengths[first])
    best = torch.full((len(x),), -len(spelled)).scatter_reduce(0, episode, rank, "amax")
    wins = rank == best[episode]
    answers[episode[wins]] = ends[wins]
    return answers
