import * as Plot from "@observablehq/plot";
import { alphaText, isBenchmark, ReportData, RunRecord, unique } from "../data";
import { select } from "../dom";
import { Figure, figure } from "../figure";
import { colours, palette } from "../theme";
import { addLegend, benchmarkChoices, byDuration, keep, legendHeight, plotStyle } from "./common";

// Runs that share a picture.
interface Group {
  title: string;
  records: RunRecord[];
}

// By benchmark, and apart where they differ much in length; then the ablations.
function groupsOf(trained: RunRecord[]): Group[] {
  const groups = benchmarkChoices(trained.filter(isBenchmark)).flatMap(({ value, title }) => {
    const classes = byDuration(trained.filter((r) => isBenchmark(r) && r.benchmark === value));
    return classes.map((records) => ({ title: classes.length === 1 ? title : `${title}, up to ${Math.max(...records.map((r) => r.training!.steps.at(-1) ?? 0))} steps`, records }));
  });
  const ablations = byDuration(trained.filter((r) => r.ablation !== ""));
  return [...groups, ...ablations.map((records, i) => ({ title: i === 0 ? "ablations" : "ablations, longer runs", records }))];
}

const label = (data: ReportData, r: RunRecord): string =>
  r.ablation !== "" ? (data.ablations.find((a) => a.name === r.ablation)?.title ?? r.ablation) : `α = ${alphaText(r.alpha)}${r.preset === "fast" ? "" : `, ${r.preset}`}${r.grouped ? ", grouped" : ""}`;

export function explanationLengthFigure(data: ReportData): Figure {
  let shown = "";
  return figure({
    id: "explanation-length",
    title: "Mean explanation length over training",
    paper: "Figure 8",
    caption: "How many codes an explanation has, as a run learns; one line per seed. Dashed: the mean length of the hidden programs in training, where each program is as frequent as any other.",
    draw: (redraw, width) => {
      const trained = data.records.filter((r) => r.training && r.method === "neo" && r.purpose === "");
      if (trained.length === 0) return { controls: [], drawing: null };
      const groups = groupsOf(trained);
      const choices = groups.map(({ title }) => ({ value: title, title }));
      shown = keep(shown, choices);
      const controls = [select("runs", choices, shown, (v) => ((shown = v), redraw()))];
      const { records } = groups.find(({ title }) => title === shown)!;
      const labels = unique(records.map((r) => label(data, r))).sort();
      const colour = (name: string): string => palette[labels.indexOf(name) % palette.length]!;
      const points = records.flatMap((r) => r.training!.steps.map((step, i) => ({ step, length: r.training!.mean_length[i]!, run: r.name, label: label(data, r) })));
      const places = unique(records.map((r) => `${r.benchmark}|${r.alpha}`));
      const truths = data.training_lengths.filter((t) => places.includes(`${t.benchmark}|${t.alpha}`));
      const truthColour = (alpha: number): string => (records[0]!.ablation !== "" ? colours().quiet : colour(`α = ${alphaText(alpha)}`));
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
