"""Absurd settings, processes that are killed, limits, and clients that mean harm."""

import hashlib
import json
import re
import resource
import shutil
import signal
import socket
import time
from pathlib import Path

ABSURD = ("0", "-1", "nan", "inf", "-inf", "1e999", "1099511627776", "9223372036854775808", "nonsense", "", "true", "[]", "1,2", "\x1b[31m")
NEVER = ("nan", "inf", "-inf", "1e999", "nonsense", "\x1b[31m")  # as any setting that is a number, a word or a choice


class Settings:
    """Every setting and some flags with values that cannot be."""

    name = "settings"
    needs_engine = False

    def __init__(self, campaign):
        self.campaign = campaign
        said = campaign.must("train", "--help-settings").out.decode()
        self.keys = re.findall(r"^  ([a-z_.]+) = ", said, re.MULTILINE)
        self.flags = {"train": ["--alpha", "--seed", "--steps", "--method"],
                      "explain": ["--lambda", "--temperature", "--tolerance", "--width", "--steps", "--draws", "--seed"],
                      "eval": ["--episodes", "--draws", "--temperature", "--calls", "--probes", "--seed"]}

    def run(self, rng):
        value = rng.choice(ABSURD)
        if rng.random() < 0.6:
            words = ["train", "--data", "none.h5", "--set", f"{rng.choice(self.keys)}={value}"]
        else:
            command = rng.choice(list(self.flags))
            target = ["--data", "none.h5"] if command == "train" else ["none.safetensors"]
            words = [command, *target, f"{rng.choice(self.flags[command])}={value}"]
        ended = self.campaign.run(*words)
        verdict = ended.verdict()
        # There is no such file, so nothing can be accepted; and some values must not even get that far.
        if verdict == "refused" and value in NEVER and (b"none." in ended.err or b"neo-engine" in ended.err):
            verdict = "wrong"
        return ("wrong" if verdict == "accepted" else verdict), [], f"{words}: {ended.err[-200:]!r}"

    def close(self):
        pass


class Limits:
    """`ulimit -f` and `ulimit -v` at any place: one line, and nothing under a final name but whole files."""

    name = "limits"
    needs_engine = False

    def __init__(self, campaign):
        self.campaign = campaign
        campaign.must("data", "make", "gridworld", "--alpha", "0.33", "--episodes", "16", "--out", "whole")

    def run(self, rng):
        kind = resource.RLIMIT_FSIZE if rng.random() < 0.5 else resource.RLIMIT_AS
        most = rng.randrange(1, 40_000) if kind == resource.RLIMIT_FSIZE else rng.randrange(60, 400) << 20
        out = self.campaign.folder / "limited"
        shutil.rmtree(out, ignore_errors=True)
        ended = self.campaign.run("data", "make", "gridworld", "--alpha", "0.33", "--episodes", "16", "--out", out,
                                  preexec_fn=lambda: resource.setrlimit(kind, (most, most)))
        # Where not even the libraries can be loaded, it is not neo that ends.
        if ended.status == 127 and b"error while loading shared libraries" in ended.err:
            return "refused", [], ""
        verdict = ended.verdict()
        for path in out.glob("*") if out.exists() else []:
            if path.read_bytes() != (self.campaign.folder / "whole" / path.name).read_bytes():
                verdict = "wrong"
        return verdict, [], f"limit {kind} of {most}: {ended.status} {ended.err[-200:]!r}"

    def close(self):
        pass


