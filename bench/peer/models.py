"""The architectures of the `paper` presets, written plainly in PyTorch; parameters are named as in neo's weights.

Shapes: B rows, T state tokens, D numbers per token.
"""
from dataclasses import dataclass
from typing import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass
class Setup:
    observation: nn.Module         # encode: observations [B, ...] int64 -> states [B, T, D]; decode: -> logits [B, ..., values]
    programmer: nn.Module          # (state, goal) -> action [B, A]
    executor: nn.Module            # (state, action) -> state
    quantizer: nn.Module           # action -> Quantized
    values: int                    # each element of an observation is below
    steps: int                     # K
    episodes: int                  # per training batch; each is two pairs
    length_coefficient: float
    grounding_weight: float
    grounding: Callable[[Tensor, Tensor], Tensor]  # (distances [K, B], lengths [B]) -> loss
    learning_rate: float
    programmer_rate: float         # factor on the learning rate
    draws: int                     # NEO-S
    temperature: float
    evaluate: str                  # "separate": self-explanation, then transfer, stopping at a match; "joint"
    theory: str                    # weights of a trained theory to evaluate; "": fresh ones
    observation_weights: str

    def theory_module(self) -> nn.Module:
        parts = ("observation", "programmer", "executor", "quantizer")
        return nn.ModuleDict({name: getattr(self, name) for name in parts})


@dataclass
class Quantized:
    action: Tensor   # [B, A] straight-through
    codes: Tensor    # [B]
    loss: Tensor     # [B]


def pick(probabilities: Tensor, uniforms: Tensor) -> Tensor:
    """A code for each row, [B, Z] and [B] -> [B]."""
    return (probabilities.cumsum(-1) < uniforms.unsqueeze(-1)).sum(-1).clamp_max(probabilities.shape[-1] - 1)


class Quantizer(nn.Module):
    """L2-normalised codebook, trained by gradient or by exponential moving averages."""

    def __init__(self, codes: int, width: int, temperature: float, ema: bool):
        super().__init__()
        initial = torch.empty(codes, width).uniform_(-1 / codes, 1 / codes)
        self.temperature, self.ema = temperature, ema
        if ema:
            self.register_buffer("codebook", initial)
            self.register_buffer("sizes", torch.zeros(codes))
            self.register_buffer("sums", initial.clone())
        else:
            self.codebook = nn.Parameter(initial)

    def probabilities(self, action: Tensor, temperature: float) -> Tensor:
        return (-self.distances(action) / temperature).softmax(-1)

    def distances(self, action: Tensor) -> Tensor:
        unit, book = F.normalize(action, dim=-1), F.normalize(self.codebook, dim=-1)
        return unit.square().sum(1, keepdim=True) + book.square().sum(1) - 2 * unit @ book.T

    def entry(self, codes: Tensor) -> Tensor:
        return F.normalize(self.codebook[codes], dim=-1)

    def nearest(self, action: Tensor) -> Tensor:
        return self.distances(action).argmin(-1)

    def forward(self, action: Tensor, uniforms: Tensor) -> Quantized:
        with torch.no_grad():
            codes = pick(self.probabilities(action, self.temperature), uniforms)
            if self.ema:
                self.update(F.normalize(action, dim=-1), codes)
        unit, entry = F.normalize(action, dim=-1), self.entry(codes)
        loss = 0.25 * (entry.detach() - unit).square().mean(-1)
        if not self.ema:
            loss = loss + (entry - unit.detach()).square().mean(-1)
        return Quantized(unit + (entry - unit).detach(), codes, loss)

    def update(self, unit: Tensor, codes: Tensor, decay: float = 0.99, epsilon: float = 1e-5) -> None:
        chosen = F.one_hot(codes, len(self.codebook)).to(unit.dtype)
        self.sizes.mul_(decay).add_(chosen.sum(0), alpha=1 - decay)
        self.sums.mul_(decay).add_(chosen.T @ unit, alpha=1 - decay)
        count = self.sizes.sum()
        sizes = (self.sizes + epsilon) / (count + len(self.codebook) * epsilon) * count
        self.codebook.copy_(self.sums / sizes.unsqueeze(1))


