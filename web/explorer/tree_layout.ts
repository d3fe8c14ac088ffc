// Places for the nodes of a tree. Nodes are numbered so that each comes after its parent; node 0 is the root.
export interface Layout {
  places: { x: number; y: number }[];
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Shape {
  children: number[][];
  leaves: number[]; // below each node, or 1 for a leaf
}

export function leafCounts(parents: number[]): Shape {
  const children: number[][] = parents.map(() => []);
  const leaves = parents.map(() => 0);
  for (let i = 1; i < parents.length; ++i) children[parents[i]].push(i);
  for (let i = parents.length - 1; i >= 0; --i) {
    leaves[i] ||= 1;
    if (i > 0) leaves[parents[i]] += leaves[i];
  }
  return { children, leaves };
}

/** Hands out a stretch of [0, total) to every node: its children share it by their numbers of leaves, to a power. */
function stretches(shape: Shape, total: number, power = 1): { begin: number; size: number }[] {
  const weight = shape.leaves.map((leaves) => leaves ** power);
  const stretch = shape.leaves.map(() => ({ begin: 0, size: total }));
  shape.children.forEach((children, i) => {
    const sum = children.reduce((before, child) => before + weight[child], 0);
    let at = stretch[i].begin;
    for (const child of children) {
      stretch[child] = { begin: at, size: (stretch[i].size * weight[child]) / sum };
      at += stretch[child].size;
    }
  });
  return stretch;
}

const kPowers = [1, 0.8, 0.6, 0.4]; // below 1: shallow branches get more of the circle than their leaves would

/** The root in the middle, each generation on a ring that is wide enough for nodes of that diameter: for many nodes. */
export function radialLayout(parents: number[], depths: number[], diameter: number, margin: number): Layout {
  const shape = leafCounts(parents);
  const candidates = kPowers.map((power) => {
    const angles = stretches(shape, 2 * Math.PI, power).map(({ begin, size }) => begin + size / 2 - Math.PI / 2);
    return { angles, radii: ringRadii(angles, depths, diameter) };
  });
  const { angles, radii } = candidates.reduce((best, other) => (other.radii.at(-1)! < best.radii.at(-1)! ? other : best));
  const places = angles.map((angle, i) => ({ x: radii[depths[i]] * Math.cos(angle), y: radii[depths[i]] * Math.sin(angle) }));
  const [xs, ys] = [places.map((place) => place.x), places.map((place) => place.y)];
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return { places, left, top, width: Math.max(...xs) + margin - left, height: Math.max(...ys) + margin - top };
}

// The chord between neighbours on a ring is at least the diameter, and so is the way to the next ring.
function ringRadii(angles: number[], depths: number[], diameter: number): number[] {
  const radii = [0];
  for (let depth = 1; depth <= Math.max(...depths); ++depth) {
    const ring = angles.filter((_, i) => depths[i] === depth).sort((a, b) => a - b);
    const gaps = ring.map((angle, i) => (i + 1 < ring.length ? ring[i + 1] - angle : ring[0] + 2 * Math.PI - angle));
    const least = Math.min(Math.PI, ...gaps);
    radii.push(Math.max(radii[depth - 1] + 1.6 * diameter, diameter / (2 * Math.sin(least / 2))));
  }
  return radii;
}

/** The root on the left, each generation in a column: for few nodes. */
export function columnLayout(parents: number[], depths: number[], column: number, row: number, margin: number): Layout {
  const shape = leafCounts(parents);
  const height = shape.leaves[0] * row;
  const places = stretches(shape, height).map(({ begin, size }, i) => ({ x: depths[i] * column + margin, y: begin + size / 2 }));
  return { places, left: 0, top: 0, width: Math.max(...depths) * column + 2 * margin, height };
}
