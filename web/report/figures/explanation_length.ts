import * as Plot from "@observablehq/plot";
import { alphaText, isBenchmark, ReportData, RunRecord, unique } from "../data";
import { select } from "../dom";
import { Figure, figure } from "../figure";
import { colours, palette } from "../theme";
import { addLegend, benchmarkChoices, keep, legendHeight, plotStyle } from "./common";

// The runs of one picture, by what tells them apart.
function groups(data: ReportData, shown: string): { label: (r: RunRecord) => string; records: RunRecord[] } {
  const trained = data.records.filter((r) => r.training && r.method === "neo" && r.purpose === "");
  if (shown === "ablations") {
    const titles = new Map(data.ablations.map((a) => [a.name, a.title]));
    return { label: (r) => titles.get(r.ablation) ?? r.ablation, records: trained.filter((r) => r.ablation !== "") };
  }
  return { label: (r) => `α = ${alphaText(r.alpha)}${r.preset === "fast" ? "" : `, ${r.preset}`}${r.grouped ? ", grouped" : ""}`, records: trained.filter((r) => isBenchmark(r) && r.benchmark === shown) };
}

export function explanationLengthFigure(data: ReportData): Figure {
  let shown = "";
  return figure({
    id: "explanation-length",
    title: "Mean explanation length over training",
    caption: "How many codes an explanation has, as a run learns; one line per seed. Dashed: the mean length of the hidden programs in training, where each program is as frequent as any other.",
    draw: (redraw, width) => {
      const trained = data.records.filter((r) => r.training && r.method === "neo" && r.purpose === "");
      if (trained.length === 0) return { controls: [], drawing: null };
      const choices = benchmarkChoices(trained.filter(isBenchmark));
      if (trained.some((r) => r.ablation !== "")) choices.push({ value: "ablations", title: "ablations" });
      shown = keep(shown, choices);
      const controls = [select("runs", choices, shown, (v) => ((shown = v), redraw()))];
      const { label, records } = groups(data, shown);
      const labels = unique(records.map(label)).sort();
      const colour = (name: string): string => palette[labels.indexOf(name) % palette.length]!;
      const points = records.flatMap((r) => r.training!.steps.map((step, i) => ({ step, length: r.training!.mean_length[i]!, run: r.name, label: label(r) })));
      const places = unique(records.map((r) => `${r.benchmark}|${r.alpha}`));
      const truths = data.training_lengths.filter((t) => places.includes(`${t.benchmark}|${t.alpha}`));
      const truthColour = (alpha: number): string => (shown === "ablations" ? colours().quiet : colour(`α = ${alphaText(alpha)}`));
      const svg = Plot.plot({
        width,
        height: 320,
        marginTop: legendHeight + 8,
        marginLeft: 52,
        marginBottom: 38,
        style: plotStyle(),
        x: { label: "step" },
        y: { label: "mean length", labelAnchor: "center", grid: true, domain: [Math.min(1, ...points.map((p) => p.length)), Math.max(...points.map((p) => p.length), ...truths.map((t) => t.mean_length)) * 1.05] },
        marks: [
          Plot.ruleY(truths, { y: "mean_length", stroke: (t) => truthColour(t.alpha), strokeDasharray: "5 4" }),
          Plot.lineY(points, { x: "step", y: "length", z: "run", stroke: (p) => colour(p.label), strokeWidth: 1.6, strokeOpacity: 0.85 }),
          Plot.tip(points, Plot.pointer({ x: "step", y: "length", maxRadius: 200, title: (p) => `${p.run}\nstep ${p.step}: ${p.length.toFixed(2)} codes` })),
        ],
      }) as SVGSVGElement;
      addLegend(svg, labels.map((title) => ({ title, colour: colour(title) })), 52);
      return { controls, drawing: { svg, runs: records.map((r) => r.name) } };
    },
  });
}
