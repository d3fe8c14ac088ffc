// Places for the nodes of a tree: the root in the middle, each generation on a ring, angles by the number of leaves.
export interface Place {
  x: number;
  y: number;
}

export function radialLayout(parents: number[], depths: number[], radius: number): Place[] {
  const count = parents.length;
  const children: number[][] = parents.map(() => []);
  for (let i = 1; i < count; ++i) children[parents[i]].push(i);
  const leaves = new Array<number>(count).fill(0);
  for (let i = count - 1; i >= 0; --i) {
    leaves[i] ||= 1; // a node comes before its children: theirs are all counted
    if (i > 0) leaves[parents[i]] += leaves[i];
  }
  const deepest = Math.max(1, ...depths);
  const places: Place[] = new Array(count);
  const begin = new Array<number>(count).fill(0);
  const turn = new Array<number>(count).fill(2 * Math.PI);
  for (let i = 0; i < count; ++i) {
    const middle = begin[i] + turn[i] / 2 - Math.PI / 2;
    const distance = (radius * depths[i]) / deepest;
    places[i] = { x: distance * Math.cos(middle), y: distance * Math.sin(middle) };
    let at = begin[i];
    for (const child of children[i]) {
      turn[child] = (turn[i] * leaves[child]) / leaves[i];
      begin[child] = at;
      at += turn[child];
    }
  }
  return places;
}
