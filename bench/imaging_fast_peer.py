#!/usr/bin/env python3
"""Imaging's `fast` preset in plain PyTorch: the same modules, the same wake and sleep steps, the same batch.

Weights and states are random, as in torch_peer.py: this measures time, not accuracy. The states E(x), E(y) are given: the
observation model is not part of the step.
  /usr/bin/python3 bench/imaging_fast_peer.py --item train --steps 20 --threads 2
times a wake step in which all 256 dimensions of the state count; `--phase sleep` times the naming of programs, and
`--dimensions 12` a wake step of the coarse phase (the other dimensions are zero and do not count; they are still computed).
"""
import argparse
import json
import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

WIDTH, HIDDEN, CODES, ACTION, EPISODES = 256, 128, 10, 10, 256
PROGRAMMER_HIDDEN, PROGRAMMER_LAYERS = 256, 3
PRICE, FLOOR, EXPLAINED, NAMING_TEMPERATURE, DREAM_LENGTH = 0.1, 1e-3, 0.05, 0.1, 4


class Executor(nn.Module):
    """s + sum_i a_i (W_i s + b_i) + linear(ReLU(gamma(a) * linear(s) + beta(a)))"""

    def __init__(self):
        super().__init__()
        self.maps = nn.Parameter(0.3 / WIDTH ** 0.5 * torch.randn(ACTION, WIDTH, WIDTH))
        self.offsets = nn.Parameter(torch.zeros(ACTION, WIDTH))
        self.inner, self.outer = nn.Linear(WIDTH, HIDDEN), nn.Linear(HIDDEN, WIDTH)
        self.gamma, self.beta = nn.Linear(ACTION, HIDDEN), nn.Linear(ACTION, HIDDEN)

    def film(self, state, action):
        return self.outer(F.relu(self.inner(state) * self.gamma(action) + self.beta(action)))

    def forward(self, state, action):
        """Every row its own action: [B, D], [B, A] -> [B, D]."""
        linear = torch.einsum("ba,bad->bd", action, torch.einsum("bi,aid->bad", state, self.maps))
        return state + linear + action @ self.offsets + self.film(state, action)

    def same(self, state, action, linear):
        """One action for all rows, whose linear map is known: [B, D], [A], [D, D] -> [B, D]."""
        return state + state @ linear + action @ self.offsets + self.film(state, action)


def programmer():
    layers, width = [], 2 * WIDTH
    for _ in range(PROGRAMMER_LAYERS):
        layers += [nn.Linear(width, PROGRAMMER_HIDDEN), nn.ReLU()]
        width = PROGRAMMER_HIDDEN
    return nn.Sequential(*layers, nn.Linear(width, ACTION))