class Kills:
    """Training that is killed or asked to end at any moment comes to the same bytes as one that is not."""

    name = "kills"
    needs_engine = True

    def __init__(self, campaign):
        self.campaign = campaign
        campaign.must("data", "make", "gridworld", "--alpha", "0.33", "--episodes", "64", "--out", "data")
        self.words = ["train", "gridworld", "--alpha", "0.33", "--data", "data", "--steps", "60", "--set", "batch=16",
                      "--set", "checkpoint_every=7", "--set", "validate_every=30"]
        campaign.must(*self.words, "--out", "whole")
        self.whole = self.digest(campaign.folder / "whole")

    @staticmethod
    def digest(run):
        return hashlib.sha256((run / "last.safetensors").read_bytes()).hexdigest()

    def run(self, rng):
        run = self.campaign.folder / "killed"
        shutil.rmtree(run, ignore_errors=True)
        said = []
        for attempt in range(20):
            begun = (run / "manifest.json").exists()
            process = self.campaign.start(*(["train", "--resume"] if begun else self.words), "--out", run)
            time.sleep(rng.uniform(0.2, 3.0))
            number = rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE])
            if attempt < 4:
                process.send_signal(number)
            ended = self.campaign.finish(process)
            said.append(f"{number.name}: {ended.status} {ended.err[-100:]!r}")
            if ended.status == 0:
                same = self.digest(run) == self.whole
                return ("accepted" if same else "wrong"), [], said[-1]
            # Before it installs its handlers, a process ends by whatever it is sent.
            if ended.status not in (1, 130, -number) or ended.verdict() == "hung":
                return ended.verdict(), [], said[-1]
        return "hung", [], " | ".join(said)

    def close(self):
        pass


class Http:
    """Bytes that are no requests, requests that are none of the API's, and clients that leave."""

    name = "http"
    needs_engine = True

    def __init__(self, campaign):
        self.campaign = campaign
        theory = Path("weights/arithmetic-alpha0.33.safetensors").resolve()
        self.server = campaign.start("serve", theory, "--port", "0", "--json")
        self.port = int(json.loads(self.server.stdout.readline())["url"].split(":")[2].strip("/"))
        self.good = {"model": "arithmetic-alpha0.33", "x": "000012", "y": "000420"}
        self.answer = self.program(self.exchange(self.request("/api/explain", json.dumps(self.good))))

    @staticmethod
    def request(path, body):
        return (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body.encode(errors='replace'))}\r\n\r\n{body}").encode(errors="replace")

    def exchange(self, data, patience=30, reads=True):
        with socket.create_connection(("127.0.0.1", self.port), timeout=patience) as client:
            client.sendall(data)
            answer = b""
            while reads and (part := client.recv(65536)):
                answer += part
            return answer

    @staticmethod
    def program(answer):
        return json.loads(answer.split(b"\r\n\r\n", 1)[1])["explanation"]["run"]["codes"]

    def hostile(self, rng):
        body = dict(self.good)
        key = rng.choice(["model", "x", "y", "steps", "override", "alternatives", "tolerance", "calls"])
        body[key] = rng.choice([None, -1, 2**70, 1e308, "9" * 500, [], {}, [[[]]], "\x1b[31m", True, {"step": 0}])
        whole = self.request(rng.choice(["/api/explain", "/api/transfer", "/api/search", "/api/sample", "/api/none"]),
                             json.dumps(body))
        way = rng.randrange(4)
        if way == 0:
            return whole
        if way == 1:
            return bytes(rng.randrange(256) for _ in range(rng.randint(1, 400)))
        if way == 2:
            at = rng.randrange(len(whole))
            return whole[:at] + rng.choice([b"\x00", b"\r\n\r\n", b"\xff" * 20, b"A" * 3000]) + whole[at:]
        return whole[:rng.randrange(1, len(whole))]

    def run(self, rng):
        data = self.hostile(rng)
        try:
            answer = self.exchange(data, reads=rng.random() < 0.7 and data.endswith(b"}"))
            good = self.program(self.exchange(self.request("/api/explain", json.dumps(self.good))))
        except socket.timeout:
            return "hung", [], repr(data[:200])
        except (OSError, ValueError, IndexError, KeyError) as error:
            if self.server.poll() is not None:
                return "crashed", [], f"{error} after {data[:200]!r}"
            return "accepted" if isinstance(error, ConnectionResetError) else "wrong", [], f"{error}: {data[:200]!r}"
        if good != self.answer or answer.startswith(b"HTTP/1.1 500"):
            return "wrong", [], repr(data[:200])
        return ("accepted" if answer.startswith(b"HTTP/1.1 200") else "refused"), [], ""

    def close(self):
        self.server.send_signal(signal.SIGTERM)
        ended = self.campaign.finish(self.server)
        if ended.verdict() in ("crashed", "hung"):
            self.campaign.counts[ended.verdict()] += 1


PROCESS_CLASSES = [Settings, Limits, Kills, Http]
