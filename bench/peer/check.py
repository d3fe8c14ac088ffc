"""Both forms of a peer compute the same, from the same weights, pairs and random numbers."""
import torch
from torch import Tensor

EPISODES, TOLERANCE = 16, 1e-3


def results(make, item: str) -> list[Tensor]:
    torch.manual_seed(1)
    peer = make()  # the same weights, since both draw them in the same order
    peer.prepare(item, EPISODES)
    torch.manual_seed(2)
    return peer.results()


def distance(a: list[Tensor], b: list[Tensor]) -> float:
    """Of all numbers together, relative to their size."""
    a, b = (torch.cat([t.detach().flatten().double() for t in side]) for side in (a, b))
    return float((a - b).norm() / a.norm())


def check(make_official, make_written, items: tuple[str, ...]) -> None:
    for item in items:
        official, written = results(make_official, item), results(make_written, item)
        if item in ("eval", "search"):
            same = int(official[0].eq(written[0]).flatten(1).all(1).sum())
            answered = int((official[0] >= 0).flatten(1).all(1).sum())
            print(f"{item}: {same} of {EPISODES} episodes have the same outcome, {answered} an answer")
            good = same == EPISODES
        else:
            loss, rest = distance(official[:1], written[:1]), distance(official[1:], written[1:])
            print(f"{item}: loss {official[0].item():.6f}; relative difference {loss:.1e}, of all gradients {rest:.1e}")
            good = max(loss, rest) < TOLERANCE
        if not good:
            raise SystemExit(f"peer: the forms differ in {item}")
