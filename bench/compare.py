"""Times neo and two forms of a PyTorch peer in turns, and prints one line per item.

Each form is a process (bench/peer) that has warmed up and waits; a round asks neo, the official order of operations and
well-written PyTorch one after the other, two threads each. The best of the rounds counts for every side: whatever else
the machine does only ever adds to a time. A ratio says how many times as long as neo the peer takes.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

ROUNDS, THREADS = 3, 2
# Enough training steps to leave the first ones behind, in which untrained codes all give the same.
STEPS = {"gridworld": 100, "arithmetic": 6, "imaging": 20}
ITEMS = {("gridworld", "paper"): ("train", "eval", "search"), ("gridworld", "fast"): ("train", "eval", "search"),
         ("arithmetic", "paper"): ("train", "eval", "search"), ("imaging", "fast"): ("wake", "fit", "sleep")}
# Of a run of Imaging: coarse_share, wake_steps of steps.
SHARES = {"wake": 0.35, "fit": 0.15, "sleep": 0.5}
KINDS = {"fit": ["--set", "latent_wake_sleep.coarse_share=0"], "sleep": ["--set", "latent_wake_sleep.wake_steps=0"]}
FORMS = ("official", "well-written")


def neo(benchmark: str, preset: str, item: str) -> float:
    """Milliseconds per step or episode. Evaluation and search are of the shipped theory where there is one."""
    command = ["build/neo", "bench", benchmark, "--preset", preset, "--steps", str(STEPS[benchmark]), "--threads",
               str(THREADS), "--item", "train" if item in SHARES else item, "--json", *KINDS.get(item, [])]
    theory = Path(f"weights/{benchmark}{'' if preset == 'fast' else '-' + preset}-alpha0.33.safetensors")
    if item in ("eval", "search") and theory.exists():
        command += ["--model", str(theory)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    record = json.loads(printed.splitlines()[-1])
    return record.get("ms_per_step") or record["ms_per_episode"]


class Peer:
    """A form of the peer, which does a round whenever it is asked."""

    def __init__(self, python: str, benchmark: str, preset: str, item: str, form: str):
        steps = STEPS[benchmark]
        trains, written = item not in ("eval", "search"), form == "well-written"
        # What the well-written form remembers it meets in a first pass over the pairs, as neo does.
        warmup = steps if trains and (written or benchmark == "imaging") else 1
        timed = 10 if trains and preset == "fast" else 3 if trains or benchmark == "arithmetic" else 30
        self.process = subprocess.Popen(
            [python, "bench/peer", benchmark, "--preset", preset, "--item", item, "--form", form, "--threads", str(THREADS),
             "--batches", str(steps), "--warmup", str(warmup), "--steps", str(timed)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.round()

    def round(self) -> float:
        print(file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"compare: the peer ended: {' '.join(self.process.args)}")
        self.record = json.loads(answer)
        return self.record["ms"]

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def measure(python: str, benchmark: str, preset: str, item: str) -> dict:
    peers = [Peer(python, benchmark, preset, item, form) for form in FORMS]
    times = [[neo(benchmark, preset, item), *(peer.round() for peer in peers)] for _ in range(ROUNDS)]
    best = dict(zip(("neo", *FORMS), map(min, zip(*times))))
    for peer in peers:
        best[f"{peer.process.args[peer.process.args.index('--form') + 1]} compiled"] = peer.record["compiled"]
        peer.close()
    return best


def show(name: str, best: dict) -> None:
    line = f"{name:24} neo {best['neo']:8.4g} ms"
    for form in FORMS:
        how = ", compiled" if best.get(f"{form} compiled") else ""
        line += f"   {form} {best[form]:8.4g} ms {best[form] / best['neo']:6.1f}x{how:10}"
    print(line.rstrip(), flush=True)


def processor() -> str:
    return next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench/compare.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", nargs="?", choices=(*STEPS, "all"), default="gridworld")
    parser.add_argument("--preset", choices=("paper", "fast"), help="only this one")
    parser.add_argument("--item", choices=("train", "eval", "search", *SHARES), help="only this one")
    parser.add_argument("--python", default="/usr/bin/python3", metavar="PATH", help="interpreter with torch, numpy and h5py")
    args = parser.parse_args()
    version = subprocess.run([args.python, "-c", "import torch, h5py; print(torch.__version__)"], stdout=subprocess.PIPE, text=True)
    if version.returncode:
        sys.exit(f"compare: {args.python} lacks torch or h5py; see docs/performance.md")
    print(f"PyTorch {version.stdout.strip()}, {THREADS} threads, {processor()}", flush=True)
    for (benchmark, preset), items in ITEMS.items():
        if args.benchmark not in (benchmark, "all") or args.preset not in (preset, None):
            continue
        total = dict.fromkeys(("neo", *FORMS), 0.0)
        for item in items:
            if args.item not in (item, None):
                continue
            best = measure(args.python, benchmark, preset, item)
            show(f"{benchmark}-{preset}-{item}", best)
            total = {side: total[side] + SHARES.get(item, 0) * best[side] for side in total}
        if benchmark == "imaging" and args.item is None:
            show(f"{benchmark}-{preset}-train", total)


if __name__ == "__main__":
    main()
