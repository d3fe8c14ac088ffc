import { s } from "../dom";
import { colours } from "../theme";
import { Choice } from "../dom";
import { alphaText, benchmarkTitle, inOrder, RunRecord, unique } from "../data";

export interface LegendEntry {
  title: string;
  colour: string;
  dashed?: boolean;
}

// A legend inside the drawing, so that it is saved with it. The drawing must leave `legendHeight` at its top.
export const legendHeight = 26;
export function addLegend(svg: SVGSVGElement, entries: LegendEntry[], left = 40): void {
  const { ink } = colours();
  const group = s("g", { "font-size": 12, "text-anchor": "start", transform: `translate(${left},14)` });
  let x = 0;
  for (const { title, colour, dashed } of entries) {
    group.append(
      dashed
        ? s("line", { x1: x, x2: x + 18, y1: -4, y2: -4, stroke: colour, "stroke-width": 2, "stroke-dasharray": "4 3" })
        : s("rect", { x, y: -10, width: 12, height: 12, rx: 2, fill: colour }),
    );
    const offset = dashed ? 24 : 17;
    group.append(s("text", { x: x + offset, fill: ink }, title));
    x += offset + 14 + 6.6 * title.length;
  }
  svg.append(group);
}

// A look that all plots share; the tips take the page's paper.
export function plotStyle(): Record<string, string> {
  const { ink, paper } = colours();
  return { color: ink, background: "transparent", "--plot-background": paper, fontSize: "12px", overflow: "visible" } as Record<string, string>;
}

// For heat maps: from the paper's colour to the accent's, and what is readable on it.
export function heat(): { range: [string, string]; textOn: (share: number) => string } {
  const { raised, accent, ink, paper } = colours();
  return { range: [raised, accent], textOn: (share) => (share > 0.55 ? paper : ink) };
}

export const benchmarkChoices = (records: RunRecord[]): Choice[] => inOrder(unique(records.map((r) => r.benchmark))).map((value) => ({ value, title: benchmarkTitle(value) }));
export const alphaChoices = (records: RunRecord[]): Choice[] =>
  unique(records.map((r) => r.alpha))
    .sort((a, b) => a - b)
    .map((alpha) => ({ value: String(alpha), title: alphaText(alpha) }));
// NEO's first: who looks at one run wants to see one of these.
export const runChoices = (records: RunRecord[]): Choice[] =>
  [...records].sort((a, b) => Number(b.method === "neo") - Number(a.method === "neo")).map((r) => ({ value: r.name, title: r.name + (r.grouped ? " (grouped)" : "") }));

const kComparable = 4; // a run is drawn beside another that is at most this many times as long

/** Runs that may share an axis of steps: shortest first, none much longer than the first of its group. */
export function byDuration(records: RunRecord[]): RunRecord[][] {
  const last = (record: RunRecord): number => record.training?.steps.at(-1) ?? 0;
  const classes: RunRecord[][] = [];
  for (const record of [...records].sort((a, b) => last(a) - last(b))) {
    const group = classes.at(-1);
    if (group && last(record) <= kComparable * last(group[0]!)) group.push(record);
    else classes.push([record]);
  }
  return classes;
}

// Keeps a choice if it still exists, else takes the first.
export const keep = (chosen: string, choices: Choice[]): string => (choices.some((c) => c.value === chosen) ? chosen : (choices[0]?.value ?? ""));
