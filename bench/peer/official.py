"""The `paper` presets' training step, evaluation and NEO-S in the official release's order of operations."""
from collections import Counter

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from inputs import load_weights, read_episodes, read_pairs
from models import Setup, arithmetic_paper, gridworld_paper, pick


class Official:
    ITEMS = ("train", "eval", "search")
    SETUPS = {"gridworld": gridworld_paper, "arithmetic": arithmetic_paper}

    def __init__(self, benchmark: str):
        self.benchmark = benchmark
        self.s: Setup = self.SETUPS[benchmark]()
        load_weights(self.s.observation, self.s.observation_weights, "observation.")
        self.s.observation.eval().requires_grad_(False)  # pretrained and frozen
        rate = self.s.learning_rate
        groups = [{"params": list(self.s.programmer.parameters()), "lr": rate * self.s.programmer_rate},
                  {"params": [*self.s.executor.parameters(), *self.s.quantizer.parameters()], "lr": rate}]
        self.optimizer = self.make_optimizer(groups)
        self.parameters = [p for group in groups for p in group["params"]]

    @staticmethod
    def make_optimizer(groups) -> torch.optim.Optimizer:
        return torch.optim.AdamW(groups, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01)

    def compilable(self):
        s = self.s
        return [(s.observation, "encode"), (s.observation, "decode"), (s.programmer, "forward"), (s.executor, "forward")]

    def losses(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Cross-entropy of each row, mean over positions."""
        each = F.cross_entropy(logits.reshape(-1, self.s.values), targets.reshape(-1), reduction="none")
        return each.view(len(targets), -1).mean(1)

    @staticmethod
    def matches(hard: Tensor, targets: Tensor) -> Tensor:
        return hard.eq(targets).flatten(1).all(1)

    # What is timed -------------------------------------------------------------------------------------

    def prepare(self, item: str, count: int) -> None:
        """`count` batches of training pairs, or a trained theory and `count` episodes."""
        self.item, self.count = item, count
        if item == "train":
            rows = 2 * self.s.episodes
            self.batches = [side.long().split(rows) for side in read_pairs(self.benchmark, "train", rows * count)]
            return
        theory = self.s.theory_module()
        if self.s.theory:
            load_weights(theory, self.s.theory)
        theory.eval()
        self.episodes = [side.long() for side in read_episodes(self.benchmark, count)]

    def run(self, i: int) -> int:
        """The i-th step or episode, or several at once; how many it did."""
        i %= self.count
        if self.item == "train":
            x, y = (side[i] for side in self.batches)
            self.apply(self.loss(x, y, torch.rand(self.s.steps, len(x))))
        elif self.item == "eval":
            self.evaluate(*(side[i:i + 1] for side in self.episodes))
        else:
            self.search(*(side[i:i + 1] for side in self.episodes), torch.rand(self.s.draws, self.s.steps))
        return 1

    def results(self) -> list[Tensor]:
        """What the first batch or all episodes give: the loss and its gradients, or the answers."""
        if self.item == "train":
            x, y = (side[0] for side in self.batches)
            loss = self.loss(x, y, torch.rand(self.s.steps, len(x)))
            return [loss, *torch.autograd.grad(loss, self.parameters)]
        return [self.evaluate_all() if self.item == "eval" else self.search_all()]

    def evaluate_all(self) -> Tensor:
        return torch.cat([self.evaluate(*episode) for episode in zip(*(side.split(1) for side in self.episodes))])

    def search_all(self) -> Tensor:
        uniforms = torch.rand(self.count, self.s.draws, self.s.steps)
        episodes = zip(*(side.split(1) for side in self.episodes), uniforms)
        return torch.cat([self.search(*episode) for episode in episodes])

    # Training ------------------------------------------------------------------------------------------

    def apply(self, loss: Tensor) -> None:
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        loss.item()

    def rollout(self, state: Tensor, goal: Tensor, uniforms: Tensor):
        """K steps; after each, without gradient: decode, harden, re-encode."""
        states, hards, quantized, distances = [], [], [], []
        for k in range(self.s.steps):
            chosen = self.s.quantizer(self.s.programmer(state.detach(), goal), uniforms[k])
            state = self.s.executor(state, chosen.action)
            with torch.no_grad():
                hard = self.s.observation.decode(state).argmax(-1)
                grounded = self.s.observation.encode(hard)
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

    def loss(self, inputs: Tensor, targets: Tensor, uniforms: Tensor) -> Tensor:
        observations = torch.cat([inputs, targets])
        state, goal = self.s.observation.encode(observations).chunk(2)
        states, hards, quantized, distances = self.rollout(state, goal, uniforms)
        predictions = [self.s.observation.decode(state) for state in states]  # again, with gradient
        lengths = self.select_lengths([self.losses(p, targets) for p in predictions], hards, targets)

        selected, vq = torch.zeros_like(predictions[0]), torch.zeros(())
        for k in range(self.s.steps):
            mask = lengths.eq(k + 1)
            if mask.any():
                selected[mask] = predictions[k][mask]
                vq = vq + quantized[k].loss[mask].sum()
        loss = self.losses(selected, targets).mean() + vq / len(targets)
        return loss + self.s.grounding_weight * self.s.grounding(distances, lengths)

    # Evaluation, one episode at a time -----------------------------------------------------------------

    def step(self, state: Tensor, codes: Tensor) -> tuple[Tensor, Tensor]:
        """Execute, harden, and go on from the hard observation."""
        hard = self.s.observation.decode(self.s.executor(state, self.s.quantizer.entry(codes))).argmax(-1)
        return self.s.observation.encode(hard), hard

    def induce(self, x: Tensor, y: Tensor) -> list[Tensor]:
        """The program that leads from x to y, up to the first exact match."""
        state, goal, program = self.s.observation.encode(x), self.s.observation.encode(y), []
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

    def joint(self, x: Tensor, y: Tensor, query: Tensor, answer: Tensor, choose):
        """Support and query side by side, the query under the support's codes; then support-only stopping."""
        state, goal = self.s.observation.encode(torch.cat([x, query])), self.s.observation.encode(torch.cat([y, answer]))
        hards, losses, program, rows = [], [], [], len(x)
        for k in range(self.s.steps):
            codes = choose(self.s.programmer(state, goal)[:rows], k)
            state = self.s.executor(state, self.s.quantizer.entry(codes).repeat(2, 1))
            logits = self.s.observation.decode(state)
            losses.append(self.losses(logits[:rows], y))
            hards.append(logits.argmax(-1))
            program.append(codes)
            state = self.s.observation.encode(hards[-1])
        lengths = self.select_lengths(losses, [h[:rows] for h in hards], y)
        chosen, each = torch.stack(hards), torch.arange(rows)
        support, transferred = chosen[lengths - 1, each], chosen[lengths - 1, rows + each]
        return torch.stack(program, 1), lengths, self.matches(support, y), transferred

    @torch.no_grad()
    def evaluate(self, x: Tensor, y: Tensor, query: Tensor, answer: Tensor) -> Tensor:
        """What the program of the support pair makes of the query."""
        if self.s.evaluate == "joint":
            return self.joint(x, y, query, answer, lambda action, k: self.s.quantizer.nearest(action))[3]
        self.induce(x, y)  # self-explanation, then transfer: the release walks the support twice
        return self.replay(self.s.observation.encode(query), self.induce(x, y))[-1]

    @torch.no_grad()
    def search(self, x: Tensor, y: Tensor, query: Tensor, answer: Tensor, uniforms: Tensor) -> Tensor:
        """NEO-S: sample programs on the support, vote among the solving ones, answer the query; -1: no answer."""
        def choose(action: Tensor, k: int) -> Tensor:
            return pick(self.s.quantizer.probabilities(action, self.s.temperature), uniforms[:, k])

        if self.s.evaluate == "joint":
            given = (side.repeat(self.s.draws, 1) for side in (x, y, query, answer))
            program, lengths, solved, ends = self.joint(*given, choose)
        else:
            program, lengths, solved, ends = self.search_separately(x, y, query, choose)
        program, lengths, solved = program.tolist(), lengths.tolist(), solved.tolist()
        votes = [tuple(program[i][:lengths[i]]) for i in range(self.s.draws) if solved[i]]
        if not votes:
            return torch.full_like(query, -1)
        winner = votes.index(Counter(votes).most_common(1)[0][0])
        return ends[[i for i in range(self.s.draws) if solved[i]][winner]].unsqueeze(0)

    def search_separately(self, x: Tensor, y: Tensor, query: Tensor, choose):
        encode, draws = self.s.observation.encode, self.s.draws
        state, goal, start = (encode(one).expand(draws, -1, -1) for one in (x, y, query))
        lengths, program = torch.zeros(draws, dtype=torch.long), []
        for k in range(self.s.steps):
            program.append(choose(self.s.programmer(state, goal), k))
            state, hard = self.step(state, program[-1])
            lengths[self.matches(hard, y) & lengths.eq(0)] = k + 1
        hards = torch.stack(self.replay(start, program))
        stop = hards[(lengths - 1).clamp(min=0), torch.arange(draws)]
        return torch.stack(program, 1), lengths, lengths > 0, stop
