#!/usr/bin/env python3
"""The same training step, evaluation and NEO-S in plain PyTorch, in the official release's order of operations.

Weights and observations are random: this measures time, not accuracy. Nothing ever matches its target, so
every rollout takes all K steps.

  /usr/bin/python3 bench/torch_peer.py --benchmark gridworld --item train --steps 5 --threads 2
prints {"item": "train", "ms_per_step": ..., ...}; `--item eval` and `--item search` print "ms_per_episode".
The median is printed, and the fastest repetition beside it.
"""
import argparse
import json
import statistics
import time
from collections import Counter

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from peer_models import PRESETS, Setup


class Peer:
    def __init__(self, setup: Setup):
        self.s = setup
        for module in (setup.encoder, setup.decoder):  # pretrained and frozen
            module.eval().requires_grad_(False)
        rate = setup.learning_rate
        rest = [p for p in setup.quantizer.parameters() if p.requires_grad]
        groups = [{"params": setup.programmer.parameters(), "lr": rate * setup.programmer_rate},
                  {"params": list(setup.executor.parameters()) + rest, "lr": rate}]
        self.optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01)
        self.parameters = [p for group in self.optimizer.param_groups for p in group["params"]]

    def observations(self, rows: int) -> Tensor:
        return torch.randint(0, self.s.values, (rows, *self.s.shape))

    def losses(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Cross-entropy of each row, mean over positions."""
        each = F.cross_entropy(logits.reshape(-1, self.s.values), targets.reshape(-1), reduction="none")
        return each.view(len(targets), -1).mean(1)

    @staticmethod
    def matches(hard: Tensor, targets: Tensor) -> Tensor:
        return hard.eq(targets).flatten(1).all(1)

    # Training ------------------------------------------------------------------------------------------

    def rollout(self, state: Tensor, goal: Tensor):
        """K steps; after each, without gradient: decode, harden, re-encode."""
        states, hards, quantized, distances = [], [], [], []
        for _ in range(self.s.steps):
            chosen = self.s.quantizer(self.s.programmer(state.detach(), goal))
            state = self.s.executor(state, chosen.action)
            with torch.no_grad():
                hard = self.s.decoder(state).argmax(-1)
                grounded = self.s.encoder(hard)
            distances.append(F.mse_loss(state.flatten(1), grounded.flatten(1), reduction="none").mean(-1))
            states.append(state)
            hards.append(hard)
            quantized.append(chosen)
        return states, hards, quantized, torch.stack(distances)

    @torch.no_grad()
    def select_lengths(self, losses: list[Tensor], hards: list[Tensor], targets: Tensor) -> Tensor:
        weighted = [loss * self.s.length_coefficient ** (k + 1) for k, loss in enumerate(losses)]
        lengths = torch.stack(weighted, 1).argmin(1) + 1
        for k in reversed(range(len(hards))):  # the shortest exact match wins
            lengths[self.matches(hards[k], targets)] = k + 1
        return lengths

    def train_step(self, inputs: Tensor, targets: Tensor) -> float:
        observations = torch.cat([inputs, targets])
        encoded = self.s.encoder(observations)
        state, goal = encoded.chunk(2)
        states, hards, quantized, distances = self.rollout(state, goal)
        predictions = [self.s.decoder(state) for state in states]  # again, with gradient
        lengths = self.select_lengths([self.losses(p, targets) for p in predictions], hards, targets)

        selected, vq = torch.zeros_like(predictions[0]), torch.zeros(())
        for k in range(self.s.steps):
            mask = lengths.eq(k + 1)
            if mask.any():
                selected[mask] = predictions[k][mask]
                vq = vq + quantized[k].loss[mask].sum()
        loss = self.losses(selected, targets).mean() + vq / len(targets)
        loss = loss + self.s.grounding_weight * self.s.grounding(distances, lengths)
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.item()

    # Evaluation, one episode at a time -----------------------------------------------------------------

    def step(self, state: Tensor, codes: Tensor) -> tuple[Tensor, Tensor]:
        """Execute, harden, and go on from the hard observation."""
        hard = self.s.decoder(self.s.executor(state, self.s.quantizer.entry(codes))).argmax(-1)
        return self.s.encoder(hard), hard

    def induce(self, x: Tensor, y: Tensor) -> list[Tensor]:
        """The program that leads from x to y, up to the first exact match."""
        state, goal, program = self.s.encoder(x), self.s.encoder(y), []
        for _ in range(self.s.steps):
            program.append(self.s.quantizer.nearest(self.s.programmer(state, goal)))
            state, hard = self.step(state, program[-1])
            if torch.equal(hard, y):
                break
        return program

    def replay(self, state: Tensor, program: list[Tensor]) -> list[Tensor]:
        hards = []
        for codes in program:
            state, hard = self.step(state, codes)
            hards.append(hard)
        return hards

    def joint(self, episode: Tensor, draws: int, greedy: bool):
        """Support and query side by side, the query under the support's codes; then support-only stopping."""
        inputs, targets = (episode[i::2].repeat(draws, *[1] * len(self.s.shape)) for i in (0, 1))
        state, goal = self.s.encoder(inputs), self.s.encoder(targets)
        hards, losses, program = [], [], []
        for k in range(self.s.steps):
            action = self.s.programmer(state, goal)[::2]
            codes = self.s.quantizer.nearest(action) if greedy else self.s.quantizer.sample(action, self.s.temperature)
            state = self.s.executor(state, self.s.quantizer.entry(codes).repeat_interleave(2, 0))
            logits = self.s.decoder(state)
            losses.append(self.losses(logits, targets)[::2])
            hards.append(logits.argmax(-1))
            program.append(codes)
            state = self.s.encoder(hards[-1])
        lengths = self.select_lengths(losses, [h[::2] for h in hards], targets[::2])
        chosen, rows = torch.stack(hards), torch.arange(draws) * 2
        support, query = chosen[lengths - 1, rows], chosen[lengths - 1, rows + 1]
        solved = self.matches(support, targets[::2])
        return torch.stack(program, 1), lengths, solved, self.matches(query, targets[1::2])

    @torch.no_grad()
    def evaluate(self, episode: Tensor) -> bool:
        if self.s.evaluate == "joint":
            return bool(self.joint(episode, draws=1, greedy=True)[3].item())
        x, y, query, answer = episode.unsqueeze(1)
        self.induce(x, y)  # self-explanation, then transfer: the release walks the support twice
        return torch.equal(self.replay(self.s.encoder(query), self.induce(x, y))[-1], answer)

    @torch.no_grad()
    def search(self, episode: Tensor) -> bool:
        """NEO-S: sample programs on the support, vote among the solving ones, answer the query."""
        if self.s.evaluate == "joint":
            program, lengths, solved, correct = self.joint(episode, self.s.draws, greedy=False)
        else:
            program, lengths, solved, correct = self.search_separately(episode)
        program, lengths, solved = program.tolist(), lengths.tolist(), solved.tolist()
        answer, budget = False, 1
        while budget <= self.s.draws:  # nested budgets 1, 2, 4, ...
            votes = [tuple(program[i][:lengths[i]]) for i in range(budget) if solved[i]]
            if votes:
                winner = Counter(votes).most_common(1)[0][0]
                answer = bool(correct[[i for i in range(budget) if solved[i]][votes.index(winner)]])
            budget *= 2
        return answer

    def search_separately(self, episode: Tensor):
        x, y, query, answer = episode.unsqueeze(1)
        state, goal, start = (self.s.encoder(one).expand(self.s.draws, -1, -1) for one in (x, y, query))
        lengths, program = torch.zeros(self.s.draws, dtype=torch.long), []
        for k in range(self.s.steps):
            program.append(self.s.quantizer.sample(self.s.programmer(state, goal), self.s.temperature))
            state, hard = self.step(state, program[-1])
            lengths[self.matches(hard, y) & lengths.eq(0)] = k + 1
        hards = torch.stack(self.replay(start, program))
        stop = hards[(lengths - 1).clamp(min=0), torch.arange(self.s.draws)]
        return torch.stack(program, 1), lengths, lengths > 0, self.matches(stop, answer)


def timed(f, repetitions: int) -> dict[str, float]:
    f()  # warm-up
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        f()
        times.append(1e3 * (time.perf_counter() - start))
    return {"median": round(statistics.median(times), 3), "best": round(min(times), 3)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", choices=sorted({benchmark for benchmark, _ in PRESETS}), default="gridworld")
    parser.add_argument("--preset", choices=sorted({preset for _, preset in PRESETS}), default="paper")
    parser.add_argument("--item", choices=("train", "eval", "search"), default="train")
    parser.add_argument("--steps", type=int, default=5, help="training steps or episodes to time")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    if (args.benchmark, args.preset) not in PRESETS:
        parser.error(f"{args.benchmark} has no {args.preset} peer")
    torch.set_num_threads(args.threads)
    torch.manual_seed(42)
    peer = Peer(PRESETS[args.benchmark, args.preset]())

    record = {"benchmark": args.benchmark, "preset": args.preset, "item": args.item, "threads": args.threads}
    if args.item == "train":
        pairs = 2 * peer.s.episodes
        times = timed(lambda: peer.train_step(peer.observations(pairs), peer.observations(pairs)), args.steps)
        record |= {"pairs": pairs, "ms_per_step": times["median"], "best_ms_per_step": times["best"]}
    else:
        for module in (peer.s.programmer, peer.s.executor, peer.s.quantizer):
            module.eval()
        run = peer.evaluate if args.item == "eval" else peer.search
        times = timed(lambda: run(peer.observations(4)), args.steps)
        record |= {"ms_per_episode": times["median"], "best_ms_per_episode": times["best"]}
    print(json.dumps(record))


if __name__ == "__main__":
    main()
