"""The same work as `neo bench`, in plain PyTorch; bench/compare.sh sets both against each other.

  echo | python3 bench/peer gridworld --preset paper --item train --form well-written
After a warm-up, every line on standard input starts a round, and the round's time is printed:
{"ms": per training step or episode, "compiled": ..., "torch": ...}. Needs torch, numpy and h5py. With PyTorch 2 both
torch.compile and plain execution are tried, and the faster of them is used.
  python3 bench/peer gridworld --preset paper --check
compares the results of the two forms instead.
"""
import argparse
import json
import statistics
import sys
import time
import warnings

import torch

from check import check
from gridworld_fast import GridworldFast, GridworldFastWellWritten
from imaging_fast import ImagingFast, ImagingFastWellWritten
from official import Official
from well_written import WellWritten

FORMS = {("gridworld", "paper"): (Official, WellWritten),
         ("arithmetic", "paper"): (Official, WellWritten),
         ("gridworld", "fast"): (GridworldFast, GridworldFastWellWritten),
         ("imaging", "fast"): (ImagingFast, ImagingFastWellWritten)}
EVALUATIONS = ("eval", "search")


def compile_parts(peer) -> None:
    for owner, name in peer.compilable():
        setattr(owner, name, torch.compile(getattr(owner, name)))


class Worker:
    """One peer, prepared and warm."""

    def __init__(self, make, args, compiled: bool):
        torch.manual_seed(42)
        self.peer, self.compiled, self.args, self.at = make(), compiled, args, 0
        self.peer.prepare(args.item, args.episodes if args.item in EVALUATIONS else args.batches)
        if compiled:
            compile_parts(self.peer)
        for _ in range(args.warmup):
            self.peer.run(self.next())

    def next(self) -> int:
        self.at += 1
        return self.at - 1

    def round(self) -> float:
        """Milliseconds: the median training step, or the mean over episodes, which differ."""
        times, units = [], 0
        while units < self.args.steps:
            start = time.perf_counter()
            done = self.peer.run(self.next())
            times.append(1e3 * (time.perf_counter() - start))
            units += done
        return sum(times) / units if self.args.item in EVALUATIONS else statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", choices=sorted({benchmark for benchmark, _ in FORMS}))
    parser.add_argument("--preset", choices=("paper", "fast"), default="paper")
    parser.add_argument("--item", choices=("train", "wake", "fit", "sleep", *EVALUATIONS), default="train")
    parser.add_argument("--form", choices=("official", "well-written"), default="official")
    parser.add_argument("--steps", type=int, default=5, help="training steps or episodes in a round, at least")
    parser.add_argument("--warmup", type=int, default=2, help="training steps or evaluations before")
    parser.add_argument("--batches", type=int, default=20, help="of training pairs, over and over")
    parser.add_argument("--episodes", type=int, default=512)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--eager", action="store_true", help="without torch.compile")
    parser.add_argument("--check", action="store_true", help="compare the forms' results")
    args = parser.parse_args()
    if (args.benchmark, args.preset) not in FORMS:
        parser.error(f"{args.benchmark} has no {args.preset} peer")
    torch.set_flush_denormal(True)  # before the threads start, which inherit it
    torch.set_num_threads(args.threads)
    forms = [lambda form=form: form(args.benchmark) for form in FORMS[args.benchmark, args.preset]]
    if args.check:
        return check(*forms, FORMS[args.benchmark, args.preset][0].ITEMS)
    make = forms[args.form == "well-written"]
    worker = Worker(make, args, compiled=False)
    if hasattr(torch, "compile") and not args.eager:
        warnings.filterwarnings("ignore")
        worker = min((worker, Worker(make, args, compiled=True)), key=Worker.round)
    for _ in sys.stdin:
        print(json.dumps({"ms": worker.round(), "compiled": worker.compiled, "torch": torch.__version__}), flush=True)


if __name__ == "__main__":
    main()
