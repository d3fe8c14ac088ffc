import * as Plot from "@observablehq/plot";
import { benchmarkOf, benchmarkTitle, groupBy, isBenchmark, methodName, methodTitle, RecordRow, ReportData, RunRecord, spaceOf, splitTitle, unique } from "../data";
import { select } from "../dom";
import { Figure, figure } from "../figure";
import { methodColour } from "../theme";
import { addLegend, alphaChoices, benchmarkChoices, keep, legendHeight, plotStyle } from "./common";

type Row = RecordRow & { run: string };

interface Point {
  method: string;
  split: string;
  at: number;
  mean: number;
  least: number;
  most: number;
  seeds: number;
}

// Per method, split and budget: the mean over seeds, and how far they lie apart.
function points(rows: Row[], at: "budget" | "calls", measure: "transfer" | "self"): Point[] {
  return groupBy(rows.filter((r) => r[measure] !== null), (r) => `${r.method}|${r.split}|${r[at]}`)
    .map((group) => {
      const values = group.map((r) => r[measure]!);
      const { method, split } = group[0]!;
      return { method, split, at: group[0]![at], mean: values.reduce((a, b) => a + b) / values.length, least: Math.min(...values), most: Math.max(...values), seeds: values.length };
    })
    .sort((a, b) => a.at - b.at);
}

const isError = (data: ReportData, benchmark: string): boolean => data.results.some((table) => table.benchmark === benchmark && table.less_is_better);

// Whether the theory's states are observations by default.
const isHard = (record: RunRecord): boolean => benchmarkOf(record.benchmark)?.hard_grounding ?? spaceOf(record)?.kind !== "pixels";

export function scalingFigure(data: ReportData): Figure {
  let benchmark = "";
  let alpha = "0.33";
  let at: "budget" | "calls" = "calls";
  let measure: "transfer" | "self" = "transfer";
  return figure({
    id: "scaling",
    title: "Test-time scaling",
    paper: "Figures 6a and 19",
    caption:
      "Search at test time against its budget: programs drawn, or calls of the executor, per episode. Lines: mean over seeds; bands: from the least to the largest seed. Dashed: without search.",
    draw: (redraw, width) => {
      const searched = data.records.filter((r) => isBenchmark(r) && r.rows.some((row) => row.budget > 1));
      if (searched.length === 0) return { controls: [], drawing: null };
      const choices = benchmarkChoices(searched.filter((r) => new Set(r.rows.map((row) => row.budget)).size > 2));
      benchmark = keep(benchmark, choices);
      const alphas = alphaChoices(searched.filter((r) => r.benchmark === benchmark));
      alpha = keep(alpha, alphas);
      const controls = [
        select("data", choices, benchmark, (v) => ((benchmark = v), redraw())),
        select("α", alphas, alpha, (v) => ((alpha = v), redraw())),
        select("against", [{ value: "calls", title: "executor calls" }, { value: "budget", title: "draws" }], at, (v) => ((at = v as typeof at), redraw())),
        select("measure", [{ value: "transfer", title: "transfer" }, { value: "self", title: "self-explanation" }], measure, (v) => ((measure = v as typeof measure), redraw())),
      ];
      const chosen = data.records.filter((r) => isBenchmark(r) && r.benchmark === benchmark && String(r.alpha) === alpha);
      const rows: Row[] = chosen.flatMap((r) => r.rows.filter((row) => row.hard_grounding === isHard(r)).map((row) => ({ ...row, method: methodName(row.method, r.grouped), run: r.name })));
      // A method with several budgets is a curve, others are a level. A search that draws nothing counts its calls only.
      const several = (method: string, what: "budget" | "calls"): boolean => unique(rows.filter((r) => r.method === method && r.split === rows[0]!.split).map((r) => r[what])).length > 1;
      const temperature = new Map(rows.map((r) => [r.method, rows.find((other) => other.method === r.method)!.temperature]));
      const curves = points(rows.filter((r) => several(r.method, at) && r.temperature === temperature.get(r.method)), at, measure);
      const levels = points(rows.filter((r) => !several(r.method, "calls")), "budget", measure);
      if (curves.length === 0) return { controls, drawing: null };
      const splits = ["id", "id-clean", "comp", "length"].filter((split) => curves.some((p) => p.split === split));
      const tip = (p: Point): string =>
        `${methodTitle(p.method)}, ${splitTitle(p.split)}\n${at === "budget" ? "draws" : "calls"}: ${p.at}\nmean ${p.mean.toFixed(4)}\n${p.seeds} seed${p.seeds === 1 ? "" : "s"}: ${p.least.toFixed(4)} … ${p.most.toFixed(4)}`;
      const svg = Plot.plot({
        width,
        height: 330,
        marginTop: legendHeight + 26,
        marginBottom: 38,
        marginLeft: 52,
        style: plotStyle(),
        fx: { domain: splits, tickFormat: splitTitle, label: null },
        x: { type: "log", base: 2, label: at === "budget" ? "programs drawn" : "executor calls per episode", tickFormat: (n: number) => String(n), ticks: 5 },
        y: { label: measure === "transfer" ? "transfer" : "self-explanation", labelAnchor: "center", grid: true, domain: isError(data, benchmark) ? undefined : [0, 1] },
        marks: [
          Plot.frame({ strokeOpacity: 0.15 }),
          Plot.areaY(curves, { fx: "split", x: "at", y1: "least", y2: "most", z: "method", fill: (p) => methodColour(p.method), fillOpacity: 0.18 }),
          Plot.lineY(curves, { fx: "split", x: "at", y: "mean", z: "method", stroke: (p) => methodColour(p.method), strokeWidth: 2 }),
          Plot.dot(curves, { fx: "split", x: "at", y: "mean", r: 2.5, fill: (p) => methodColour(p.method) }),
          Plot.ruleY(levels.filter((p) => splits.includes(p.split)), { fx: "split", y: "mean", stroke: (p) => methodColour(p.method), strokeDasharray: "4 3", strokeWidth: 1.5 }),
          Plot.tip(curves, Plot.pointer({ fx: "split", x: "at", y: "mean", title: tip, maxRadius: 200 })),
        ],
      }) as SVGSVGElement;
      addLegend(svg, [
        ...unique(curves.map((p) => p.method)).map((m) => ({ title: methodTitle(m), colour: methodColour(m) })),
        ...unique(levels.map((p) => p.method)).map((m) => ({ title: methodTitle(m), colour: methodColour(m), dashed: true })),
      ], 52);
      svg.setAttribute("aria-label", `Test-time scaling in ${benchmarkTitle(benchmark)}`);
      return { controls, drawing: { svg, runs: rows.map((r) => r.run) } };
    },
  });
}
