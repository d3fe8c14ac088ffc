"""What both sides work on: the pairs of neo's files, and neo's weights."""
import json
from pathlib import Path

import h5py
import numpy as np
import torch
from torch import Tensor, nn

ROOT = Path(__file__).resolve().parents[2]


def read_pairs(benchmark: str, split: str, count: int) -> tuple[Tensor, Tensor]:
    """The first `count` pairs (x, y) of a split at alpha 0.33, as `neo bench` reads them; uint8."""
    path = ROOT / f"data/{benchmark}-alpha0.33/{split}.h5"
    if not path.exists():
        raise SystemExit(f"peer: {path} is missing; make it with: build/neo data make {benchmark} --alpha 0.33")
    with h5py.File(path) as file:
        return tuple(torch.from_numpy(file["main"][side][:count]) for side in "xy")


def read_episodes(benchmark: str, count: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Support x and y, query x and y; two pairs in a row are an episode."""
    x, y = read_pairs(benchmark, "id", 2 * count)
    return x[::2], y[::2], x[1::2], y[1::2]


def read_weights(name: str) -> dict[str, Tensor]:
    """The float tensors of a safetensors file: eight bytes of length, a JSON header, the numbers."""
    with open(ROOT / f"weights/{name}.safetensors", "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        numbers = file.read()
    return {key: torch.from_numpy(np.frombuffer(numbers[slice(*entry["data_offsets"])], np.float32)
                                  .reshape(entry["shape"]).copy())
            for key, entry in header.items() if entry.get("dtype") == "F32"}


def load_weights(module: nn.Module, name: str, prefix: str = "", rename: dict[str, str] = {}) -> None:
    """All that the file has under the prefix; what it does not have must be one of PyTorch's own counters."""
    found = {key[len(prefix):]: value for key, value in read_weights(name).items() if key.startswith(prefix)}
    for theirs, ours in rename.items():
        found = {key.replace(theirs, ours): value for key, value in found.items()}
    missing, unexpected = module.load_state_dict(found, strict=False)
    missing = [key for key in missing if not key.endswith("num_batches_tracked")]
    if missing or unexpected:
        raise SystemExit(f"peer: weights/{name}.safetensors does not fit: missing {missing}, unexpected {unexpected}")
