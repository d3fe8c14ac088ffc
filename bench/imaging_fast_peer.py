#!/usr/bin/env python3
"""Imaging's `fast` preset in plain PyTorch: the same modules, the same steps, the same batch of images.

Weights and images are random, as in torch_peer.py: this measures time, not accuracy.
  /usr/bin/python3 bench/imaging_fast_peer.py --item wake --steps 20 --threads 2
wake: programs and maps in the leading 32 dimensions of the state, by gradient; fit: the maps in all 256, by least squares;
sleep: the programmer names explanations and random programs.
"""
import argparse
import json
import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

WIDTH, CODES, ACTION, EPISODES = 256, 10, 10, 256
PROGRAMMER_HIDDEN, PROGRAMMER_LAYERS = 256, 3
PRODUCTS, COARSE, PIXELS = 256, 32, 3072
PRICE, FLOOR, EXPLAINED, NAMING_TEMPERATURE, DREAM_LENGTH = 0.1, 1e-3, 0.05, 0.1, 5
MEMORY, RIDGE, REFIT = 0.99, 1.0, 10


class Executor(nn.Module):
    """s + sum_i a_i (W_i s + b_i)"""

    def __init__(self):
        super().__init__()
        self.maps = nn.Parameter(0.3 / WIDTH ** 0.5 * torch.randn(ACTION, WIDTH, WIDTH))
        self.offsets = nn.Parameter(torch.zeros(ACTION, WIDTH))

    def forward(self, state, action):
        """Every row its own action: [B, d], [B, A] -> [B, d]."""
        d = state.shape[1]
        linear = torch.einsum("ba,bad->bd", action, torch.einsum("bi,aid->bad", state, self.maps[:, :d, :d]))
        return state + linear + action @ self.offsets[:, :d]

    def same(self, state, action, linear):
        """One action for all rows, whose linear map is known: [B, d], [A], [d, d] -> [B, d]."""
        return state + state @ linear + action @ self.offsets[:, : state.shape[1]]


class Programmer(nn.Module):
    """[s, s_y, A s * B s_y] --> (linear, ReLU) x layers --> linear"""

    def __init__(self):
        super().__init__()
        self.as_state, self.as_target = nn.Linear(WIDTH, PRODUCTS), nn.Linear(WIDTH, PRODUCTS)
        layers, width = [], 2 * WIDTH + PRODUCTS
        for _ in range(PROGRAMMER_LAYERS):
            layers += [nn.Linear(width, PROGRAMMER_HIDDEN), nn.ReLU()]
            width = PROGRAMMER_HIDDEN
        self.layers = nn.Sequential(*layers, nn.Linear(width, ACTION))

    def forward(self, state, target):
        return self.layers(torch.cat([state, target, self.as_state(state) * self.as_target(target)], 1))


