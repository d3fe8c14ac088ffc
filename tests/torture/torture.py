"""What scripts/torture.sh runs: classes of cases that try to break neo, each for an equal share of the time."""

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from campaign import Campaign
from files import FILE_CLASSES
from processes import PROCESS_CLASSES

COLUMNS = ("cases", "refused", "accepted", "crashed", "hung", "wrong")


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/torture.sh")
    parser.add_argument("minutes", nargs="?", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--neo", type=Path, default=Path("build/neo"))
    parser.add_argument("--only", default="", help="classes, with commas")
    return parser.parse_args()


def main():
    options = arguments()
    if not options.neo.exists():
        sys.exit(f"torture.sh: there is no {options.neo}; build it, or name another with --neo")
    folder = Path(tempfile.mkdtemp(prefix="neo-torture-"))
    has_engine = (options.neo.resolve().parent / "neo-engine").exists()
    classes = [c for c in FILE_CLASSES + PROCESS_CLASSES if has_engine or not c.needs_engine]
    if options.only:
        classes = [c for c in classes if c.name in options.only.split(",")]
    print(f"seed {options.seed}, {options.minutes:g} minutes, {options.neo}")
    print(f"{'class':<12}" + "".join(f"{column:>10}" for column in COLUMNS), flush=True)
    failed = 0
    for kind in classes:
        campaign = Campaign(options.neo.resolve(), folder / kind.name)
        case = kind(campaign)
        end = time.monotonic() + 60 * options.minutes / len(classes)
        number = 0
        while number == 0 or time.monotonic() < end:
            # A string seed: the same on every machine, and each case by itself.
            campaign.take(case.run, random.Random(f"{options.seed} {kind.name} {number}"), number)
            number += 1
        case.close()
        counts = campaign.counts
        print(f"{kind.name:<12}" + "".join(f"{counts[column]:>10}" for column in COLUMNS), flush=True)
        failed += counts["crashed"] + counts["hung"] + counts["wrong"]
        for line in campaign.notes:
            print("  " + line)
    if failed:
        sys.exit(f"{failed} cases failed; their files are in {folder}")
    shutil.rmtree(folder)


main()