class Peer:
    def __init__(self, dimensions):
        torch.manual_seed(1)
        self.executor, self.programmer = Executor(), programmer()
        self.codebook = nn.Parameter(torch.linalg.qr(torch.randn(ACTION, CODES))[0].t().contiguous())
        spread = torch.linspace(1, 0.1, WIDTH)  # of the principal components
        self.mask = (torch.arange(WIDTH) < dimensions).float()
        self.importance = spread.square() * self.mask / (spread.square() * self.mask).sum()
        groups = [{"params": self.executor.parameters(), "lr": 1e-2}, {"params": self.programmer.parameters(), "lr": 1e-3}, {"params": [self.codebook], "lr": 1e-4}]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=0.0)

    def codes(self):
        return F.normalize(self.codebook, dim=1)

    def residual(self, predicted, target):
        return (predicted - target).square() @ self.importance

    @torch.no_grad()
    def explain(self, x, y):
        """The program of one or two codes that leaves least of both pairs of an episode (rows 2i, 2i+1)."""
        codes = self.codes()
        maps = torch.einsum("za,aid->zid", codes, self.executor.maps)
        programs, left, middles = [], [], []
        for first in range(CODES):
            one = self.executor.same(x, codes[first], maps[first]) * self.mask
            middles.append(one)
            programs.append((first,))
            left.append(self.residual(one, y))
        for first in range(CODES):
            for last in range(CODES):
                programs.append((first, last))
                left.append(self.residual(self.executor.same(middles[first], codes[last], maps[last]), y))
        left = torch.stack(left, 1)
        cost = (left + FLOOR).log() + PRICE * torch.tensor([len(p) for p in programs])
        best = cost.view(-1, 2, len(programs)).sum(1).argmin(1).repeat_interleave(2)
        chosen = torch.tensor([p + (0,) * (2 - len(p)) for p in programs])[best]
        lengths = torch.tensor([len(p) for p in programs])[best]
        middle = torch.stack(middles, 1)[torch.arange(len(x)), chosen[:, 0]]
        previous = torch.where((lengths == 2)[:, None], middle, x)
        return chosen, lengths, previous, left.gather(1, best[:, None]).squeeze(1)

    def wake_loss(self, y, chosen, lengths, previous):
        """The last step of the explanation must give y."""
        last = chosen.gather(1, lengths[:, None] - 1).squeeze(1)
        return self.residual(self.executor(previous, self.codes()[last]), y).mean()

    def naming_loss(self, x, chosen, lengths):
        """Half of the rows follow their explanation, half a random program; each of its codes is to be named."""
        rows = torch.arange(len(x))
        dreams = rows % 4 >= 2
        programs = torch.where(dreams[:, None], torch.randint(0, CODES, (len(x), DREAM_LENGTH)), F.pad(chosen, (0, DREAM_LENGTH - 2)))
        lengths = torch.where(dreams, torch.randint(1, DREAM_LENGTH + 1, (len(x),)), lengths)
        codes, path = self.codes().detach(), [x]
        with torch.no_grad():
            for k in range(DREAM_LENGTH):
                path.append(torch.where((lengths > k)[:, None], self.executor(path[-1], codes[programs[:, k]]), path[-1]))
        row, k = torch.nonzero(torch.arange(DREAM_LENGTH)[None] < lengths[:, None], as_tuple=True)
        action = self.programmer(torch.cat([torch.stack(path, 1)[row, k], path[-1][row]], 1))
        distances = 2 - 2 * F.normalize(action, dim=1) @ codes.t()
        return F.cross_entropy(-distances / NAMING_TEMPERATURE, programs[row, k])

    def train_step(self, x, y, phase):
        x, y = x * self.mask, y * self.mask
        chosen, lengths, previous, residual = self.explain(x, y)
        loss = self.wake_loss(y, chosen, lengths, previous) if phase == "wake" else self.naming_loss(x, chosen, lengths)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return loss.item(), (residual < EXPLAINED).float().mean().item()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--item", choices=("train",), default="train")
    parser.add_argument("--phase", choices=("wake", "sleep"), default="wake")
    parser.add_argument("--dimensions", type=int, default=WIDTH, help="leading dimensions of the state that count")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    if not 1 <= args.dimensions <= WIDTH:
        parser.error(f"--dimensions must be between 1 and {WIDTH}")
    if args.phase == "sleep" and args.dimensions != WIDTH:
        parser.error("--phase sleep uses all dimensions")
    torch.set_num_threads(args.threads)
    peer, times = Peer(args.dimensions), []
    for i in range(args.steps + 2):
        x, y = torch.randn(2 * EPISODES, WIDTH), torch.randn(2 * EPISODES, WIDTH)
        start = time.perf_counter()
        peer.train_step(x, y, args.phase)
        if i >= 2:
            times.append(1000 * (time.perf_counter() - start))
    record = {"world": "imaging", "preset": "fast", "item": args.item, "phase": args.phase, "dimensions": args.dimensions, "threads": args.threads}
    print(json.dumps(record | {"pairs": 2 * EPISODES, "ms_per_step": statistics.median(times), "best_ms_per_step": min(times)}))


if __name__ == "__main__":
    main()
