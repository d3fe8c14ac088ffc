"""Worlds whose observations are real vectors, for make.py. Plain Python, so that nothing has to be installed.

Each gives pairs (x, y, how many operations made it), to learn from and to test.
"""
CONTROLS = (-2.0, -1.0, 0.0, 1.0, 2.0)  # hidden from the learner


def oscillator(state, control):
    """A damped oscillator, a fifth of a second later under a constant force."""
    position, velocity = state
    velocity += 0.2 * (control - position - 0.2 * velocity)
    return [position + 0.2 * velocity, velocity]


def cart_pole(state, control):
    """A cart with a pole on it, a fiftieth of a second later under a force of five times the control."""
    from math import cos, sin
    x, speed, angle, turning = state
    push = (5 * control + 0.05 * turning ** 2 * sin(angle)) / 1.1
    turned = (9.8 * sin(angle) - cos(angle) * push) / (0.5 * (4 / 3 - 0.1 * cos(angle) ** 2 / 1.1))
    pushed = push - 0.05 * turned * cos(angle) / 1.1
    return [x + 0.02 * speed, speed + 0.02 * pushed, angle + 0.02 * turning, turning + 0.02 * turned]


def controlled(step, start, lags, count, rng):
    pairs = []
    while len(pairs) < count:
        state = start(rng)
        for _ in range(rng.randrange(30)):
            state = step(state, rng.choice(CONTROLS))
        x, lag = state, rng.choice(lags)
        for _ in range(lag):
            state = step(state, rng.choice(CONTROLS))
        pairs.append((x, state, lag))
    return pairs


def joint(number, turn):
    return lambda state: [v + turn * (i == number) for i, v in enumerate(state)]


JOINTS = [joint(number, turn) for number in range(5) for turn in (-0.3, 0.3)]  # one of five joints turns


def make(world, count, tests, rng):
    if world == "oscillator":
        start = lambda r: [r.gauss(0, 2), r.gauss(0, 2)]
        return controlled(oscillator, start, [1], count, rng), controlled(oscillator, start, [1, 2, 3], tests, rng)
    if world == "cart-pole":
        start = lambda r: [r.uniform(-0.3, 0.3) for _ in range(4)]
        return controlled(cart_pole, start, [1], count, rng), controlled(cart_pole, start, [1, 2], tests, rng)

    def joints(number, longest):
        pairs = []
        for _ in range(number):
            x = y = [rng.gauss(0, 1) for _ in range(5)]
            length = rng.randint(1, longest)
            for _ in range(length):
                y = rng.choice(JOINTS)(y)
            pairs.append((x, y, length))
        return pairs
    return joints(count, 2), joints(tests, 3)
