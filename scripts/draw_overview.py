#!/usr/bin/env python3
"""Draws docs/overview.svg, the picture of docs/overview.md.

    scripts/draw_overview.py docs/overview.svg
"""

import sys
from html import escape

WIDTH, HEIGHT = 960, 560
INK, LINE, PAPER = "#282c34", "#8a8f98", "#fafaf8"
DATA, MODEL, SEARCH, USE = "#e7eefb", "#e6f4ea", "#fdf1dc", "#f3e8f7"

# name, lines of text, x, y, width, height, colour
BOXES = {
    "source": (["your pairs, recordings,", "or a benchmark"], 20, 40, 190, 60, DATA),
    "pairs": (["file of pairs (x, y)", "and their Space", "data/"], 20, 150, 190, 70, DATA),
    "observe": (["observation model", "E: x → s,  D: s → x", "observe/"], 290, 40, 190, 70, MODEL),
    "programmer": (["programmer", "q(z | s, s_y)", "model/"], 290, 150, 190, 70, MODEL),
    "codebook": (["codebook", "z0 … z7", "model/"], 290, 260, 190, 70, MODEL),
    "executor": (["executor", "f(s, z), shared by all steps", "model/"], 290, 370, 190, 70, MODEL),
    "search": (["search", "greedy, beam, NEO-S,", "best-first; MDL length", "rollout/, search/"], 550, 140, 180, 90, SEARCH),
    "train": (["training", "explain, then learn from", "the explanations", "train/, discover/"], 550, 360, 180, 90, SEARCH),
    "theory": (["theory: one file", "weights, policy,", "names, examples", "neo/"], 20, 360, 190, 90, DATA),
    "use": (["explain, transfer,", "inspect, evaluate", "explain/, eval/"], 780, 145, 165, 80, USE),
    "show": (["terminal, PNG, SVG", "view/, app/"], 780, 270, 165, 50, USE),
    "serve": (["the Theory Explorer", "serve/, explorer/"], 780, 335, 165, 50, USE),
    "python": (["Python", "python/"], 780, 400, 165, 50, USE),
}

# from, to, label; sides are found from the positions
ARROWS = [
    ("source", "pairs", "neo data import"),
    ("pairs", "observe", ""),
    ("observe", "programmer", ""),
    ("programmer", "codebook", "which code next?"),
    ("codebook", "executor", ""),
    ("programmer", "search", ""),
    ("executor", "train", ""),
    ("search", "train", "programs"),
    ("search", "use", ""),
    ("use", "show", "asked through"),
    ("executor", "theory", "the best"),
]


def box(lines, x, y, width, height, colour):
    parts = [f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" fill="{colour}" stroke="{LINE}"/>']
    top = y + height / 2 - 8 * (len(lines) - 1) + 5
    for i, line in enumerate(lines):
        is_folder = line.endswith("/")
        style = f'fill="{LINE}" font-size="12"' if is_folder else f'fill="{INK}" font-weight="{600 if i == 0 else 400}"'
        parts.append(f'<text x="{x + width / 2}" y="{top + 16 * i}" text-anchor="middle" {style}>{escape(line)}</text>')
    return parts


def ends(a, b):
    (ax, ay, aw, ah), (bx, by, bw, bh) = a, b
    if bx >= ax + aw:
        return (ax + aw, ay + ah / 2), (bx, by + bh / 2)
    if bx + bw <= ax:
        return (ax, ay + ah / 2), (bx + bw, by + bh / 2)
    middle = (max(ax, bx) + min(ax + aw, bx + bw)) / 2
    return ((middle, ay + ah), (middle, by)) if by > ay else ((middle, ay), (middle, by + bh))


def arrow(start, end, label):
    a, b = ends(BOXES[start][1:5], BOXES[end][1:5])
    parts = [f'<line x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}" stroke="{INK}" stroke-width="1.5" marker-end="url(#tip)"/>']
    if label:
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        vertical = a[0] == b[0]
        at = f'x="{x + 8}" y="{y + 4}"' if vertical else f'x="{x}" y="{y - 8}" text-anchor="middle"'
        parts.append(f'<text {at} font-size="12" fill="{INK}">{escape(label)}</text>')
    return parts


def main():
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="\'DejaVu Sans\', Helvetica, Arial, sans-serif" font-size="14">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        f'<path d="M0 0 L8 4 L0 8 z" fill="{INK}"/></marker></defs>',
    ]
    for values in BOXES.values():
        parts += box(*values)
    for values in ARROWS:
        parts += arrow(*values)
    notes = ["A program is a list of codes. Each step maps a state to the next, which is decoded and read again as an",
             "observation (grounding); the shortest program that explains y is the explanation of the pair."]
    for i, note in enumerate(notes):
        parts.append(f'<text x="20" y="{500 + 20 * i}" fill="{INK}">{escape(note)}</text>')
    parts.append("</svg>")
    with open(sys.argv[1], "w") as out:
        out.write("\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
