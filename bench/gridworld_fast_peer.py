#!/usr/bin/env python3
"""GridWorld's `fast` preset in plain PyTorch: the same modules, the same wake-sleep step, the same batch.

Weights and observations are random, as in torch_peer.py: this measures time, not accuracy.
  /usr/bin/python3 bench/gridworld_fast_peer.py --item train --steps 20 --threads 2
"""
import argparse
import json
import statistics
import time
from collections import Counter

import torch
import torch.nn.functional as F
from torch import nn

SIDE, CELLS, COLOURS, WIDTH, HIDDEN, CODES, ACTION, TAPS = 10, 100, 9, 8, 16, 6, 16, 5
PAIRS, STEPS, DEPTH, BEAM, DREAMS, DREAM_LENGTH = 256, 4, 3, 4, 128, 8
LAMBDA, GROUNDING, NAMING, NAMING_TEMPERATURE = 0.95, 0.5, 0.2, 0.1
DRAWS, TEMPERATURE = 64, 0.1


class Executor(nn.Module):
    def __init__(self):
        super().__init__()
        self.taps = nn.Linear(ACTION, TAPS)
        self.outside = nn.Parameter(torch.zeros(WIDTH))
        self.inner, self.outer = nn.Linear(WIDTH, HIDDEN), nn.Linear(HIDDEN, WIDTH)
        self.gamma, self.beta = nn.Linear(ACTION, HIDDEN), nn.Linear(ACTION, HIDDEN)
        border = torch.ones(SIDE + 2, SIDE + 2, 1)
        border[1:-1, 1:-1] = 0
        self.register_buffer("border", border)

    def neighbourhoods(self, x):
        p = F.pad(x.view(-1, SIDE, SIDE, WIDTH), (0, 0, 1, 1, 1, 1)) + self.border * self.outside
        return torch.stack([p[:, 1 + i:11 + i, 1 + j:11 + j] for i, j in ((0, 0), (-1, 0), (0, -1), (0, 1), (1, 0))], 1).flatten(2)

    def pointwise(self, u, a):
        return u + self.outer(F.relu(self.inner(u) * self.gamma(a).unsqueeze(2) + self.beta(a).unsqueeze(2)))

    def forward(self, x, a):
        u = torch.bmm(F.softmax(self.taps(a), -1).unsqueeze(1), self.neighbourhoods(x)).view(len(x), 1, CELLS, WIDTH)
        return self.pointwise(u, a.unsqueeze(1)).view_as(x)

    def every(self, x, actions):
        u = torch.matmul(F.softmax(self.taps(actions), -1).unsqueeze(0), self.neighbourhoods(x)).view(len(x), len(actions), CELLS, WIDTH)
        return self.pointwise(u, actions.unsqueeze(0))


