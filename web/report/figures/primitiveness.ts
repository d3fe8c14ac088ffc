import * as Plot from "@observablehq/plot";
import { alphaText, benchmarkTitle, ReportData, unique } from "../data";
import { Figure, figure } from "../figure";
import { colours, methodColour } from "../theme";
import { addLegend, legendHeight, plotStyle } from "./common";

export function primitivenessFigure(data: ReportData): Figure {
  return figure({
    id: "primitiveness",
    title: "Primitiveness of the learned codes",
    paper: "Figure 7",
    caption:
      "The share of (input, primitive) pairs that some code maps exactly as the primitive does (images: for which that primitive is the nearest), mean over seeds; dots: each seed. Beside it the share of primitives that training shows on their own: a method that only memorises what it sees cannot exceed it.",
    draw: (_, width) => {
      const rows = data.primitiveness.filter((r) => r.primitiveness);
      if (rows.length === 0) return { controls: [], drawing: null };
      const place = (r: (typeof rows)[number]): string => `${benchmarkTitle(r.benchmark)}${r.preset === "fast" ? "" : ` (${r.preset})`} ${alphaText(r.alpha)}`;
      const grey = "#a9b0ba";
      const shown = "shown alone in training";
      const titles = unique(rows.map((r) => r.title));
      const colourOf = (kind: string): string => (kind === shown ? grey : methodColour(rows.find((r) => r.title === kind)!.method));
      const bars = [
        ...unique(rows.map(place)).flatMap((at) => {
          const value = rows.find((r) => place(r) === at)!.shown;
          return value === null ? [] : [{ place: at, kind: shown, value }];
        }),
        ...rows.map((r) => ({ place: place(r), kind: r.title, value: r.primitiveness!.mean })),
      ];
      const seeds = rows.flatMap((r) => r.primitiveness!.seeds.map((s) => ({ ...s, place: place(r), kind: r.title })));
      const svg = Plot.plot({
        width,
        height: 300,
        marginTop: legendHeight + 8,
        marginLeft: 52,
        marginBottom: 42,
        style: plotStyle(),
        x: { axis: null, domain: [shown, ...titles], padding: 0.1 },
        fx: { label: null, padding: 0.25, domain: unique(rows.map(place)), tickFormat: (text: string) => text.replace(/ (?=\S+$)/, "\n") },
        y: { domain: [0, 1], label: "primitiveness", labelAnchor: "center", grid: true },
        marks: [
          Plot.barY(bars, { fx: "place", x: "kind", y: "value", fill: (b) => colourOf(b.kind) }),
          Plot.dot(seeds, { fx: "place", x: "kind", y: "value", r: 3, fill: colours().ink }),
          Plot.ruleY([0]),
          Plot.tip(bars, Plot.pointerX({ fx: "place", x: "kind", y: "value", title: (b) => `${b.place}\n${b.kind}: ${b.value.toFixed(4)}` })),
        ],
      }) as SVGSVGElement;
      addLegend(svg, [shown, ...titles].map((title) => ({ title, colour: colourOf(title) })), 52);
      return { controls: [], drawing: { svg, runs: seeds.map((s) => s.run) } };
    },
  });
}
