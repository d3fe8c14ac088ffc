"""GridWorld's `fast` preset: the same modules, the same wake-sleep step, the same batch.

The release has no such preset. GridworldFast writes the step down plainly and evaluates one episode at a time, as the
release does; GridworldFastWellWritten uses that a cell's prediction depends on five values and the code: each distinct
neighbourhood is computed once, and everything else is looked up.
"""
from collections import Counter

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from inputs import load_weights, read_episodes, read_pairs
from models import pick
from sampling import replay, same, vote

SIDE, CELLS, COLOURS, WIDTH, HIDDEN, CODES, ACTION, TAPS = 10, 100, 9, 8, 16, 6, 16, 5
PAIRS, STEPS, DEPTH, BEAM, DREAMS, DREAM_LENGTH = 256, 4, 3, 4, 128, 8
LAMBDA, GROUNDING, NAMING, NAMING_TEMPERATURE = 0.95, 0.5, 0.2, 0.1
DRAWS, TEMPERATURE = 64, 0.1
NEIGHBOURS = ((0, 0), (-1, 0), (0, -1), (0, 1), (1, 0))


def shifted(padded: Tensor) -> Tensor:
    """Each cell's neighbourhood, [B, 12, 12, ...] -> [B, 5, 10, 10, ...]."""
    return torch.stack([padded[:, 1 + i:11 + i, 1 + j:11 + j] for i, j in NEIGHBOURS], 1)


class Executor(nn.Module):
    def __init__(self):
        super().__init__()
        self.taps = nn.Linear(ACTION, TAPS)
        self.outside = nn.Parameter(torch.zeros(WIDTH))
        self.inner, self.outer = nn.Linear(WIDTH, HIDDEN), nn.Linear(HIDDEN, WIDTH)
        self.gamma, self.beta = nn.Linear(ACTION, HIDDEN), nn.Linear(ACTION, HIDDEN)
        nn.init.normal_(self.taps.weight)
        nn.init.ones_(self.gamma.bias)
        for zero in (self.taps.bias, self.beta.bias, self.outer.weight, self.outer.bias):
            nn.init.zeros_(zero)
        border = torch.ones(SIDE + 2, SIDE + 2, 1)
        border[1:-1, 1:-1] = 0
        self.register_buffer("border", border, persistent=False)

    def neighbourhoods(self, x: Tensor) -> Tensor:
        return shifted(F.pad(x.view(-1, SIDE, SIDE, WIDTH), (0, 0, 1, 1, 1, 1)) + self.border * self.outside).flatten(2)

    def pointwise(self, u: Tensor, a: Tensor) -> Tensor:
        return u + self.outer(F.relu(self.inner(u) * self.gamma(a).unsqueeze(-2) + self.beta(a).unsqueeze(-2)))

    def forward(self, x: Tensor, a: Tensor) -> Tensor:
        mixed = torch.bmm(F.softmax(self.taps(a), -1).unsqueeze(1), self.neighbourhoods(x))
        return self.pointwise(mixed.view(len(x), CELLS, WIDTH), a)

    def every(self, x: Tensor, actions: Tensor) -> Tensor:
        """All actions on all rows, [B, Z, cells, D]."""
        mixed = torch.matmul(F.softmax(self.taps(actions), -1), self.neighbourhoods(x))
        return self.pointwise(mixed.view(len(x), len(actions), CELLS, WIDTH), actions)


