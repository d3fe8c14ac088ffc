#!/usr/bin/env python3
"""Makes the pairs of worlds that `neo learn` is tried on, as JSON lines: {"x": ..., "y": ...}.

    scripts/worlds/make.py WORLD FOLDER [--pairs N] [--seed S]

writes FOLDER/WORLD.jsonl, to learn from, and FOLDER/WORLD-test.jsonl, which also says by how many operations each
pair was made ("length"); learning never sees that. The worlds:
    walls       an agent that walks on 10x10 grids, where walls block it
    automata    four cellular automata on 10x10 grids
    falling     9x9 grids: all falls down, mirror, turn, exchange two colours, remove one
    strings     reverse, rotate, swap the ends, repeat the last, count on; 4-16 letters, longer ones to test
    cube        facelets of a cube under quarter turns, eight of which are never seen alone
    sokoban     random legal play on the levels of Debian's cavepacker-data, tested on other levels
    numbers     times 2, times 3, plus 7 on numbers of up to five digits
    oscillator, cart-pole   one step under one of five hidden controls
    joints      one of five joints turns one way or the other
    minigrid    random play in MiniGrid (PyPI: minigrid), whole rooms of H x W places and 3 channels
A world with +noise has 5 % of the cells of y replaced, +unrelated a tenth of the pairs, +shuffled all of them.
"""
import argparse
import gzip
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import reals  # noqa: E402


# ---------------------------------------------------------------- an agent among walls
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
FLOOR, WALL, AGENT = 0, 1, 2


def walls_input(rng):
    grid = [[WALL if rng.random() < 0.2 else FLOOR for _ in range(10)] for _ in range(10)]
    grid[rng.randrange(10)][rng.randrange(10)] = AGENT
    return grid


def walk(grid, step):
    (row, column), = [(r, c) for r in range(10) for c in range(10) if grid[r][c] == AGENT]
    to_row, to_column = row + step[0], column + step[1]
    if not (0 <= to_row < 10 and 0 <= to_column < 10) or grid[to_row][to_column] == WALL:
        return grid
    grid = [line[:] for line in grid]
    grid[row][column], grid[to_row][to_column] = FLOOR, AGENT
    return grid


# ---------------------------------------------------------------- cellular automata
def around(grid, r, c, value, eight=True):
    size = len(grid)
    return sum(0 <= r + i < size and 0 <= c + j < size and grid[r + i][c + j] == value
               for i in (-1, 0, 1) for j in (-1, 0, 1) if (i or j) and (eight or not (i and j)))


def each_cell(rule):
    return lambda grid: [[rule(grid, r, c) for c in range(10)] for r in range(10)]


def fall(grid, r, c):
    if grid[r][c] and r < 9 and not grid[r + 1][c]:
        return 0
    return grid[r - 1][c] if not grid[r][c] and r and grid[r - 1][c] else grid[r][c]


def life(grid, r, c):
    neighbours = around(grid, r, c, 1)
    if grid[r][c] == 1:
        return 1 if neighbours in (2, 3) else 0
    return 1 if neighbours == 3 and grid[r][c] == 0 else grid[r][c]


def outline(grid, r, c):
    return 0 if grid[r][c] and around(grid, r, c, grid[r][c], eight=False) == 4 else grid[r][c]


def spread(grid, r, c):
    return 2 if grid[r][c] == 0 and around(grid, r, c, 2, eight=False) else grid[r][c]


def falling_down(grid):
    lying = [[v for v in column if v] for column in zip(*grid)]
    columns = [[0] * (len(grid) - len(column)) + column for column in lying]
    return [list(row) for row in zip(*columns)]


FALLING = [falling_down, lambda g: [row[::-1] for row in g], lambda g: [list(row) for row in zip(*g[::-1])],
           lambda g: [[{1: 2, 2: 1}.get(v, v) for v in row] for row in g],
           lambda g: [[0 if v == 3 else v for v in row] for row in g]]


def falling_input(rng):
    return [[rng.randrange(1, 5) if rng.random() < 0.3 else 0 for _ in range(9)] for _ in range(9)]


def automata_input(rng):
    filled = rng.uniform(0.2, 0.6)
    return [[rng.randrange(1, 4) if rng.random() < filled else 0 for _ in range(10)] for _ in range(10)]


# ---------------------------------------------------------------- strings
LETTERS = "abcdefghij"


def strings_input(rng, shortest=4, longest=12):
    return "".join(rng.choice(LETTERS) for _ in range(rng.randint(shortest, longest)))


STRINGS = [lambda s: s[::-1], lambda s: s[1:] + s[0], lambda s: s[-1] + s[1:-1] + s[0], lambda s: s + s[-1],
           lambda s: "".join(LETTERS[(LETTERS.index(c) + 1) % len(LETTERS)] for c in s)]


