import { alphaText, Example, ReportData, splitTitle } from "../data";
import { hint, s, select } from "../dom";
import { Figure, figure } from "../figure";
import { drawableOf, isPicture, longText, shortText } from "../observation";
import { colours } from "../theme";
import { addLegend, keep, legendHeight, runChoices } from "./common";
import { tile } from "./tile";

interface PathNode {
  step: number;
  observation: string;
  count: number; // draws that come by
  greedy: boolean;
  row: number;
}

interface PathEdge {
  from: PathNode;
  to: PathNode;
  code: number;
  count: number;
  greedy: boolean;
  solves: boolean;
}

// The graph of everything that was executed: a node per step and observation, an edge per code from one to another.
function graphOf(example: Example): { nodes: PathNode[]; edges: PathEdge[] } {
  const nodes = new Map<string, PathNode>();
  const edges = new Map<string, PathEdge>();
  const node = (step: number, observation: string): PathNode => {
    const key = `${step}|${observation}`;
    if (!nodes.has(key)) nodes.set(key, { step, observation, count: 0, greedy: false, row: 0 });
    return nodes.get(key)!;
  };
  const follow = (trace: string[], codes: number[], count: number, greedy: boolean, solves: boolean): void => {
    let from = node(0, example.support.x);
    from.count += count;
    from.greedy ||= greedy;
    trace.forEach((observation, i) => {
      const to = node(i + 1, observation);
      to.count += count;
      to.greedy ||= greedy;
      const key = `${i}|${from.observation}|${codes[i]}|${observation}`;
      const edge = edges.get(key) ?? { from, to, code: codes[i]!, count: 0, greedy: false, solves: false };
      edge.count += count;
      edge.greedy ||= greedy;
      edge.solves ||= solves;
      edges.set(key, edge);
      from = to;
    });
  };
  follow(example.support.trace, example.support.codes ?? [], 0, true, example.support.trace.at(-1) === example.support.y);
  for (const path of example.paths ?? []) follow(path.trace, path.codes, path.count, false, path.solves);
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

// Rows: the greedy path straight along the top, the others below by how often they were drawn.
function placeRows(nodes: PathNode[]): number {
  let most = 0;
  for (const step of new Set(nodes.map((n) => n.step))) {
    const column = nodes.filter((n) => n.step === step).sort((a, b) => Number(b.greedy) - Number(a.greedy) || b.count - a.count);
    const hasGreedy = column.some((n) => n.greedy);
    column.forEach((n, i) => (n.row = hasGreedy ? i : i + 1));
    most = Math.max(most, ...column.map((n) => n.row + 1));
  }
  return most;
}

export function pathFigure(data: ReportData): Figure {
  const records = data.records.filter((r) => r.examples?.some((e) => (e.paths?.length ?? 0) > 1));
  let run = runChoices(records.filter((r) => !isPicture(drawableOf(r))))[0]?.value ?? "";
  let chosen = "";
  return figure({
    id: "paths",
    title: "Execution paths of sampled programs",
    paper: "Figure 6b",
    caption: "What the programs drawn for one support pair do, step by step; each node is an observation, each edge a code. Solid: the programmer's own choice. Dashed: programs that were drawn, thicker where more often; those that explain the pair come first, and not all are shown. Green: y is reached.",
    draw: (redraw, width) => {
      if (records.length === 0) return { controls: [], drawing: null };
      const runs = runChoices(records);
      run = keep(run, runs);
      const record = records.find((r) => r.name === run)!;
      const examples = record.examples!.filter((e) => (e.paths?.length ?? 0) > 0);
      const episodes = examples.map((e) => ({ value: `${e.split}|${e.index}`, title: `${splitTitle(e.split)} ${e.index}${e.program ? `: ${e.program}` : ""}` }));
      chosen = episodes.some((e) => e.value === chosen) ? chosen : (episodes.find((e) => e.value.startsWith("length")) ?? episodes[0]!).value;
      const example = examples.find((e) => `${e.split}|${e.index}` === chosen)!;
      const controls = [select("run", runs, run, (v) => ((run = v), redraw())), select("episode", episodes, chosen, (v) => ((chosen = v), redraw()))];
      const { nodes, edges } = graphOf(example);
      const rows = placeRows(nodes);
      const steps = Math.max(...nodes.map((n) => n.step));
      const drawable = drawableOf(record);
      const picture = isPicture(drawable);
      const [nodeWidth, nodeHeight] = picture ? [40, 40] : [62, 24];
      const rowHeight = nodeHeight + 10;
      const column = Math.max(nodeWidth + 34, (width - nodeWidth - 10) / Math.max(1, steps));
      const total = column * steps + nodeWidth + 10;
      const top = legendHeight + 14;
      const { ink, quiet, accent, good, raised, line } = colours();
      const svg = s("svg", { viewBox: `0 0 ${total} ${top + rows * rowHeight + 6}`, width: Math.min(width, total), "font-family": "system-ui, sans-serif" });
      const at = (n: PathNode): [number, number] => [4 + n.step * column, top + n.row * rowHeight];
      const most = Math.max(1, ...edges.map((e) => e.count));
      for (const edge of edges.slice().sort((a, b) => Number(a.greedy) - Number(b.greedy) || a.count - b.count)) {
        const [x1, y1] = at(edge.from);
        const [x2, y2] = at(edge.to);
        const [from, to] = [x1 + nodeWidth, x2];
        const [a, b] = [y1 + nodeHeight / 2, y2 + nodeHeight / 2];
        const middle = (from + to) / 2;
        const path = s("path", {
          d: `M${from},${a} C${middle},${a} ${middle},${b} ${to},${b}`,
          fill: "none",
          stroke: edge.greedy ? ink : accent,
          "stroke-width": edge.greedy ? 2 : 0.8 + 3 * Math.sqrt(edge.count / most),
          "stroke-opacity": edge.greedy ? 1 : 0.65,
          "stroke-dasharray": edge.greedy ? "none" : "5 3",
        });
        path.append(hint(`z${edge.code}: ${edge.greedy ? "the programmer's choice" : ""}${edge.greedy && edge.count ? ", " : ""}${edge.count ? `${edge.count} draws` : ""}`));
        svg.append(path);
        if (edge.greedy) svg.append(s("text", { x: middle, y: (a + b) / 2 - 5, "text-anchor": "middle", "font-size": 11, fill: ink }, `z${edge.code}`));
      }
      for (const n of nodes) {
        const [x, y] = at(n);
        const solved = n.step > 0 && n.observation === example.support.y;
        const title = `${picture ? "" : `${longText(drawable?.space, n.observation)}, `}${n.step === 0 ? "x" : `after step ${n.step}`}${n.count ? `, ${n.count} draws` : ""}`;
        if (picture) {
          svg.append(tile({ drawable, observation: n.observation, x, y, size: nodeWidth, frame: solved ? good : undefined, title }));
        } else {
          const box = s("g", { transform: `translate(${x},${y})` });
          box.append(s("rect", { width: nodeWidth, height: nodeHeight, rx: 5, fill: raised, stroke: solved ? good : n.greedy ? ink : line, "stroke-width": solved ? 2.5 : 1.2 }));
          box.append(s("text", { x: nodeWidth / 2, y: nodeHeight / 2 + 4, "text-anchor": "middle", "font-size": 12, fill: ink }, shortText(drawable?.space, n.observation)), hint(title));
          svg.append(box);
        }
      }
      addLegend(svg, [
        { title: "the programmer's choice", colour: ink },
        { title: "drawn", colour: accent, dashed: true },
        { title: "y", colour: good },
      ], 4);
      svg.append(s("text", { x: total - 4, y: 14, "text-anchor": "end", "font-size": 12, fill: quiet }, `α = ${alphaText(record.alpha)}, ${splitTitle(example.split)}${example.program ? `; hidden program: ${example.program}` : ""}`));
      return { controls, drawing: { svg, runs: [record.name] } };
    },
  });
}
