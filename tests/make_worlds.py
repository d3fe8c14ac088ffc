#!/usr/bin/env python3
"""Makes small worlds of pairs, as a user might have them: make_worlds.py grid|tokens|numbers|images|vectors|minari|all DIR

The hidden primitives are known here and nowhere else; programs of one or two of them make each pair.
"""
import json
import os
import random
import sys

import numpy as np

PAIRS = 1500


def moved(grid, down, right):
    """The grid with every coloured cell moved, or None where one would leave it."""
    out = np.zeros_like(grid)
    for r, c in zip(*np.nonzero(grid)):
        if not (0 <= r + down < grid.shape[0] and 0 <= c + right < grid.shape[1]):
            return None
        out[r + down, c + right] = grid[r, c]
    return out


def programs(random_, primitives):
    return [random_.choice(primitives) for _ in range(random_.randint(1, 2))]


def grid(folder, r):
    """12x7 cells of 6 values; a shape moves up, down, left or right. JSON lines."""
    steps = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    with open(f"{folder}/grid.jsonl", "w") as file:
        made = 0
        while made < PAIRS:
            x = np.zeros((12, 7), int)
            top, left, value = r.randint(0, 9), r.randint(0, 4), r.randint(1, 5)
            for _ in range(5):
                x[top + r.randint(0, 2), left + r.randint(0, 2)] = value
            program, y = programs(r, list(steps)), x
            for step in program:
                y = None if y is None else moved(y, *steps[step])
            if y is None or (y == x).all():
                continue
            file.write(json.dumps({"x": x.tolist(), "y": y.tolist(), "program": " ".join(program)}) + "\n")
            made += 1


def tokens(folder, r):
    """20 tokens over 50 symbols; they move one place left or right, and 0 fills up. Arrays."""
    x = np.array([[r.randrange(50) for _ in range(20)] for _ in range(PAIRS)])
    y = x.copy()
    for row in y:
        for step in programs(r, ["left", "right"]):
            row[:] = np.append(row[1:], 0) if step == "left" else np.append(0, row[:-1])
    np.savez(f"{folder}/tokens.npz", x=x, y=y)


def numbers(folder, r):
    """Numbers of up to nine digits, times 2 or 3. CSV."""
    with open(f"{folder}/numbers.csv", "w") as file:
        file.write("x,y,program\n")
        for _ in range(2 * PAIRS):
            x = r.randint(1, 10 ** r.randint(2, 8) - 1)
            program = programs(r, ["*2", "*3"])
            y = x
            for step in program:
                y *= int(step[1:])
            file.write(f"{x},{y},{' '.join(program)}\n")


def images(folder, r):
    """48x48 RGB pictures, mirrored, turned upside down, or darkened. Folders of PNG files."""
    from PIL import Image

    edits = {"mirror": lambda a: a[:, ::-1], "upside_down": lambda a: a[::-1], "darken": lambda a: a // 2}
    for part in ("before", "after"):
        os.makedirs(f"{folder}/images/{part}", exist_ok=True)
    rows, columns = np.mgrid[0:48, 0:48] / 48.0
    for i in range(400):
        waves = [np.sin(6.28 * (r.uniform(-1, 1) * rows + r.uniform(-1, 1) * columns + r.random())) for _ in range(3)]
        x = np.stack([128 + r.uniform(40, 120) * wave for wave in waves], -1).clip(0, 255).astype(np.uint8)
        y = x
        for step in [r.choice(list(edits))]:
            y = edits[step](y)
        Image.fromarray(x).save(f"{folder}/images/before/{i:04}.png")
        Image.fromarray(np.ascontiguousarray(y)).save(f"{folder}/images/after/{i:04}.png")


def vectors(folder, r):
    """Seven real numbers, pushed along one of three hidden directions. Arrays."""
    random_ = np.random.RandomState(r.randrange(2**31))
    pushes = random_.randn(3, 7)
    x = random_.randn(PAIRS, 7) * [1, 2, 5, 10, 0.1, 1, 3]
    y = x.copy()
    for row in y:
        for _ in range(r.randint(1, 2)):
            row += pushes[r.randrange(3)] * [1, 2, 5, 10, 0.1, 1, 3]
    np.savez(f"{folder}/vectors.npz", x=x, y=y)


def minari(folder, r):
    """A recording in Minari's layout: a symbolic 6x6x2 grid in which an agent (value 1) walks. HDF5."""
    import h5py

    steps = [(-1, 0), (1, 0), (0, -1), (0, 1)]
    os.makedirs(f"{folder}/minari/data", exist_ok=True)
    with h5py.File(f"{folder}/minari/data/main_data.hdf5", "w") as file:
        for episode in range(60):
            at, frames, actions = [r.randint(1, 4), r.randint(1, 4)], [], []
            for t in range(26):
                frame = np.zeros((6, 6, 2), np.uint8)
                frame[at[0], at[1]] = (1, 2)
                frames.append(frame)
                action = r.randrange(4)
                new = [at[0] + steps[action][0], at[1] + steps[action][1]]
                at = new if all(0 <= v < 6 for v in new) else at
                actions.append(action)
            group = file.create_group(f"episode_{episode}")
            group["observations"] = np.stack(frames)
            group["actions"] = np.array(actions[:-1])
            for name in ("terminations", "truncations"):
                group[name] = np.arange(25) == 24
            group["rewards"] = np.zeros(25)


def main():
    worlds = {f.__name__: f for f in (grid, tokens, numbers, images, vectors, minari)}
    names = list(worlds) if sys.argv[1] == "all" else [sys.argv[1]]
    os.makedirs(sys.argv[2], exist_ok=True)
    for name in names:
        worlds[name](sys.argv[2], random.Random(name))


main()
