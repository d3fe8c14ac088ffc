"""Imaging's `fast` preset: the same modules, the same steps, the same batch of images.

wake: programs and maps in the leading 32 dimensions of the state, by gradient; fit: the maps in all 256, by least squares;
sleep: the programmer names explanations and random programs.
The release has no such preset. ImagingFast writes the steps down plainly; ImagingFastWellWritten encodes each input once
and of each target what is needed, makes the maps of the codes once per step, and applies them to many rows at a time.
"""
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from inputs import load_weights, read_pairs

WIDTH, CODES, ACTION, PAIRS = 256, 10, 10, 512
PROGRAMMER_HIDDEN, PROGRAMMER_LAYERS = 256, 3
PRODUCTS, COARSE, PIXELS = 256, 32, 3072
PRICE, FLOOR, NAMING_TEMPERATURE, DREAM_LENGTH = 0.1, 1e-3, 0.1, 5
MEMORY, RIDGE, REFIT = 0.99, 1.0, 10


class Executor(nn.Module):
    """s + sum_i a_i (W_i s + b_i)"""

    def __init__(self):
        super().__init__()
        self.maps = nn.Parameter(0.3 / WIDTH ** 0.5 * torch.randn(ACTION, WIDTH, WIDTH))
        self.offsets = nn.Parameter(torch.zeros(ACTION, WIDTH))

    def forward(self, state: Tensor, action: Tensor) -> Tensor:
        """Every row its own action: [B, d], [B, A] -> [B, d]."""
        d = state.shape[1]
        linear = torch.einsum("ba,bad->bd", action, torch.einsum("bi,aid->bad", state, self.maps[:, :d, :d]))
        return state + linear + action @ self.offsets[:, :d]

    def same(self, state: Tensor, action: Tensor, linear: Tensor) -> Tensor:
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

    def forward(self, state: Tensor, target: Tensor) -> Tensor:
        return self.layers(torch.cat([state, target, self.as_state(state) * self.as_target(target)], 1))


