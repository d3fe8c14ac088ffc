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

/** Hands out a stretch of [0, total) to every node: its children share it by their numbers of leaves. */
function stretches(shape: Shape, total: number): { begin: number; size: number }[] {
  const stretch = shape.leaves.map(() => ({ begin: 0, size: total }));
  shape.children.forEach((children, i) => {
    let at = stretch[i].begin;
    for (const child of children) {
      stretch[child] = { begin: at, size: (stretch[i].size * shape.leaves[child]) / shape.leaves[i] };
      at += stretch[child].size;
    }
  });
  return stretch;
}

const kInner = 0.7; // below 1: the inner rings, where nodes are large, get more room

/** The root in the middle, each generation on a ring: for many nodes. */
export function radialLayout(parents: number[], depths: number[], radius: number, margin: number): Layout {
  const deepest = Math.max(1, ...depths);
  const places = stretches(leafCounts(parents), 2 * Math.PI).map(({ begin, size }, i) => {
    const angle = begin + size / 2 - Math.PI / 2;
    const distance = radius * (depths[i] / deepest) ** kInner;
    return { x: distance * Math.cos(angle), y: distance * Math.sin(angle) };
  });
  const [xs, ys] = [places.map((place) => place.x), places.map((place) => place.y)];
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return { places, left, top, width: Math.max(...xs) + margin - left, height: Math.max(...ys) + margin - top };
}

/** The root on the left, each generation in a column: for few nodes. */
export function columnLayout(parents: number[], depths: number[], column: number, row: number): Layout {
  const shape = leafCounts(parents);
  const height = shape.leaves[0] * row;
  const places = stretches(shape, height).map(({ begin, size }, i) => ({ x: (depths[i] + 0.5) * column, y: begin + size / 2 }));
  return { places, left: 0, top: 0, width: (Math.max(...depths) + 1) * column, height };
}