class Peer:
    def __init__(self):
        torch.manual_seed(1)
        self.executor, self.programmer = Executor(), Programmer()
        self.codebook = nn.Parameter(torch.linalg.qr(torch.randn(ACTION, CODES))[0].t().contiguous())
        self.mean, self.basis, self.spread = torch.rand(PIXELS), torch.randn(PIXELS, WIDTH) / PIXELS ** 0.5, torch.linspace(1, 0.1, WIDTH)
        groups = [{"params": self.executor.parameters(), "lr": 1e-2}, {"params": self.programmer.parameters(), "lr": 1e-3}, {"params": [self.codebook], "lr": 1e-4}]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=0.0)
        self.squares, self.products = torch.zeros(CODES, WIDTH + 1, WIDTH + 1), torch.zeros(CODES, WIDTH + 1, WIDTH)
        self.step = 0

    def encode(self, images):
        return (images.float() / 255 - self.mean) @ self.basis / self.spread

    def codes(self):
        return F.normalize(self.codebook, dim=1)

    def residual(self, predicted, target):
        importance = self.spread[: target.shape[1]].sqrt()
        return (predicted - target).square() @ (importance / importance.sum())

    @torch.no_grad()
    def explain(self, x, y):
        """The program of one or two codes that leaves least of each pair."""
        codes, d = self.codes(), x.shape[1]
        maps = torch.einsum("za,aid->zid", codes, self.executor.maps[:, :d, :d])
        programs, left, middles = [], [], []
        for first in range(CODES):
            middles.append(self.executor.same(x, codes[first], maps[first]))
            programs.append((first,))
            left.append(self.residual(middles[-1], y))
        for first in range(CODES):
            for last in range(CODES):
                programs.append((first, last))
                left.append(self.residual(self.executor.same(middles[first], codes[last], maps[last]), y))
        left = torch.stack(left, 1)
        cost = (left + FLOOR).log() + PRICE * torch.tensor([len(p) for p in programs])
        best = cost.argmin(1)
        chosen = torch.tensor([p + (0,) * (2 - len(p)) for p in programs])[best]
        lengths = torch.tensor([len(p) for p in programs])[best]
        return chosen, lengths

    @torch.no_grad()
    def last_step(self, x, chosen, lengths):
        """Where the last step of each program starts, and its code."""
        middle = self.executor(x, self.codes()[chosen[:, 0]])
        return torch.where((lengths == 2)[:, None], middle, x), chosen.gather(1, lengths[:, None] - 1).squeeze(1)

    def wake_loss(self, x, y, chosen, lengths):
        """The last step of the explanation must give y."""
        previous, last = self.last_step(x, chosen, lengths)
        return self.residual(self.executor(previous, self.codes()[last]), y).mean()

    @torch.no_grad()
    def fit(self, x, y, chosen, lengths):
        """Running moments of what each code should do; from time to time its map is solved for."""
        previous, last = self.last_step(x, chosen, lengths)
        loss = self.residual(self.executor(previous, self.codes()[last]), y).mean()
        extended, change = F.pad(previous, (0, 1), value=1.0), y - previous
        self.squares *= MEMORY
        self.products *= MEMORY
        for code in range(CODES):
            rows = last == code
            self.squares[code] += extended[rows].t() @ extended[rows]
            self.products[code] += extended[rows].t() @ change[rows]
        if self.step % REFIT == 0:
            codes = self.codes()
            for code in range(CODES):
                wanted = torch.linalg.solve(self.squares[code] + RIDGE * torch.eye(WIDTH + 1), self.products[code])
                now, offset = torch.einsum("a,aid->id", codes[code], self.executor.maps), codes[code] @ self.executor.offsets
                self.executor.maps += codes[code][:, None, None] * (wanted[:WIDTH] - now)
                self.executor.offsets += codes[code][:, None] * (wanted[WIDTH] - offset)
        return loss

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
        action = self.programmer(torch.stack(path, 1)[row, k], path[-1][row])
        distances = 2 - 2 * F.normalize(action, dim=1) @ codes.t()
        return F.cross_entropy(-distances / NAMING_TEMPERATURE, programs[row, k])

    def train_step(self, images_x, images_y, item):
        x, y = self.encode(images_x), self.encode(images_y)
        coarse_x, coarse_y = x[:, :COARSE], y[:, :COARSE]
        chosen, lengths = self.explain(coarse_x, coarse_y)
        self.step += 1
        if item == "fit":
            return self.fit(x, y, chosen, lengths).item()
        loss = self.wake_loss(coarse_x, coarse_y, chosen, lengths) if item == "wake" else self.naming_loss(x, chosen, lengths)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--item", choices=("wake", "fit", "sleep"), default="wake")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    peer, times = Peer(), []
    for i in range(args.steps + 2):
        x, y = (torch.randint(0, 256, (2 * EPISODES, PIXELS), dtype=torch.uint8) for _ in range(2))
        start = time.perf_counter()
        peer.train_step(x, y, args.item)
        if i >= 2:
            times.append(1000 * (time.perf_counter() - start))
    record = {"benchmark": "imaging", "preset": "fast", "item": args.item, "threads": args.threads, "pairs": 2 * EPISODES}
    print(json.dumps(record | {"ms_per_step": statistics.median(times), "best_ms_per_step": min(times)}))


if __name__ == "__main__":
    main()
