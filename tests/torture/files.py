"""Files that were damaged: by a disk, or by someone who wants neo to fail."""

import json
import struct
from pathlib import Path

NASTY = (b"\x00", b"\xff", b"\x7f", b"\x80", b"-1", b"1e999", b"NaN", b"[" * 50, b"\xff" * 8, b"\x00" * 8)


def damage(content, rng):
    """One to four flipped bits, a cut, or bytes set, taken out, put in or moved."""
    data = bytearray(content)
    way = rng.randrange(6)
    if way <= 1:
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif way == 2:
        del data[rng.randrange(len(data)):]
    elif way == 3:
        at = rng.randrange(len(data))
        bad = rng.choice(NASTY)
        data[at:at + len(bad)] = bad
    elif way == 4:
        at = rng.randrange(len(data))
        del data[at:at + rng.randint(1, 64)]
    else:
        at, to = rng.randrange(len(data)), rng.randrange(len(data))
        data[to:to + 64] = data[at:at + 64]
    return bytes(data)


class Damaged:
    """Damages one of some intact files and gives it to a command."""

    needs_engine = False
    has_digest = False  # so that any content that is read is the intact one

    def __init__(self, campaign):
        self.campaign = campaign
        self.sources = self.make()
        self.intact = {path: campaign.must(*self.command(path)).out for path in self.sources}

    def run(self, rng):
        source = rng.choice(self.sources)
        content = source.read_bytes()
        damaged = self.damage(content, rng)
        path = self.campaign.folder / ("damaged" + source.suffix)
        path.write_bytes(damaged)
        ended = self.campaign.run(*self.command(path))
        verdict = ended.verdict()
        same = ended.out.replace(bytes(path), bytes(source)) == self.intact[source]
        if verdict == "accepted" and self.has_digest and not same:
            verdict = "wrong"
        return verdict, [path], f"{source.name}: {ended.err[-200:]!r}"

    def damage(self, content, rng):
        return damage(content, rng)

    def close(self):
        pass


class Pairs(Damaged):
    """Files of pairs: metadata, data and description have checksums, and the content has a digest."""

    name = "pairs"
    has_digest = True

    def make(self):
        self.campaign.must("data", "make", "gridworld", "--alpha", "0.33", "--episodes", "24", "--out", "data")
        return [self.campaign.folder / "data" / "id.h5"]

    def command(self, path):
        return "data", "show", path, "--count", "24"


class Foreign(Damaged):
    """HDF5 of other programs, whose metadata have no checksums."""

    name = "foreign"

    def make(self):
        import h5py
        import numpy

        release = self.campaign.folder / "release.h5"
        with h5py.File(release, "w") as file:
            for i in range(6):
                sample = file.create_group(f"sample_{i}")
                sample["grids"] = numpy.full((3, 10, 10), i, dtype="int32")
                sample["answer"] = numpy.full((10, 10), i, dtype="int64")
                sample.attrs["transitions"] = "[['move_up'], []]"
        recording = self.campaign.folder / "recording.h5"
        with h5py.File(recording, "w") as file:
            for i in range(4):
                episode = file.create_group(f"episode_{i}")
                steps = numpy.arange(12 * 4).reshape(12, 2, 2) % 5
                episode.create_dataset("observations", data=steps.astype("int32"), chunks=(4, 2, 2), compression="gzip")
                episode["actions"] = numpy.arange(11) % 3
        return [release, recording]

    def command(self, path):
        return "data", "import", path, "--out", self.campaign.folder / "out.h5"


class Imports(Damaged):
    """Arrays, tables, texts and pictures as users have them."""

    name = "imports"

    def make(self):
        import numpy
        from PIL import Image

        folder = self.campaign.folder
        x = numpy.arange(40 * 9).reshape(40, 3, 3) % 5
        numpy.savez(folder / "a.npz", x=x, y=x[:, ::-1])
        (folder / "c.csv").write_text("x,y\n" + "".join(f"{i},{2 * i}\n" for i in range(40)))
        rows = [{"x": g.tolist(), "y": g[::-1].tolist()} for g in x]
        (folder / "d.json").write_text(json.dumps(rows))
        (folder / "e.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        sheet = Image.new("RGB", (16, 8))
        for i in range(128):
            sheet.putpixel((i % 16, i // 16), (i, 255 - i, 7 * i % 256))
        sheet.save(folder / "f.png")
        return [folder / name for name in ("a.npz", "c.csv", "d.json", "e.jsonl", "f.png")]

    def command(self, path):
        pictures = self.campaign.folder / "pictures"
        if path.suffix != ".png":
            return "data", "import", path, "--out", self.campaign.folder / "out.h5"
        for side in ("before", "after"):  # a folder of pictures, one of them damaged
            (pictures / side).mkdir(parents=True, exist_ok=True)
            for number in range(4):
                (pictures / side / f"{number}.png").write_bytes(self.intact_picture())
        (pictures / "after" / "2.png").write_bytes(path.read_bytes())
        return "data", "import", pictures, "--out", self.campaign.folder / "out.h5"

    def intact_picture(self):
        return (self.campaign.folder / "f.png").read_bytes()


class Weights(Damaged):
    """A shipped theory, with its digest: nothing but the intact content may be used."""

    name = "weights"
    needs_engine = True
    has_digest = True

    def make(self):
        return [Path("weights/gridworld-alpha0.33.safetensors").resolve()]

    def command(self, path):
        return "transfer", path, "--program", "z0 z1", "--x", "0" * 100, "--json"


class Crafted(Weights):
    """The same without a digest, as another program may write it: settings and numbers are anything."""

    name = "crafted"
    has_digest = False

    def damage(self, content, rng):
        length = struct.unpack("<Q", content[:8])[0]
        header = json.loads(content[8:8 + length])
        metadata = header["__metadata__"]
        metadata.pop("neo.digest", None)
        data = bytearray(content[8 + length:])
        way = rng.randrange(4)
        if way == 0:  # a number
            tensor = header[rng.choice([n for n, t in header.items() if n != "__metadata__" and t["dtype"] == "F32"])]
            begin, end = tensor["data_offsets"]
            at = begin + 4 * rng.randrange((end - begin) // 4)
            data[at:at + 4] = struct.pack("<f", rng.choice([float("nan"), float("inf"), -float("inf"), 3e38]))
        elif way == 1:  # a setting
            part = rng.choice(["config", "policy", "space"])
            tree = json.loads(metadata[part])
            place = tree
            while True:
                key = rng.choice(list(place))
                if not isinstance(place[key], dict) or not place[key]:
                    break
                place = place[key]
            place[key] = rng.choice([0, -1, 2**40, 2**63, 1e300, "nonsense", None, [], {}, True, 0.5])
            metadata[part] = json.dumps(tree)
        elif way == 2:  # an entry
            metadata[rng.choice(list(metadata))] = rng.choice(["", "-1", "nan", "{", "[" * 1000, "\x1b[31m", "9" * 40])
        else:  # a shape
            tensor = header[rng.choice([n for n in header if n != "__metadata__"])]
            tensor["shape"] = rng.choice([[], [0], [2**62], tensor["shape"] + [1], tensor["shape"][::-1]])
        text = json.dumps(header).encode()
        return struct.pack("<Q", len(text)) + text + bytes(data)


FILE_CLASSES = [Pairs, Foreign, Imports, Weights, Crafted]