class Programmer(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(WIDTH, 8)
        self.layers = nn.Sequential(nn.Linear(320, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, ACTION))

    def project(self, cells: Tensor) -> Tensor:
        """Features of the cells, summed over rows and over columns."""
        grid = cells.view(len(cells), SIDE, SIDE, -1)
        return torch.cat([grid.sum(1).flatten(1), grid.sum(2).flatten(1)], 1)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return self.layers(torch.cat([self.project(F.relu(self.features(side))) for side in (x, y)], 1))


class GridworldFast:
    ITEMS = ("train", "eval", "search")

    def __init__(self, benchmark: str = "gridworld"):
        self.executor, self.programmer, self.quantizer, self.observation = Executor(), Programmer(), nn.Module(), nn.Module()
        self.quantizer.codebook = nn.Parameter(torch.empty(CODES, ACTION).uniform_(-1 / CODES, 1 / CODES))
        self.observation.embedding = nn.Parameter(torch.empty(COLOURS, WIDTH))
        self.usage = torch.ones(CODES) / CODES
        groups = [{"params": list(self.executor.parameters()), "lr": 1e-2},
                  {"params": list(self.programmer.parameters()), "lr": 2e-3}, {"params": [self.quantizer.codebook], "lr": 1e-3}]
        self.parameters = [p for group in groups for p in group["params"]]
        self.optimizer = self.make_optimizer(groups)

    make_optimizer = staticmethod(lambda groups: torch.optim.AdamW(groups, weight_decay=0.01))

    def compilable(self):
        return [(self.executor, "forward"), (self.executor, "every"), (self.programmer, "forward")]

    # What is timed -------------------------------------------------------------------------------------

    def prepare(self, item: str, count: int) -> None:
        self.item, self.count = item, count
        theory = nn.ModuleDict({part: getattr(self, part) for part in ("observation", "programmer", "executor", "quantizer")})
        rename = {".in.": ".inner.", ".out.": ".outer."}
        if item == "train":
            load_weights(self.observation, "gridworld-tokens-observation", "observation.")
            self.batches = [side.long().flatten(1).split(PAIRS) for side in read_pairs("gridworld", "train", PAIRS * count)]
        else:
            load_weights(theory, "gridworld-alpha0.33", rename=rename)
            self.episodes = [side.long().flatten(1) for side in read_episodes("gridworld", count)]
        self.vectors = F.normalize(self.observation.embedding.detach(), dim=1)

    def run(self, i: int) -> int:
        i %= self.count
        if self.item == "train":
            self.apply(self.loss(*(side[i] for side in self.batches)))
        elif self.item == "eval":
            self.evaluate(*(side[i:i + 1] for side in self.episodes[:3]))
        else:
            self.sample(*(side[i:i + 1] for side in self.episodes[:3]), torch.rand(DRAWS, STEPS))
        return 1

    def results(self) -> list[Tensor]:
        if self.item == "train":
            loss = self.loss(*(side[0] for side in self.batches))
            return [loss, *torch.autograd.grad(loss, self.parameters)]
        return [self.evaluate_all() if self.item == "eval" else self.sample_all()]

    def evaluate_all(self) -> Tensor:
        return torch.cat([self.evaluate(*episode) for episode in zip(*(side.split(1) for side in self.episodes[:3]))])

    def sample_all(self) -> Tensor:
        uniforms = torch.rand(self.count, DRAWS, STEPS)
        return torch.cat([self.sample(*episode) for episode in zip(*(side.split(1) for side in self.episodes[:3]), uniforms)])

    # Training ------------------------------------------------------------------------------------------

    def apply(self, loss: Tensor) -> None:
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        loss.item()

    def encode(self, grids: Tensor) -> Tensor:
        return self.vectors[grids]

    def decode(self, states: Tensor) -> Tensor:
        return 10 * states @ self.vectors.t()

    def codes(self) -> Tensor:
        return F.normalize(self.quantizer.codebook, dim=1)

    @staticmethod
    def distances(actions: Tensor, codes: Tensor) -> Tensor:
        return 2 - 2 * F.normalize(actions, dim=1) @ codes.t()

    @staticmethod
    def losses(logits: Tensor, targets: Tensor) -> Tensor:
        each = F.cross_entropy(logits.reshape(-1, COLOURS), targets.reshape(-1), reduction="none")
        return each.view(len(targets), -1).mean(1)

    def read_every(self, grids: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """What every code makes of every grid [N, Z, cells], and its loss [N, Z]."""
        logits = self.decode(self.executor.every(self.encode(grids), self.codes()))
        return logits.argmax(-1), self.losses(logits.flatten(0, 1), targets.repeat_interleave(CODES, 0)).view(-1, CODES)

    def execute(self, grids: Tensor, codes: Tensor) -> Tensor:
        return self.decode(self.executor(self.encode(grids), self.codes()[codes])).argmax(-1)

    @torch.no_grad()
    def explain(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """By beam search: programs [B, depth], lengths [B], and which are exact."""
        rows, each = len(x), torch.arange(len(x))
        grids, programs = x[:, None], torch.zeros(rows, 1, 0, dtype=torch.long)
        best, chosen, lengths = torch.full((rows,), 1e9), torch.zeros(rows, DEPTH, dtype=torch.long), torch.ones(rows, dtype=torch.long)
        for k in range(DEPTH):
            width = grids.shape[1]
            found, loss = self.read_every(grids.reshape(-1, CELLS), y.repeat_interleave(width, 0))
            found, loss = found.view(rows, width * CODES, CELLS), loss.view(rows, width * CODES)
            score = torch.where((found == y[:, None]).all(2), loss * 1e-3 - 100 + k, loss * LAMBDA ** (k + 1))
            longer = torch.cat([programs.repeat_interleave(CODES, 1), torch.arange(CODES).repeat(width)[None, :, None].expand(rows, -1, 1)], 2)
            least, index = score.min(1)
            better = least < best
            best, lengths[better] = torch.where(better, least, best), k + 1
            chosen[better, :k + 1] = longer[each, index][better]
            if k + 1 < DEPTH:
                top = loss.topk(min(BEAM, width * CODES), 1, largest=False)[1]
                grids, programs = found[each[:, None], top], longer[each[:, None], top]
        return chosen, lengths, best <= DEPTH - 100

    @torch.no_grad()
    def trace(self, x: Tensor, programs: Tensor, lengths: Tensor) -> Tensor:
        """Every observation on the way, [B, K + 1, cells]."""
        path = [x]
        for k in range(programs.shape[1]):
            path.append(torch.where((k < lengths)[:, None], self.execute(path[-1], programs[:, k]), path[-1]))
        return torch.stack(path, 1)

    def propose(self, x: Tensor, goal: Tensor) -> Tensor:
        """The distance of each code from the programmer's action."""
        return self.distances(self.programmer(self.encode(x), self.encode(goal)), self.codes())

    def naming_distances(self, path: Tensor, row: Tensor, k: Tensor) -> Tensor:
        action = self.programmer(self.encode(path[row, k]), self.encode(path[row, -1]))
        return self.distances(action, self.codes().detach())

    def naming(self, x: Tensor, programs: Tensor, lengths: Tensor) -> Tensor:
        path = self.trace(x, programs, lengths)
        arrival = (path == path[:, -1:]).all(2).float().argmax(1)
        row, k = torch.nonzero(torch.arange(programs.shape[1])[None] < arrival[:, None], as_tuple=True)
        return F.cross_entropy(-self.naming_distances(path, row, k) / NAMING_TEMPERATURE, programs[row, k])

    def transition_loss(self, before: Tensor, codes: Tensor, after: Tensor) -> Tensor:
        """The sum over rows."""
        return self.losses(self.decode(self.executor(self.encode(before), self.codes()[codes])), after).sum()

    def wake_loss(self, path: Tensor, y: Tensor, programs: Tensor, lengths: Tensor, exact: Tensor) -> Tensor:
        loss = weight = 0
        for k in range(DEPTH):
            ends, earlier = lengths == k + 1, (lengths > k + 1) & exact
            for rows, to, w in ((ends, y, 1.0), (earlier, path[:, k + 1], GROUNDING)):
                if rows.any():
                    loss = loss + w * self.transition_loss(path[rows, k], programs[rows, k], to[rows])
                    weight += w * int(rows.sum())
        return loss / weight

    def loss(self, x: Tensor, y: Tensor) -> Tensor:
        programs, lengths, exact = self.explain(x, y)
        wake = self.wake_loss(self.trace(x, programs, lengths), y, programs, lengths, exact)
        dreams = torch.multinomial(self.usage.expand(DREAMS, -1), DREAM_LENGTH, True)
        longer = torch.cat([F.pad(programs, (0, DREAM_LENGTH - DEPTH)), dreams])
        long = torch.cat([lengths, torch.randint(1, DREAM_LENGTH + 1, (DREAMS,))])
        used = torch.bincount(programs[torch.arange(DEPTH)[None] < lengths[:, None]], minlength=CODES).float()
        self.usage = 0.98 * self.usage + 0.02 * used / used.sum()
        return wake + NAMING * self.naming(torch.cat([x, x[:DREAMS]]), longer, long)

    # Evaluation, one episode at a time -----------------------------------------------------------------

    def induce(self, x: Tensor, y: Tensor, choose) -> tuple[Tensor, Tensor]:
        """All steps: codes [B, K], and after which of them y is met."""
        grid, codes, exact = x, [], []
        for k in range(STEPS):
            codes.append(choose(self.propose(grid, y), k))
            grid = self.execute(grid, codes[-1])
            exact.append(same(grid, y))
        return torch.stack(codes, 1), torch.stack(exact, 1)

    def replay(self, x: Tensor, program: Tensor) -> Tensor:
        for code in program:
            x = self.execute(x, code.expand(len(x)))
        return x

    @torch.no_grad()
    def evaluate(self, x: Tensor, y: Tensor, query: Tensor) -> Tensor:
        codes, exact = self.induce(x, y, lambda distances, k: distances.argmin(1))
        length = int(exact.float().argmax(1)) + 1 if bool(exact.any()) else STEPS
        return self.replay(query, codes[0, :length])

    @torch.no_grad()
    def sample(self, x: Tensor, y: Tensor, query: Tensor, uniforms: Tensor) -> Tensor:
        """NEO-S; -1: no answer."""
        codes, exact = self.induce(x.expand(DRAWS, -1), y.expand(DRAWS, -1),
                                   lambda distances, k: pick(F.softmax(-distances / TEMPERATURE, 1), uniforms[:, k]))
        votes = Counter(tuple(codes[b, :int(exact[b].float().argmax()) + 1].tolist()) for b in range(DRAWS) if bool(exact[b].any()))
        if not votes:
            return torch.full_like(query, -1)
        return self.replay(query, torch.tensor(votes.most_common(1)[0][0]))


class GridworldFastWellWritten(GridworldFast):
    KEYS = (COLOURS + 1) ** TAPS  # neighbourhoods; outside is one more colour

    @staticmethod
    def make_optimizer(groups) -> torch.optim.Optimizer:
        return torch.optim.AdamW(groups, weight_decay=0.01, **({"fused": True} if torch.__version__ >= "2" else {"foreach": True}))

    def compilable(self):
        return [(self, "keys"), (self, "table"), (self, "look_up"), (self, "act")]

    # A table of neighbourhoods -------------------------------------------------------------------------

    def keys(self, grids: Tensor) -> Tensor:
        """The number of each cell's neighbourhood, [B, cells]."""
        around = shifted(F.pad(grids.view(-1, SIDE, SIDE), (1, 1, 1, 1), value=COLOURS)).flatten(2)
        powers = (COLOURS + 1) ** torch.arange(TAPS)
        return (around * powers[None, :, None]).sum(1)

    def distinct(self, keys: Tensor) -> tuple[Tensor, Tensor]:
        """Which neighbourhoods there are [U], and which of them each cell has; a table is faster than sorting."""
        place = torch.zeros(self.KEYS, dtype=torch.long)
        place[keys.flatten()] = 1
        there = place.nonzero().squeeze(1)
        place[there] = torch.arange(len(there))
        return there, place[keys]

    def table(self, there: Tensor) -> Tensor:
        """log p of every colour after every code, [U, Z, colours]."""
        values = torch.cat([self.vectors, self.executor.outside[None]])
        around = values[there[:, None].div((COLOURS + 1) ** torch.arange(TAPS), rounding_mode="floor") % (COLOURS + 1)]
        codes = self.codes()
        mixed = torch.matmul(F.softmax(self.executor.taps(codes), -1), around)  # [U, Z, D]
        hidden = F.relu(self.executor.inner(mixed) * self.executor.gamma(codes) + self.executor.beta(codes))
        return self.decode(mixed + self.executor.outer(hidden)).log_softmax(-1)

    def look_up(self, table: Tensor, cell: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        best = table.argmax(-1)[cell].transpose(1, 2).contiguous()
        loss = -table.transpose(1, 2).reshape(-1, CODES)[cell * COLOURS + targets].mean(1)
        return best, loss

    def read_every(self, grids: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        there, cell = self.distinct(self.keys(grids))
        return self.look_up(self.table(there), cell, targets)

    def execute(self, grids: Tensor, codes: Tensor) -> Tensor:
        there, cell = self.distinct(self.keys(grids))
        return self.table(there).argmax(-1)[cell, codes[:, None]]

    # Training ------------------------------------------------------------------------------------------

    def wake_loss(self, path: Tensor, y: Tensor, programs: Tensor, lengths: Tensor, exact: Tensor) -> Tensor:
        """How much each colour of each prediction counts is known before any is computed."""
        all_rows, steps = torch.arange(len(y)), torch.arange(DEPTH)
        row, k = ((steps[None] < lengths[:, None] - 1) & exact[:, None]).nonzero(as_tuple=True)
        before = torch.cat([path[all_rows, lengths - 1], path[row, k]])
        after = torch.cat([y, path[row, k + 1]])
        codes = torch.cat([programs[all_rows, lengths - 1], programs[row, k]])
        weights = torch.cat([torch.ones(len(y)), torch.full((len(row),), GROUNDING)])
        there, cell = self.distinct(self.keys(before))
        place = (cell * CODES + codes[:, None]) * COLOURS + after
        share = torch.bincount(place.flatten(), (weights / (weights.sum() * CELLS)).repeat_interleave(CELLS),
                               minlength=len(there) * CODES * COLOURS)
        return -(share.float() * self.table(there).flatten()).sum()

    def project(self, grids: Tensor) -> Tensor:
        """All cells of a colour have the same features."""
        return self.programmer.project(F.embedding(grids, F.relu(self.programmer.features(self.vectors))))

    def act(self, x: Tensor, goal: Tensor) -> Tensor:
        return self.programmer.layers(torch.cat([x, goal], 1))

    def propose(self, x: Tensor, goal: Tensor) -> Tensor:
        return self.distances(self.act(self.project(x), self.project(goal)), self.codes())

    def naming_distances(self, path: Tensor, row: Tensor, k: Tensor) -> Tensor:
        action = self.act(self.project(path[row, k]), self.project(path[:, -1])[row])
        return self.distances(action, self.codes().detach())

    # Evaluation and search, all episodes together ------------------------------------------------------

    def run(self, i: int) -> int:
        if self.item == "train":
            return super().run(i)
        self.evaluate_all() if self.item == "eval" else self.sample_all()
        return self.count

    @torch.inference_mode()
    def evaluate_all(self) -> Tensor:
        x, y, query, _ = self.episodes
        codes, exact = self.induce(x, y, lambda distances, k: distances.argmin(1))
        lengths = torch.where(exact.any(1), exact.int().argmax(1) + 1, STEPS)
        return replay(Searched(self), query, codes, lengths)

    @torch.inference_mode()
    def sample_all(self) -> Tensor:
        x, y, query, _ = self.episodes
        return vote(Searched(self), x, y, query, torch.rand(self.count, DRAWS, STEPS))


class Searched:
    """A theory on hard observations, as sampling.py wants it: the state of a grid is the grid."""

    def __init__(self, peer: GridworldFastWellWritten):
        self.execute, self.peer = peer.execute, peer

    def encode(self, grids: Tensor) -> Tensor:
        return grids

    def propose(self, grids: Tensor, goal: Tensor) -> Tensor:
        return F.softmax(-self.peer.propose(grids, goal) / TEMPERATURE, 1)
