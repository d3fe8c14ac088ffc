#!/usr/bin/env python3
"""The tables of docs/results.md, from the records in results/ alone.

  scripts/results_table.py > docs/results.md
  scripts/results_table.py --brief             the README's table
"""
import glob
import json
import os
import statistics
import sys

# Best of the paper's and the release's transfer, per cent: NEO, NEO-S; ID, compositional OOD, length OOD.
PUBLISHED = {
    ("gridworld", 0.33): ((96.9, 95.5, 88.8), (97.7, 97.6, 93.6)),
    ("gridworld", 0.66): ((96.5, 96.3, 92.7), (98.7, 98.7, 94.9)),
    ("gridworld", 1.00): ((94.9, None, 89.8), (97.5, None, 92.6)),
    ("arithmetic", 0.33): ((80.0, 51.9, 29.7), (90.5, 80.5, 77.2)),
    ("arithmetic", 0.66): ((77.5, 71.2, 29.2), (93.9, 95.9, 75.6)),
    ("arithmetic", 1.00): ((74.1, None, 35.2), (95.4, None, 82.3)),
}
# Images: mean L1, less is better; the paper has no NEO-S for them.
PUBLISHED_L1 = {0.33: (0.069, 0.12, 0.13), 0.66: (0.068, 0.09, 0.11), 1.00: (0.07, None, 0.10)}
SPLITS = {"id": "ID", "comp": "compositional OOD", "length": "length OOD"}


def records(world):
    return [json.load(open(path)) for path in sorted(glob.glob(f"results/{world}/{world}-fast-*.json"))]


def value(record, split, method, hard=True):
    """Transfer on a split; NEO-S at its largest budget."""
    rows = [s for s in record["splits"] if s["name"] == split and s["method"] == method and s["hard_grounding"] == hard]
    return max(rows, key=lambda s: s["budget"])["transfer"] if rows else None


def images(found):
    print("| α | split | seeds | NEO, L1 | published | NEO with beam | identity | observation model |\n|---|---|---|---|---|---|---|---|")
    for alpha, published in PUBLISHED_L1.items():
        of = [r for r in found if abs(r["alpha"] - alpha) < 1e-9]
        for i, (split, name) in enumerate(SPLITS.items()):
            rows = [[s for s in r["splits"] if s["name"] == split] for r in of]
            if not rows or not rows[0]:
                continue
            greedy = [s["transfer"] for row in rows for s in row if s["search"] == "greedy" and not s["hard_grounding"]]
            beam = [s["transfer"] for row in rows for s in row if s["search"] == "beam"]
            mark = "" if statistics.mean(greedy) <= published[i] else " (behind)"
            print(f"| {alpha:.2f} | {name} | {', '.join(str(r['seed']) for r in of)} | {statistics.mean(greedy):.4f} ± {statistics.pstdev(greedy):.4f} | {published[i]}{mark} | {statistics.mean(beam):.4f} | {rows[0][0]['identity']:.3f} | {rows[0][0]['floor']:.4f} |")


def cell(values, published):
    spread = max(values) - min(values)
    ahead = "" if statistics.mean(values) * 100 >= published else " (behind)"
    return f"{statistics.mean(values):.4f} ± {statistics.pstdev(values):.4f} (spread {spread:.4f}) | {published / 100:.3f}{ahead}"


def brief():
    print("| world | α | split | NEO | published | NEO-S | published |\n|---|---|---|---|---|---|---|")
    for (world, alpha), published in PUBLISHED.items():
        of = [r for r in records(world) if abs(r["alpha"] - alpha) < 1e-9]
        for i, (split, name) in enumerate(SPLITS.items()):
            if published[0][i] is None:
                continue
            cells = []
            for method, figures in zip(("neo", "neo-s"), published):
                values = [value(r, split, method) for r in of]
                cells += [f"{statistics.mean(values):.3f} (spread {max(values) - min(values):.3f})", f"{figures[i] / 100:.3f}"]
            print(f"| {'GridWorld' if world == 'gridworld' else 'Arithmetic'} | {alpha:.2f} | {name} | {' | '.join(cells)} |")


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    if "--brief" in sys.argv:
        return brief()
    print("# Results\n\nMade by `scripts/results_table.py` from the records in `results/`; `scripts/results.sh WORLD` makes the records.")
    print("Mean transfer over the seeds of each cell, hard grounding on; ID is also what checkpoints are selected on.")
    for world in ("gridworld", "arithmetic", "imaging"):
        found = records(world)
        if not found:
            continue
        print(f"\n## {world.capitalize()}, `fast` preset\n")
        if world == "imaging":
            images(found)
            continue
        print("| α | split | seeds | NEO | published | NEO-S | published | NEO, soft |\n|---|---|---|---|---|---|---|---|")
        for alpha in (0.33, 0.66, 1.00):
            of = [r for r in found if abs(r["alpha"] - alpha) < 1e-9]
            for i, (split, name) in enumerate(SPLITS.items()):
                greedy = [value(r, split, "neo") for r in of]
                if not greedy or greedy[0] is None:
                    continue
                sampled = [value(r, split, "neo-s") for r in of]
                soft = [value(r, split, "neo", hard=False) for r in of]
                neo, neo_s = PUBLISHED[world, alpha]
                print(f"| {alpha:.2f} | {name} | {', '.join(str(r['seed']) for r in of)} | {cell(greedy, neo[i])} | {cell(sampled, neo_s[i])} | {statistics.mean(soft):.3f} |")
        print("\n| α | primitiveness, each seed | purity |\n|---|---|---|")
        for alpha in (0.33, 0.66, 1.00):
            of = [r["vocabulary"] for r in found if abs(r["alpha"] - alpha) < 1e-9]
            print(f"| {alpha:.2f} | {', '.join('%.4f' % v['primitiveness'] for v in of)} | {', '.join('%.3f' % v['purity'] for v in of)} |")


if __name__ == "__main__":
    main()