# ---------------------------------------------------------------- the cube
def cube_turns():
    """The twelve quarter turns as lists: facelet i takes the value of facelet turn[i]."""
    facelets = []
    for axis in range(3):
        for side in (-1, 1):
            for u in (-1, 0, 1):
                for v in (-1, 0, 1):
                    place, normal = [0, 0, 0], [0, 0, 0]
                    place[axis] = normal[axis] = side
                    place[(axis + 1) % 3], place[(axis + 2) % 3] = u, v
                    facelets.append((tuple(place), tuple(normal)))
    index = {facelet: i for i, facelet in enumerate(facelets)}

    def turned(vector, axis, direction):
        b, c = (axis + 1) % 3, (axis + 2) % 3
        out = list(vector)
        out[b], out[c] = -direction * vector[c], direction * vector[b]
        return tuple(out)

    turns = []
    for axis in range(3):
        for side in (-1, 1):
            for direction in (-1, 1):
                source = list(range(54))
                for i, (place, normal) in enumerate(facelets):
                    if place[axis] == side:
                        source[index[turned(place, axis, direction), turned(normal, axis, direction)]] = i
                turns.append(source)
    return turns


TURNS = cube_turns()


def turn(facelets, source):
    return [facelets[i] for i in source]


def cube_input(rng):
    facelets = [i // 9 for i in range(54)]
    for _ in range(25):
        facelets = turn(facelets, rng.choice(TURNS))
    return facelets


# ---------------------------------------------------------------- Sokoban
SOKOBAN = " .#$*@+"  # floor, goal, wall, box, box on goal, player, player on goal
LEVELS = "/usr/share/games/cavepacker"


def sokoban_levels():
    levels = []
    for path in sorted(pathlib.Path(LEVELS).rglob("*.sok*")):
        text = (gzip.open(path, "rt", errors="replace") if path.suffix == ".gz" else open(path, errors="replace")).read()
        lines = []
        for line in text.split("\n") + [""]:
            if line.strip() and "#" in line and set(line.rstrip()) <= set("#@+$*. -_"):
                lines.append(line.rstrip().replace("-", " ").replace("_", " "))
                continue
            if len(lines) > 2 and sum(row.count("@") + row.count("+") for row in lines) == 1:
                width = max(map(len, lines))
                levels.append((path.name, [list(row.ljust(width)) for row in lines]))
            lines = []
    return levels


def push(grid, step):
    (row, column), = [(r, c) for r, line in enumerate(grid) for c, v in enumerate(line) if v in "@+"]
    at = lambda k: (row + k * step[0], column + k * step[1])
    inside = lambda r, c: 0 <= r < len(grid) and 0 <= c < len(grid[r])
    (r1, c1), (r2, c2) = at(1), at(2)
    if not inside(r1, c1) or grid[r1][c1] == "#":
        return None
    grid = [line[:] for line in grid]
    if grid[r1][c1] in "$*":
        if not inside(r2, c2) or grid[r2][c2] not in " .":
            return None
        grid[r2][c2] = "*" if grid[r2][c2] == "." else "$"
        grid[r1][c1] = "." if grid[r1][c1] == "*" else " "
    grid[r1][c1] = "+" if grid[r1][c1] == "." else "@"
    grid[row][column] = "." if grid[row][column] == "+" else " "
    return grid


def as_numbers(grid):
    return [[SOKOBAN.index(v) for v in line] for line in grid]


def play(level, length, rng):
    """A position of random play, and the one `length` legal moves later."""
    grid = level
    for _ in range(rng.randrange(60)):
        grid = push(grid, rng.choice(list(STEPS.values()))) or grid
    x = grid
    for _ in range(length):
        following = [after for step in STEPS.values() if (after := push(grid, step))]
        if not following:
            return None
        grid = rng.choice(following)
    return as_numbers(x), as_numbers(grid)


# ---------------------------------------------------------------- MiniGrid
ROOMS = ["MiniGrid-Empty-6x6-v0", "MiniGrid-DoorKey-6x6-v0", "MiniGrid-DoorKey-5x5-v0", "MiniGrid-Fetch-6x6-N2-v0",
         "MiniGrid-KeyCorridorS3R1-v0"]
OTHER_ROOMS = ["MiniGrid-DoorKey-8x8-v0", "MiniGrid-Empty-8x8-v0", "MiniGrid-Fetch-8x8-N3-v0", "MiniGrid-Fetch-5x5-N2-v0"]


def minigrid_play(rooms, count, lags, seed):
    """The whole room, H x W places of (object, colour, state); the agent is an object whose state is its direction."""
    import gymnasium
    import minigrid  # noqa: F401, registers the rooms
    from minigrid.wrappers import FullyObsWrapper
    rng, pairs, round_ = random.Random(seed), [], 0
    while len(pairs) < count:
        env = FullyObsWrapper(gymnasium.make(rooms[round_ % len(rooms)]).unwrapped)
        observation, _ = env.reset(seed=seed * 100000 + round_)
        round_ += 1
        seen = [observation["image"].tolist()]
        for _ in range(60):
            observation, _, ended, cut, _ = env.step(rng.choices(range(6), weights=[2, 2, 4, 2, 1, 2])[0])
            seen.append(observation["image"].tolist())
            if ended or cut:
                break
        for start in rng.sample(range(len(seen)), min(len(seen), 8)):
            lag = rng.choice(lags)
            if start + lag < len(seen) and seen[start] != seen[start + lag]:
                pairs.append((seen[start], seen[start + lag], lag))
    return pairs[:count]


# ---------------------------------------------------------------- pairs
def by_programs(make_input, operations, programs, count, rng):
    pairs = []
    while len(pairs) < count:
        x = y = make_input(rng)
        program = rng.choice(programs)
        for operation in program:
            y = operations[operation](y)
        pairs.append((x, y, len(program)))
    return pairs


def words(codes, length):
    return [()] if length == 0 else [w + (z,) for w in words(codes, length - 1) for z in range(codes)]


def up_to(codes, longest):
    return [w for length in range(1, longest + 1) for w in words(codes, length)]


def make(world, count, seed):
    rng = random.Random(seed)
    tests = 1000
    if world == "walls":
        steps = [lambda grid, s=s: walk(grid, s) for s in STEPS.values()]
        return (by_programs(walls_input, steps, up_to(4, 2), count, rng),
                by_programs(walls_input, steps, up_to(4, 5)[-1024:] + up_to(4, 4) * 3, tests, rng))
    if world == "automata":
        rules = [each_cell(rule) for rule in (fall, life, outline, spread)]
        return (by_programs(automata_input, rules, up_to(4, 2), count, rng),
                by_programs(automata_input, rules, up_to(4, 4), tests, rng))
    if world == "falling":
        return (by_programs(falling_input, FALLING, up_to(5, 2), count, rng),
                by_programs(falling_input, FALLING, up_to(5, 3), tests, rng))
    if world == "numbers":
        changes = [lambda n: 2 * n, lambda n: 3 * n, lambda n: n + 7]
        return (by_programs(lambda r: r.randrange(100000), changes, up_to(3, 2), count, rng),
                by_programs(lambda r: r.randrange(10000), changes, up_to(3, 4), tests, rng))
    if world in ("oscillator", "cart-pole", "joints"):
        return reals.make(world, count, tests, rng)
    if world == "strings":
        return (by_programs(strings_input, STRINGS, up_to(5, 2), count, rng),
                by_programs(lambda r: strings_input(r, 4, 11), STRINGS, up_to(5, 4), tests, rng))
    if world == "cube":
        turns = [lambda f, s=s: turn(f, s) for s in TURNS]
        seen = [(0,), (3,), (6,), (9,)] + [(a, b) for a in range(12) for b in range(12) if a // 2 != b // 2]
        return (by_programs(cube_input, turns, seen, count, rng),
                by_programs(cube_input, turns, [tuple(rng.randrange(12) for _ in range(n)) for n in range(1, 6)
                                                for _ in range(50)], tests, rng))
    if world == "sokoban":
        levels = [grid for _, grid in sokoban_levels() if len(grid) <= 16 and len(grid[0]) <= 16]
        rng.shuffle(levels)
        held = levels[:len(levels) // 5]

        def played(from_levels, number, lags):
            pairs = []
            while len(pairs) < number:
                lag = rng.choice(lags)
                if pair := play(rng.choice(from_levels), lag, rng):
                    if pair[0] != pair[1]:
                        pairs.append((*pair, lag))
            return pairs
        return played(levels[len(held):], count, [1, 1, 2, 3]), played(held, tests, [1, 2, 3, 4, 5])
    if world == "minigrid":
        return minigrid_play(ROOMS, count, [1, 1, 2, 3], seed), minigrid_play(OTHER_ROOMS, tests, [1, 2, 3], seed + 1)
    raise SystemExit(f"make.py: unknown world {world}; they are listed in --help")


def flattened(value):
    return [v for part in value for v in flattened(part)] if isinstance(value, list) else [value]


def disturbed(pairs, how, rng):
    if how == "shuffled":
        ys = [y for _, y, _ in pairs]
        rng.shuffle(ys)
        return [(x, y, length) for (x, _, length), y in zip(pairs, ys)]
    if how == "unrelated":
        return [(x, rng.choice(pairs)[1] if rng.random() < 0.1 else y, length) for x, y, length in pairs]
    if how != "noise":
        raise SystemExit(f"make.py: unknown ending +{how}; they are +noise, +unrelated, +shuffled")
    values = sorted({v for _, y, _ in pairs for v in (y if isinstance(y, str) else flattened(y))})

    def flip(value):
        if isinstance(value, list):
            return [flip(part) for part in value]
        return rng.choice(values) if rng.random() < 0.05 else value
    return [(x, "".join(map(flip, y)) if isinstance(y, str) else flip(y), length) for x, y, length in pairs]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=42)
    options = parser.parse_args()
    world, *endings = options.world.split("+")
    train, test = make(world, options.pairs, options.seed)
    for ending in endings:
        train = disturbed(train, ending, random.Random(options.seed + 7))
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, pairs in ((options.world, train), (f"{options.world}-test", test)):
        with open(options.folder / f"{name}.jsonl", "w") as out:
            for x, y, length in pairs:
                line = {"x": x, "y": y}
                if name.endswith("-test"):
                    line["length"] = length
                out.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