class ImagingFast:
    ITEMS = ("wake", "fit", "sleep")

    def __init__(self, benchmark: str = "imaging"):
        self.executor, self.programmer, self.observation = Executor(), Programmer(), nn.Module()
        self.codebook = nn.Parameter(torch.linalg.qr(torch.randn(ACTION, CODES))[0].t().contiguous())
        for name, shape in (("mean", (PIXELS,)), ("basis", (PIXELS, WIDTH)), ("spread", (WIDTH,))):
            self.observation.register_buffer(name, torch.empty(shape))
        load_weights(self.observation, "imaging-linear-observation", "observation.")
        groups = [{"params": list(self.executor.parameters()), "lr": 1e-2},
                  {"params": list(self.programmer.parameters()), "lr": 1e-3}, {"params": [self.codebook], "lr": 1e-4}]
        self.parameters = [p for group in groups for p in group["params"]]
        self.optimizer = self.make_optimizer(groups)
        self.squares, self.products = torch.zeros(CODES, WIDTH + 1, WIDTH + 1), torch.zeros(CODES, WIDTH + 1, WIDTH)

    make_optimizer = staticmethod(lambda groups: torch.optim.AdamW(groups, weight_decay=0.0))

    def compilable(self):
        return [(self, "encode"), (self, "residual"), (self.executor, "forward"), (self.programmer, "forward")]

    # What is timed -------------------------------------------------------------------------------------

    def prepare(self, item: str, count: int) -> None:
        self.item, self.count = item, count
        self.batches = [side.flatten(1).split(PAIRS) for side in read_pairs("imaging", "train", PAIRS * count)]

    def run(self, i: int) -> int:
        if self.item == "fit":
            self.fit(i)
        else:
            loss = self.loss(i % self.count)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            loss.item()
        return 1

    def results(self) -> list[Tensor]:
        if self.item == "fit":
            return [self.fit(0), self.executor.maps, self.executor.offsets]
        loss = self.loss(0)
        gradients = torch.autograd.grad(loss, self.parameters, allow_unused=True)
        return [loss, *(g for g in gradients if g is not None)]

    # -----------------------------------------------------------------------------------------------------

    def encode(self, images: Tensor) -> Tensor:
        return (images.float() / 255 - self.observation.mean) @ self.observation.basis / self.observation.spread

    def codes(self) -> Tensor:
        return F.normalize(self.codebook, dim=1)

    def residual(self, predicted: Tensor, target: Tensor) -> Tensor:
        importance = self.observation.spread[: target.shape[-1]].sqrt()
        return (predicted - target).square() @ (importance / importance.sum())

    @torch.no_grad()
    def explain(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
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
        lengths = torch.tensor([len(p) for p in programs])
        best = ((torch.stack(left, 1) + FLOOR).log() + PRICE * lengths).argmin(1)
        return torch.tensor([p + (0,) * (2 - len(p)) for p in programs])[best], lengths[best]

    @torch.no_grad()
    def last_step(self, x: Tensor, chosen: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Where the last step of each program starts, and its code."""
        middle = self.executor(x, self.codes()[chosen[:, 0]])
        return torch.where((lengths == 2)[:, None], middle, x), chosen.gather(1, lengths[:, None] - 1).squeeze(1)

    def loss(self, i: int) -> Tensor:
        x, y = (self.encode(side[i]) for side in self.batches)
        chosen, lengths = self.explain(x[:, :COARSE], y[:, :COARSE])
        if self.item == "wake":
            return self.wake_loss(x[:, :COARSE], y[:, :COARSE], chosen, lengths)
        return self.naming_loss(x, chosen, lengths)

    def wake_loss(self, x: Tensor, y: Tensor, chosen: Tensor, lengths: Tensor) -> Tensor:
        """The last step of the explanation must give y."""
        previous, last = self.last_step(x, chosen, lengths)
        return self.residual(self.executor(previous, self.codes()[last]), y).mean()

    @torch.no_grad()
    def fit(self, i: int) -> Tensor:
        """Running moments of what each code should do; from time to time its map is solved for."""
        x, y = (self.encode(side[i % self.count]) for side in self.batches)
        chosen, lengths = self.explain(x[:, :COARSE], y[:, :COARSE])
        previous, last = self.last_step(x, chosen, lengths)
        loss = self.residual(self.executor(previous, self.codes()[last]), y).mean()
        extended, change = F.pad(previous, (0, 1), value=1.0), y - previous
        self.squares *= MEMORY
        self.products *= MEMORY
        for code in range(CODES):
            rows = last == code
            self.squares[code] += extended[rows].t() @ extended[rows]
            self.products[code] += extended[rows].t() @ change[rows]
        if i % REFIT == 0:
            codes = self.codes()
            for code in range(CODES):
                wanted = torch.linalg.solve(self.squares[code] + RIDGE * torch.eye(WIDTH + 1), self.products[code])
                self.set_map(codes[code], wanted)
        loss.item()
        return loss

    def set_map(self, action: Tensor, wanted: Tensor) -> None:
        now, offset = torch.einsum("a,aid->id", action, self.executor.maps), action @ self.executor.offsets
        self.executor.maps += action[:, None, None] * (wanted[:WIDTH] - now)
        self.executor.offsets += action[:, None] * (wanted[WIDTH] - offset)

    def dream(self, chosen: Tensor, lengths: Tensor, rows: int) -> tuple[Tensor, Tensor]:
        """The first half of the rows follow their explanation, the others a random program."""
        half = rows // 2
        programs = torch.cat([F.pad(chosen[:half], (0, DREAM_LENGTH - 2)), torch.randint(0, CODES, (rows - half, DREAM_LENGTH))])
        return programs, torch.cat([lengths[:half], torch.randint(1, DREAM_LENGTH + 1, (rows - half,))])

    def naming_loss(self, x: Tensor, chosen: Tensor, lengths: Tensor) -> Tensor:
        """Each code of each program is to be named."""
        programs, lengths = self.dream(chosen, lengths, len(x))
        codes, path = self.codes().detach(), [x]
        with torch.no_grad():
            for k in range(DREAM_LENGTH):
                path.append(torch.where((lengths > k)[:, None], self.executor(path[-1], codes[programs[:, k]]), path[-1]))
        row, k = torch.nonzero(torch.arange(DREAM_LENGTH)[None] < lengths[:, None], as_tuple=True)
        action = self.act(torch.stack(path, 1), row, k)
        distances = 2 - 2 * F.normalize(action, dim=1) @ codes.t()
        return F.cross_entropy(-distances / NAMING_TEMPERATURE, programs[row, k])

    def act(self, path: Tensor, row: Tensor, k: Tensor) -> Tensor:
        return self.programmer(path[row, k], path[row, -1])


class ImagingFastWellWritten(ImagingFast):
    @staticmethod
    def make_optimizer(groups) -> torch.optim.Optimizer:
        return torch.optim.AdamW(groups, weight_decay=0.0, **({"fused": True} if torch.__version__ >= "2" else {"foreach": True}))

    def compilable(self):
        return [(self, "leading"), (self, "explain"), (self, "step_few"), (self, "act")]

    def prepare(self, item: str, count: int) -> None:
        super().prepare(item, count)
        # Centring and scaling are done to the basis instead of to every image.
        self.scaled = self.observation.basis / (255 * self.observation.spread)
        self.centre = self.observation.mean @ self.observation.basis / self.observation.spread
        self.inputs = [self.leading(x, WIDTH) for x in self.batches[0]]
        self.spare = None  # the maps of all codes in all dimensions, until they change

    def leading(self, images: Tensor, d: int) -> Tensor:
        return torch.addmm(-self.centre[:d], images.float(), self.scaled[:, :d])

    def affine(self, d: int) -> tuple[Tensor, Tensor]:
        """The whole map of every code, [Z, d, d] and [Z, d]."""
        codes = self.codes()
        maps = (codes @ self.executor.maps[:, :d, :d].flatten(1)).view(CODES, d, d)
        return maps + torch.eye(d), codes @ self.executor.offsets[:, :d]

    @torch.no_grad()
    def explain(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        (maps, offsets), d = self.affine(x.shape[1]), x.shape[1]
        side_by_side, offset = maps.permute(1, 0, 2).reshape(d, CODES * d), offsets.flatten()
        one = torch.addmm(offset, x, side_by_side).view(-1, d)
        two = torch.addmm(offset, one, side_by_side)
        left = [self.residual(reached.view(len(x), -1, d), y[:, None]) for reached in (one, two)]
        price = PRICE * torch.tensor([1.0] * CODES + [2.0] * CODES ** 2)
        best = ((torch.cat(left, 1) + FLOOR).log() + price).argmin(1)
        is_two, within = best >= CODES, best - CODES
        first = torch.where(is_two, within.div(CODES, rounding_mode="floor"), best)
        return torch.stack([first, torch.where(is_two, within % CODES, 0)], 1), is_two.long() + 1

    @staticmethod
    def step_few(state: Tensor, codes: Tensor, maps: Tensor, offsets: Tensor) -> Tensor:
        """In few dimensions a map for each row is small."""
        return torch.baddbmm(offsets[codes][:, None], state[:, None], maps[codes]).squeeze(1)

    @staticmethod
    def step_many(state: Tensor, codes: Tensor, maps: Tensor, offsets: Tensor) -> Tensor:
        """Code after code; rows whose code is -1 stay."""
        reached = state.clone()
        for code in range(CODES):
            rows = (codes == code).nonzero().squeeze(1)
            reached[rows] = torch.addmm(offsets[code], state[rows], maps[code])
        return reached

    def all_maps(self) -> tuple[Tensor, Tensor]:
        if self.spare is None:
            self.spare = tuple(t.detach() for t in self.affine(WIDTH))
        return self.spare

    def loss(self, i: int) -> Tensor:
        x = self.inputs[i]
        if self.item == "wake":
            x, y = x[:, :COARSE], self.leading(self.batches[1][i], COARSE)
            return self.wake_loss(x, y, *self.explain(x, y))
        half = len(x) // 2  # the others dream
        y = self.leading(self.batches[1][i][:half], COARSE)
        return self.naming_loss(x, *self.explain(x[:half, :COARSE], y))

    @staticmethod
    def last_codes(chosen: Tensor, lengths: Tensor) -> Tensor:
        return chosen.gather(1, lengths[:, None] - 1).squeeze(1)

    def wake_loss(self, x: Tensor, y: Tensor, chosen: Tensor, lengths: Tensor) -> Tensor:
        maps, offsets = self.affine(COARSE)
        with torch.no_grad():
            previous = torch.where((lengths == 2)[:, None], self.step_few(x, chosen[:, 0], maps, offsets), x)
        reached = self.step_few(previous, self.last_codes(chosen, lengths), maps, offsets)
        return self.residual(reached, y).mean()

    @torch.no_grad()
    def fit(self, i: int) -> Tensor:
        x, y = self.inputs[i % self.count], self.leading(self.batches[1][i % self.count], WIDTH)
        chosen, lengths = self.explain(x[:, :COARSE], y[:, :COARSE])
        last = self.last_codes(chosen, lengths)
        previous = self.step_many(x, chosen[:, 0].masked_fill(lengths == 1, -1), *self.all_maps())
        loss = self.residual(self.step_many(previous, last, *self.all_maps()), y).mean()
        both = torch.cat([previous, torch.ones(len(x), 1), y - previous], 1)
        if i == 0:
            self.moments = torch.zeros(CODES, WIDTH + 1, 2 * WIDTH + 1)
        for code in range(CODES):
            rows = both[last == code]
            self.moments[code].addmm_(rows[:, :WIDTH + 1].t(), rows, beta=MEMORY)
        if i % REFIT == 0:
            squares, products = self.moments[..., :WIDTH + 1], self.moments[..., WIDTH + 1:]
            wanted = torch.linalg.solve(squares + RIDGE * torch.eye(WIDTH + 1), products)
            for code, action in enumerate(self.codes()):
                self.set_map(action, wanted[code])
            self.spare = None
        loss.item()
        return loss

    def naming_loss(self, x: Tensor, chosen: Tensor, lengths: Tensor) -> Tensor:
        programs, lengths = self.dream(chosen, lengths, len(x))
        within, path = torch.arange(DREAM_LENGTH)[None] < lengths[:, None], [x]
        with torch.no_grad():
            running = programs.masked_fill(~within, -1)
            for k in range(DREAM_LENGTH):
                path.append(self.step_many(path[-1], running[:, k], *self.all_maps()))
        row, k = within.nonzero(as_tuple=True)
        action = self.act(torch.stack(path, 1), row, k)
        distances = 2 - 2 * F.normalize(action, dim=1) @ self.codes().detach().t()
        return F.cross_entropy(-distances / NAMING_TEMPERATURE, programs[row, k])

    def act(self, path: Tensor, row: Tensor, k: Tensor) -> Tensor:
        """A target's part is computed once per program, not once per step."""
        first, p = self.programmer.layers[0], self.programmer
        of_state, of_target, of_products = first.weight.split([WIDTH, WIDTH, PRODUCTS], 1)
        state, target = path[row, k], path[:, -1]
        hidden = F.linear(target, of_target, first.bias)[row] + F.linear(state, of_state)
        hidden = hidden + F.linear(p.as_state(state) * p.as_target(target)[row], of_products)
        return p.layers[1:](hidden)