def mlp(*widths: int) -> nn.Sequential:
    layers = []
    for a, b in zip(widths, widths[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


# GridWorld -----------------------------------------------------------------------------------------------

def convolution(layer: nn.Module, channels: int) -> list[nn.Module]:
    return [layer, nn.BatchNorm2d(channels), nn.ReLU(), nn.Dropout2d(0.1)]


class GridVae(nn.Module):
    def __init__(self):
        super().__init__()
        self.colours = nn.Embedding(9, 16)
        self.encoder = nn.Sequential(*convolution(nn.Conv2d(16, 64, 3, padding=1), 64),
                                     *convolution(nn.Conv2d(64, 128, 3, stride=2, padding=1), 128),
                                     *convolution(nn.Conv2d(128, 256, 3, stride=2), 256))
        self.mean, self.log_variance = nn.Linear(1024, 32), nn.Linear(1024, 32)
        self.expand = nn.Linear(32, 1024)
        self.decoder = nn.Sequential(
            *convolution(nn.ConvTranspose2d(256, 128, 3, stride=2), 128),
            *convolution(nn.ConvTranspose2d(128, 64, 3, stride=2, padding=1, output_padding=1), 64),
            nn.Conv2d(64, 9, 3, padding=1))

    def features(self, grids: Tensor) -> Tensor:
        return self.encoder(self.colours(grids).permute(0, 3, 1, 2)).flatten(1)

    def encode(self, grids: Tensor) -> Tensor:
        features = self.features(grids)
        self.log_variance(features)  # the release computes it and uses the mean
        return self.mean(features).unsqueeze(1)

    def decode(self, states: Tensor) -> Tensor:
        return self.decoder(self.expand(states.flatten(1)).view(-1, 256, 2, 2)).permute(0, 2, 3, 1)


class MlpProgrammer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = mlp(64, 128, 128, 128, 128, 16)

    def forward(self, state: Tensor, goal: Tensor) -> Tensor:
        return self.layers(torch.cat([state, goal], -1).flatten(1))


class FilmExecutor(nn.Module):
    def __init__(self):
        super().__init__()
        self.state, self.output = nn.Sequential(*mlp(32, 128, 128), nn.ReLU()), mlp(128, 128, 128, 32)
        self.action, self.gamma, self.beta = nn.Linear(16, 128), nn.Linear(128, 128), nn.Linear(128, 128)
        self.gamma.weight.data.fill_diagonal_(1)
        for parameter in (self.gamma.bias, self.beta.weight, self.beta.bias):
            nn.init.zeros_(parameter)

    def forward(self, state: Tensor, action: Tensor) -> Tensor:
        embedded = self.action(action)
        hidden = self.gamma(embedded) * self.state(state.flatten(1)) + self.beta(embedded)
        return state + self.output(hidden).view_as(state)


def gridworld_paper(vae=GridVae) -> Setup:
    return Setup(observation=vae(), programmer=MlpProgrammer(), executor=FilmExecutor(),
                 quantizer=Quantizer(6, 16, temperature=0.3, ema=False), values=9, steps=4, episodes=128,
                 length_coefficient=0.95, grounding_weight=0.1,
                 grounding=lambda distances, lengths: distances.mean(1).sum(),
                 learning_rate=5e-4, programmer_rate=0.25, draws=64, temperature=0.3, evaluate="separate",
                 theory="gridworld-paper-alpha0.33", observation_weights="gridworld-grid-vae-observation")


# Arithmetic ----------------------------------------------------------------------------------------------

class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.read = nn.Embedding(10, 8), nn.Linear(8, 10)

    def encode(self, digits: Tensor) -> Tensor:
        return self.embedding(digits)

    def decode(self, states: Tensor) -> Tensor:
        return self.read(states)


class EncoderLayer(nn.Module):
    """Post-norm self-attention and feed-forward."""

    def __init__(self, width: int, heads: int, hidden: int):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.feed_forward = mlp(width, hidden, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm1(x + self.attention(x, x, x, need_weights=False)[0])
        return self.norm2(x + self.feed_forward(x))


class TransformerProgrammer(nn.Module):
    """One learned action token beside the 12 state tokens; its reading is the action."""

    def __init__(self, width: int = 64, digits: int = 6):
        super().__init__()
        self.project = nn.Linear(8, width)
        self.action_token = nn.Parameter(torch.randn(1, width))
        self.action_position = nn.Parameter(torch.randn(1, width))
        self.digit = nn.Parameter(torch.randn(digits, width // 4))
        self.side = nn.Embedding(2, width // 4)
        self.joint = nn.Parameter(torch.randn(2 * digits, width // 2))
        self.layers = nn.Sequential(*[EncoderLayer(width, heads=4, hidden=256) for _ in range(6)])
        self.read = nn.Linear(width, 4)

    def forward(self, state: Tensor, goal: Tensor) -> Tensor:
        tokens = torch.cat([self.project(state), self.project(goal)], 1)
        digits = len(self.digit)
        side = self.side(torch.arange(2)).repeat_interleave(digits, 0)
        tokens = tokens + torch.cat([self.digit.repeat(2, 1), side, self.joint], 1)
        action = (self.action_token + self.action_position).expand(len(state), 1, -1)
        return self.read(self.attend(torch.cat([action, tokens], 1))[:, 0])

    def attend(self, tokens: Tensor) -> Tensor:
        return self.layers(tokens)


class CrossAttentionExecutor(nn.Module):
    """Post-norm decoder: the digits attend to each other, then to the one action token."""

    def __init__(self, width: int = 32, digits: int = 6):
        super().__init__()
        self.inward, self.action, self.outward = nn.Linear(8, width), nn.Linear(4, width), nn.Linear(width, 8)
        self.position = nn.Parameter(torch.randn(digits, width))
        self.action_position = nn.Parameter(torch.randn(1, width))
        layer = nn.TransformerDecoderLayer(width, nhead=2, dim_feedforward=128, dropout=0.0, batch_first=True)
        self.decoder = nn.TransformerDecoder(layer, num_layers=4)

    def forward(self, state: Tensor, action: Tensor) -> Tensor:
        memory = self.action(action).unsqueeze(1) + self.action_position
        return self.outward(self.decode(self.inward(state) + self.position, memory))

    def decode(self, tokens: Tensor, memory: Tensor) -> Tensor:
        return self.decoder(tokens, memory)


def arithmetic_paper(programmer=TransformerProgrammer, executor=CrossAttentionExecutor) -> Setup:
    return Setup(observation=Digits(), programmer=programmer(), executor=executor(),
                 quantizer=Quantizer(16, 4, temperature=0.3, ema=True), values=10, steps=3, episodes=512,
                 length_coefficient=1.01, grounding_weight=0.5,
                 grounding=lambda distances, lengths: (distances / lengths).sum(0).mean(),
                 learning_rate=1.5e-3, programmer_rate=0.5, draws=1024, temperature=1.0, evaluate="joint",
                 theory="", observation_weights="arithmetic-digits-observation")
