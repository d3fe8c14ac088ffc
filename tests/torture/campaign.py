"""Runs neo on one case after another, and judges how each ended."""

import collections
import os
import shutil
import subprocess

HANGS_AFTER = 120  # seconds; sanitized builds are slow
INTERRUPTED = 130
SANITIZERS = (b"AddressSanitizer", b"runtime error:", b"LeakSanitizer")


class Ended:
    def __init__(self, status, out=b"", err=b""):
        self.status, self.out, self.err = status, out, err

    def verdict(self):
        """crashed, hung, refused or accepted; a refusal is one line."""
        if self.status is None:
            return "hung"
        died = self.status < 0 or (self.status >= 126 and self.status != INTERRUPTED)
        if died or b"internal error" in self.err or any(mark in self.err for mark in SANITIZERS):
            return "crashed"
        if self.status == 0:
            return "accepted"
        complaints = [line for line in self.err.splitlines() if line.startswith(b"neo: ")]
        return "refused" if len(complaints) == 1 else "wrong"


class Campaign:
    def __init__(self, neo, folder):
        self.neo, self.folder = neo, folder
        self.counts = collections.Counter()
        self.notes = []
        folder.mkdir(parents=True)
        self.environment = dict(os.environ, NO_COLOR="1", OMP_NUM_THREADS="1")

    def start(self, *arguments, **options):
        return subprocess.Popen([self.neo, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, cwd=self.folder, env=self.environment, **options)

    def finish(self, process):
        try:
            out, err = process.communicate(timeout=HANGS_AFTER)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return Ended(None)
        return Ended(process.returncode, out, err)

    def run(self, *arguments, **options):
        return self.finish(self.start(*arguments, **options))

    def must(self, *arguments):
        ended = self.run(*arguments)
        if ended.status != 0:
            raise SystemExit(f"neo {' '.join(map(str, arguments))}: {ended.err.decode(errors='replace')}")
        return ended

    def take(self, case, rng, number):
        """A case returns its verdict and the files that show it."""
        verdict, evidence, what = case(rng)
        self.counts["cases"] += 1
        self.counts[verdict] += 1
        if verdict in ("refused", "accepted"):
            return
        kept = self.folder / f"case-{number}"
        kept.mkdir()
        for path in evidence:
            if path.exists():
                shutil.copy(path, kept)
        if len(self.notes) < 10:
            self.notes.append(f"case {number} {verdict}: {what}")
