"""The `paper` presets as a good PyTorch programmer would write them: the same algorithm and the same results.

Training: the pairs are encoded before, and each distinct prediction once; the rollout stands by itself, so that all K
candidates are decoded together, without gradient, and only the selected ones again with it. Evaluation and search take
many episodes at a time, induce once, and drop what is solved.
"""
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.fusion import fuse_conv_bn_eval

from distinct import Memo
from inputs import read_pairs
from models import CrossAttentionExecutor, GridVae, TransformerProgrammer, arithmetic_paper, gridworld_paper
from official import Official
from sampling import replay, same, vote


class LeanVae(GridVae):
    """Frozen: batch norms are folded into their convolutions, and only the mean is computed."""

    def fold(self) -> None:
        self.encoder, self.decoder = (self.folded(layers) for layers in (self.encoder, self.decoder))
        self.requires_grad_(False)
        self.to(memory_format=torch.channels_last)

    @staticmethod
    def folded(layers: nn.Sequential) -> nn.Sequential:
        out = []
        for layer in layers:
            if isinstance(layer, nn.BatchNorm2d):
                out[-1] = fuse_conv_bn_eval(out[-1], layer, transpose=isinstance(out[-1], nn.ConvTranspose2d))
            elif not isinstance(layer, nn.Dropout2d):
                out.append(layer)
        return nn.Sequential(*out)

    def encode(self, grids: Tensor) -> Tensor:
        return self.mean(self.features(grids)).unsqueeze(1)


def attend(attention: nn.MultiheadAttention, queries: Tensor, memory: Tensor) -> Tensor:
    width, heads = attention.embed_dim, attention.num_heads
    weight, bias = attention.in_proj_weight, attention.in_proj_bias
    query = F.linear(queries, weight[:width], bias[:width])
    key, value = F.linear(memory, weight[width:], bias[width:]).chunk(2, -1)
    query, key, value = (t.unflatten(-1, (heads, -1)).transpose(1, 2) for t in (query, key, value))
    if hasattr(F, "scaled_dot_product_attention"):
        mixed = F.scaled_dot_product_attention(query, key, value)
    else:
        mixed = (query @ key.transpose(-1, -2) * key.shape[-1] ** -0.5).softmax(-1) @ value
    return attention.out_proj(mixed.transpose(1, 2).flatten(2))


class LeanProgrammer(TransformerProgrammer):
    """In the last layer only the action token is asked for."""

    def attend(self, tokens: Tensor) -> Tensor:
        for layer in self.layers:
            asked = tokens[:, :1] if layer is self.layers[-1] else tokens
            tokens = layer.norm1(asked + attend(layer.attention, asked, tokens))
            tokens = layer.norm2(tokens + layer.feed_forward(tokens))
        return tokens


class LeanExecutor(CrossAttentionExecutor):
    """Attention to one token is that token."""

    def decode(self, tokens: Tensor, memory: Tensor) -> Tensor:
        for layer in self.decoder.layers:
            tokens = layer.norm1(tokens + attend(layer.self_attn, tokens, tokens))
            cross, width = layer.multihead_attn, layer.multihead_attn.embed_dim
            value = F.linear(memory, cross.in_proj_weight[2 * width:], cross.in_proj_bias[2 * width:])
            tokens = layer.norm2(tokens + cross.out_proj(value))
            tokens = layer.norm3(tokens + layer.linear2(F.relu(layer.linear1(tokens))))
        return tokens


