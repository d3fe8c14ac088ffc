import { scaleOfValues } from "../../shared/bars";
import { difference, parse } from "../../shared/observations";
import type { Drawable } from "../../shared/pixels";
import { Example, methodName, methodTitle, ReportData, RunRecord, splitTitle, unique, alphaText } from "../data";
import { s, select } from "../dom";
import { Figure, figure } from "../figure";
import { drawableOf, isPicture, longText } from "../observation";
import { colours } from "../theme";
import { alphaChoices, benchmarkChoices, keep } from "./common";
import { tile } from "./tile";

const size = 58;
const gap = 34;
const labelWidth = 104;

interface Strip {
  drawable: Drawable | undefined;
  label: string;
  note: string;
  x: string;
  trace: string[];
  codes?: number[];
  y: string;
}

function strips(record: RunRecord, example: Example): Strip[] {
  const name = methodTitle(methodName(record.method, record.grouped));
  const drawable = drawableOf(record);
  return [
    { drawable, label: name, note: "explains", ...example.support },
    ...(example.query ? [{ drawable, label: "", note: "transfers", ...example.query, codes: example.support.codes }] : []),
  ];
}

// x -> ... -> what came out | what should have come out
function drawStrip(strip: Strip, top: number, longest: number): SVGGElement {
  const { drawable } = strip;
  const scale = drawable && scaleOfValues([strip.x, strip.y, ...strip.trace].flatMap((text) => parse(drawable.space, text) ?? []));
  const { ink, quiet, good, bad } = colours();
  const group = s("g", { transform: `translate(0,${top})`, "font-size": 12 });
  group.append(s("text", { x: 0, y: size / 2 - 4, fill: ink, "font-weight": 600 }, strip.label), s("text", { x: 0, y: size / 2 + 13, fill: quiet }, strip.note));
  let x = labelWidth;
  group.append(tile({ drawable, observation: strip.x, x, y: 0, size, scale, title: "x" }));
  const last = strip.trace.at(-1) ?? strip.x;
  const isExact = drawable === undefined || drawable.space.kind === "categorical"; // others are never quite right
  const frame = !isExact ? undefined : last === strip.y ? good : bad;
  strip.trace.forEach((observation, i) => {
    x += size;
    group.append(s("line", { x1: x + 4, x2: x + gap - 5, y1: size / 2, y2: size / 2, stroke: quiet, "stroke-width": 1.5, "marker-end": "url(#arrow)" }));
    const code = strip.codes?.[i];
    if (code !== undefined) group.append(s("text", { x: x + gap / 2 - 1, y: size / 2 - 7, "text-anchor": "middle", fill: quiet, "font-size": 11 }, `z${code}`));
    x += gap;
    const isLast = i === strip.trace.length - 1;
    group.append(tile({ drawable, observation, x, y: 0, size, scale, frame: isLast ? frame : undefined, title: isPicture(drawable) ? `after step ${i + 1}` : longText(drawable?.space, observation) }));
  });
  const end = labelWidth + longest * (size + gap) + size + 24;
  group.append(s("text", { x: end - 12, y: size / 2 + 4, "text-anchor": "middle", fill: quiet }, "y"), tile({ drawable, observation: strip.y, x: end, y: 0, size, scale, title: "y, what it should be" }));
  if (!isExact) {
    const measure = drawable.space.kind === "pixels" ? "L1" : "RMS";
    group.append(s("text", { x: end + size + 8, y: size / 2 + 4, fill: quiet, "font-size": 11 }, `${measure} ${difference(drawable.space, last, strip.y).toFixed(3)}`));
  }
  return group;
}

export function rolloutFigure(data: ReportData): Figure {
  const records = data.records.filter((r) => (r.examples?.length ?? 0) > 0 && r.purpose === "" && r.ablation === "");
  let benchmark = "";
  let alpha = "0.66";
  let chosen = "";
  return figure({
    id: "rollouts",
    title: "Explanations and their transfer, step by step",
    paper: "Figures 4, 21 and 22",
    caption: "For an episode: how each method gets from x to y on the support pair, and the result of the same program on the query's input. Green: exactly right; red: not. The hidden program is what made the episode; no method sees it.",
    draw: (redraw, width) => {
      if (records.length === 0) return { controls: [], drawing: null };
      const choices = benchmarkChoices(records);
      benchmark = keep(benchmark, choices);
      const alphas = alphaChoices(records.filter((r) => r.benchmark === benchmark));
      alpha = keep(alpha, alphas);
      const group = records.filter((r) => r.benchmark === benchmark && String(r.alpha) === alpha);
      const key = (e: Example): string => `${e.split}|${e.index}`;
      const episodes = unique(group.flatMap((r) => r.examples!).map(key)).map((value) => {
        const example = group.flatMap((r) => r.examples!).find((e) => key(e) === value)!;
        return { value, title: `${splitTitle(example.split)} ${example.index}${example.program ? `: ${example.program}` : ""}` };
      });
      // To begin with, a new composition with as many steps as there are.
      const steps = (title: string): number => title.split(":")[1]?.trim().split(" ").length ?? 0;
      const preferred = episodes.filter((e) => e.value.startsWith("comp")).sort((a, b) => steps(b.title) - steps(a.title));
      chosen = episodes.some((e) => e.value === chosen) ? chosen : keep("", [...preferred, ...episodes]);
      const controls = [
        select("data", choices, benchmark, (v) => ((benchmark = v), redraw())),
        select("α", alphas, alpha, (v) => ((alpha = v), redraw())),
        select("episode", episodes, chosen, (v) => ((chosen = v), redraw())),
      ];
      const order = ["disc-mono", "cont-mono", "cont-mono-opt", "neo"];
      const shown = group
        .filter((r) => r.examples!.some((e) => key(e) === chosen))
        .filter((r, i, all) => all.findIndex((other) => other.method === r.method && Boolean(other.grouped) === Boolean(r.grouped)) === i) // the first seed will do
        .sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
      const example = shown[0]!.examples!.find((e) => key(e) === chosen)!;
      const rows = shown.flatMap((r) => strips(r, r.examples!.find((e) => key(e) === chosen)!));
      const longest = Math.max(...rows.map((r) => r.trace.length));
      const { quiet } = colours();
      const heading = 30;
      const rowHeight = size + 12;
      const title = `${splitTitle(example.split)}, α = ${alphaText(Number(alpha))}${example.program ? `; hidden program: ${example.program}` : ""}`;
      const natural = Math.max(labelWidth + longest * (size + gap) + 2 * size + 24 + 70, 6.6 * title.length);
      const height = heading + rows.length * rowHeight + Math.max(0, shown.length - 1) * 10;
      const svg = s("svg", { viewBox: `0 0 ${natural} ${height}`, width: Math.min(width, natural), "font-family": "system-ui, sans-serif" });
      svg.append(s("defs", {}, s("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, s("path", { d: "M0,0 L8,4 L0,8 z", fill: quiet }))));
      svg.append(s("text", { x: 0, y: 14, fill: quiet, "font-size": 12 }, title));
      rows.forEach((row, i) => svg.append(drawStrip(row, heading + i * rowHeight + Math.floor(i / 2) * 10, longest)));
      return { controls, drawing: { svg, runs: shown.map((r) => r.name) } };
    },
  });
}