class Programmer(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(WIDTH, 8)
        self.layers = nn.Sequential(nn.Linear(320, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, ACTION))

    def project(self, x):
        h = F.relu(self.features(x)).view(len(x), SIDE, SIDE, -1)
        return torch.cat([h.sum(1).flatten(1), h.sum(2).flatten(1)], 1)

    def forward(self, x, y):
        return self.layers(torch.cat([self.project(x), self.project(y)], 1))


class Peer:
    def __init__(self):
        torch.manual_seed(1)
        self.vectors = F.normalize(torch.randn(COLOURS, WIDTH), dim=1)
        self.executor, self.programmer = Executor(), Programmer()
        self.codebook = nn.Parameter(torch.empty(CODES, ACTION).uniform_(-1 / CODES, 1 / CODES))
        self.usage = torch.ones(CODES) / CODES
        groups = [{"params": self.executor.parameters(), "lr": 1e-8}, {"params": self.programmer.parameters(), "lr": 1e-9}, {"params": [self.codebook], "lr": 1e-9}]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
        self.parameters = [p for g in self.optimizer.param_groups for p in g["params"]]

    def encode(self, grids):
        return self.vectors[grids]

    def decode(self, states):
        return 10 * states @ self.vectors.t()

    def codes(self):
        return F.normalize(self.codebook, dim=1)

    @staticmethod
    def distances(actions, codes):
        return 2 - 2 * F.normalize(actions, dim=1) @ codes.t()

    @staticmethod
    def losses(logits, targets):
        return F.cross_entropy(logits.reshape(-1, COLOURS), targets.reshape(-1), reduction="none").view(len(targets), -1).mean(1)

    @torch.no_grad()
    def induce(self, x, y, steps, temperature=None):
        codes, target, grid, out = self.codes(), self.encode(y), x, ([], [], [])
        for _ in range(steps):
            state = self.encode(grid)
            d = self.distances(self.programmer(state, target), codes)
            z = d.argmin(1) if temperature is None else torch.multinomial(F.softmax(-d / temperature, 1), 1)[:, 0]
            logits = self.decode(self.executor(state, codes[z]))
            grid = logits.argmax(-1)
            for item, value in zip(out, (z, self.losses(logits, y), (grid == y).all(1))):
                item.append(value)
        return tuple(torch.stack(item, 1) for item in out)

    @torch.no_grad()
    def search(self, x, y):
        rows, codes, each = len(x), self.codes(), torch.arange(len(x))
        grids, programs = x[:, None], torch.zeros(rows, 1, 0, dtype=torch.long)
        best, chosen, lengths = torch.full((rows,), 1e9), torch.zeros(rows, DEPTH, dtype=torch.long), torch.ones(rows, dtype=torch.long)
        for k in range(DEPTH):
            width = grids.shape[1]
            logits = self.decode(self.executor.every(self.encode(grids.reshape(-1, CELLS)), codes)).flatten(0, 1)
            found = logits.argmax(-1).view(rows, width * CODES, CELLS)
            loss = self.losses(logits, y.repeat_interleave(width * CODES, 0)).view(rows, -1)
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
    def trace(self, x, programs, lengths):
        codes, path = self.codes(), [x]
        for k in range(programs.shape[1]):
            hard = self.decode(self.executor(self.encode(path[-1]), codes[programs[:, k]])).argmax(-1)
            path.append(torch.where((k < lengths)[:, None], hard, path[-1]))
        return torch.stack(path, 1)

    def naming(self, x, programs, lengths):
        path = self.trace(x, programs, lengths)
        goal = path[:, -1]
        arrival = (path == goal[:, None]).all(2).float().argmax(1)
        row, k = torch.nonzero(torch.arange(programs.shape[1])[None] < arrival[:, None], as_tuple=True)
        distances = self.distances(self.programmer(self.encode(path[row, k]), self.encode(goal[row])), self.codes().detach())
        return F.cross_entropy(-distances / NAMING_TEMPERATURE, programs[row, k])

    def train_step(self, x, y):
        z, lengths, exact = self.search(x, y)
        path, codes = self.trace(x, z, lengths), self.codes()
        loss = weight = 0
        for k in range(DEPTH):
            ends, earlier = lengths == k + 1, (lengths > k + 1) & exact
            for rows, to, w in ((ends, y, 1.0), (earlier, path[:, k + 1], GROUNDING)):
                if rows.any():
                    logits = self.decode(self.executor(self.encode(path[rows, k]), codes[z[rows, k]]))
                    loss, weight = loss + w * self.losses(logits, to[rows]).sum(), weight + w * int(rows.sum())
        dreams = torch.multinomial(self.usage.expand(DREAMS, -1), DREAM_LENGTH, True)
        programs = torch.cat([F.pad(z, (0, DREAM_LENGTH - DEPTH)), dreams])
        long = torch.cat([lengths, torch.randint(1, DREAM_LENGTH + 1, (DREAMS,))])
        loss = loss / weight + NAMING * self.naming(torch.cat([x, x[:DREAMS]]), programs, long)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        used = torch.bincount(z[torch.arange(DEPTH)[None] < lengths[:, None]], minlength=CODES).float()
        self.usage = 0.98 * self.usage + 0.02 * used / used.sum()

    @torch.no_grad()
    def replay(self, x, program):
        codes, grid = self.codes(), x
        for z in program:
            grid = self.decode(self.executor(self.encode(grid), codes[z].expand(len(x), -1))).argmax(-1)
        return grid

    def evaluate_episode(self, x, y, query):
        """One episode at a time, as the official release does."""
        z, _, exact = self.induce(x, y, STEPS)
        length = int(exact.float().argmax(1)) + 1 if bool(exact.any()) else STEPS
        return self.replay(query, z[0, :length])

    def search_episode(self, x, y, query):
        z, _, exact = self.induce(x.expand(DRAWS, -1), y.expand(DRAWS, -1), STEPS, TEMPERATURE)
        votes = Counter(tuple(z[b, :int(exact[b].float().argmax()) + 1].tolist()) for b in range(DRAWS) if bool(exact[b].any()))
        program = votes.most_common(1)[0][0] if votes else z[0].tolist()
        return self.replay(query, torch.tensor(program))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--item", choices=("train", "eval", "search"), default="train")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    peer, times = Peer(), []
    random = lambda rows: torch.randint(0, COLOURS, (rows, CELLS))
    for i in range(args.steps + 2):
        rows = PAIRS if args.item == "train" else 1
        x, y, query = random(rows), random(rows), random(rows)
        start = time.perf_counter()
        if args.item == "train":
            peer.train_step(x, y)
        elif args.item == "eval":
            peer.evaluate_episode(x, y, query)
        else:
            peer.search_episode(x, y, query)
        if i >= 2:
            times.append(1000 * (time.perf_counter() - start))
    key = "ms_per_step" if args.item == "train" else "ms_per_episode"
    print(json.dumps({"benchmark": "gridworld", "preset": "fast", "item": args.item, "threads": args.threads, key: statistics.median(times), "best_" + key: min(times)}))


if __name__ == "__main__":
    main()