class WellWritten(Official):
    SETUPS = {"gridworld": lambda: gridworld_paper(LeanVae), "arithmetic": lambda: arithmetic_paper(LeanProgrammer, LeanExecutor)}
    AT_ONCE = 8192  # draws

    @staticmethod
    def make_optimizer(groups) -> torch.optim.Optimizer:
        fast = {"fused": True} if torch.__version__ >= "2" else {"foreach": True}
        return torch.optim.AdamW(groups, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, **fast)

    def compilable(self):
        s = self.s
        return [(self, "rollout"), (self, "read"), (self, "selected_loss"), (s.observation, "encode"),
                (self, "propose"), (self, "predict")]

    def prepare(self, item: str, count: int) -> None:
        super().prepare(item, count)
        self.ready()
        if item == "train":
            with torch.no_grad():
                self.states = [[self.encode(batch) for batch in side] for side in self.batches]

    def ready(self) -> None:
        """After the weights are in place."""
        if isinstance(self.s.observation, LeanVae):
            self.s.observation.fold()
        self.forget()

    def forget(self) -> None:
        """An encoder that remembers, where encoding is more than looking up."""
        encode = self.s.observation.encode
        self.encode = Memo(encode) if isinstance(self.s.observation, LeanVae) else encode

    def run(self, i: int) -> int:
        if self.item == "train":
            i %= self.count
            (state, goal), y = (side[i] for side in self.states), self.batches[1][i]
            self.apply(self.loss_of_states(state, goal, y, torch.rand(self.s.steps, len(y))))
            return 1
        self.forget()
        self.evaluate_all() if self.item == "eval" else self.search_all()
        return self.count

    # Training ------------------------------------------------------------------------------------------

    def rollout(self, state: Tensor, goal: Tensor, uniforms: Tensor) -> tuple[Tensor, Tensor]:
        """All K candidates [K, B, T, D], and what quantizing each cost [K, B]."""
        candidates, losses = [], []
        for uniform in uniforms.unbind():
            chosen = self.s.quantizer(self.s.programmer(state.detach(), goal), uniform)
            state = self.s.executor(state, chosen.action)
            candidates.append(state)
            losses.append(chosen.loss)
        return torch.stack(candidates), torch.stack(losses)

    @torch.no_grad()
    def read(self, candidates: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """What the candidates show [K B, ...], and the step at which each row stops [B]."""
        steps, rows = candidates.shape[:2]
        logits = self.s.observation.decode(candidates.flatten(0, 1))
        hard, repeated = logits.argmax(-1), targets.repeat(steps, *[1] * (targets.dim() - 1))
        powers = self.s.length_coefficient ** torch.arange(1, steps + 1)
        losses = self.losses(logits, repeated).view(steps, rows) * powers[:, None]
        exact = same(hard, repeated).view(steps, rows)
        return hard, torch.where(exact.any(0), exact.int().argmax(0), losses.argmin(0))

    def selected_loss(self, candidates: Tensor, vq: Tensor, grounded: Tensor, last: Tensor, targets: Tensor) -> Tensor:
        rows = torch.arange(len(targets))
        loss = self.losses(self.s.observation.decode(candidates[last, rows]), targets).mean() + vq[last, rows].mean()
        distances = (candidates - grounded.view_as(candidates)).square().flatten(2).mean(-1)
        return loss + self.s.grounding_weight * self.s.grounding(distances, last + 1)

    def loss_of_states(self, state: Tensor, goal: Tensor, targets: Tensor, uniforms: Tensor) -> Tensor:
        candidates, vq = self.rollout(state, goal, uniforms)
        hard, last = self.read(candidates, targets)
        with torch.no_grad():
            grounded = self.encode(hard)
        return self.selected_loss(candidates, vq, grounded, last, targets)

    def loss(self, inputs: Tensor, targets: Tensor, uniforms: Tensor) -> Tensor:
        with torch.no_grad():
            state, goal = self.encode(inputs), self.encode(targets)
        return self.loss_of_states(state, goal, targets, uniforms)

    # Evaluation and search -----------------------------------------------------------------------------

    def propose(self, state: Tensor, goal: Tensor) -> Tensor:
        return self.s.quantizer.probabilities(self.s.programmer(state, goal), self.s.temperature)

    def predict(self, state: Tensor, codes: Tensor) -> Tensor:
        return self.s.observation.decode(self.s.executor(state, self.s.quantizer.entry(codes)))

    def execute(self, state: Tensor, codes: Tensor) -> Tensor:
        return self.predict(state, codes).argmax(-1)

    def induce(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        """Programs [E, K] and their lengths [E]."""
        episodes, steps = len(x), self.s.steps
        codes, losses = torch.zeros(episodes, steps, dtype=torch.long), torch.full((episodes, steps), float("inf"))
        lengths = torch.full((episodes,), steps)
        rows, goal, hard = torch.arange(episodes), self.encode(y), x
        for k in range(steps):
            state = self.encode(hard)
            chosen = codes[rows, k] = self.propose(state, goal).argmax(-1)
            logits, target = self.predict(state, chosen), y[rows]
            hard = logits.argmax(-1)
            if self.s.evaluate == "joint":
                losses[rows, k] = self.losses(logits, target)
            solved = same(hard, target)
            lengths[rows[solved]] = k + 1
            rows, goal, hard = rows[~solved], goal[~solved], hard[~solved]
            if not len(rows):
                break
        if self.s.evaluate == "joint":  # those without an exact match
            lengths[rows] = (losses * self.s.length_coefficient ** torch.arange(1, steps + 1)).argmin(1)[rows] + 1
        return codes, lengths

    @torch.inference_mode()
    def evaluate_all(self) -> Tensor:
        x, y, query, _ = self.episodes
        return replay(self, query, *self.induce(x, y))

    @torch.inference_mode()
    def search_all(self) -> Tensor:
        uniforms = torch.rand(self.count, self.s.draws, self.s.steps)
        at_once = max(1, self.AT_ONCE // self.s.draws)
        return torch.cat([vote(self, *part) for part in zip(*(side.split(at_once) for side in (*self.episodes[:3], uniforms)))])
