import * as Plot from "@observablehq/plot";
import { alphaText, ReportData, worldTitle } from "../data";
import { Figure, figure } from "../figure";
import { colours, methodColour } from "../theme";
import { addLegend, legendHeight, plotStyle } from "./common";

export function primitivenessFigure(data: ReportData): Figure {
  return figure({
    id: "primitiveness",
    title: "Primitiveness of the learnt codes",
    caption:
      "The share of (input, primitive) pairs that some code maps exactly as the primitive does (images: for which that primitive is the nearest), mean over seeds; dots: each seed. Beside it the share of primitives that training shows on their own: whoever only memorises what it sees cannot exceed it.",
    draw: (_, width) => {
      const rows = data.primitiveness.filter((r) => r.primitiveness);
      if (rows.length === 0) return { controls: [], drawing: null };
      const place = (r: (typeof rows)[number]): string => `${worldTitle(r.world)}${r.preset === "fast" ? "" : ` (${r.preset})`} ${alphaText(r.alpha)}`;
      const bars = rows.flatMap((r) => [
        { place: place(r), kind: "shown", value: r.shown },
        { place: place(r), kind: "NEO", value: r.primitiveness!.mean },
      ]);
      const seeds = rows.flatMap((r) => r.primitiveness!.seeds.map((s) => ({ ...s, place: place(r), kind: "NEO" })));
      const grey = "#a9b0ba";
      const svg = Plot.plot({
        width,
        height: 300,
        marginTop: legendHeight + 8,
        marginLeft: 52,
        marginBottom: 42,
        style: plotStyle(),
        x: { axis: null, domain: ["shown", "NEO"], padding: 0.1 },
        fx: { label: null, padding: 0.25, domain: rows.map(place), tickFormat: (text: string) => text.replace(/ (?=\S+$)/, "\n") },
        y: { domain: [0, 1], label: "primitiveness", labelAnchor: "center", grid: true },
        marks: [
          Plot.barY(bars, { fx: "place", x: "kind", y: "value", fill: (b) => (b.kind === "NEO" ? methodColour("neo") : grey) }),
          Plot.dot(seeds, { fx: "place", x: "kind", y: "value", r: 3, fill: colours().ink }),
          Plot.ruleY([0]),
          Plot.tip(bars, Plot.pointerX({ fx: "place", x: "kind", y: "value", title: (b) => `${b.place}\n${b.kind === "NEO" ? "NEO" : "shown alone in training"}: ${b.value.toFixed(4)}` })),
        ],
      }) as SVGSVGElement;
      addLegend(svg, [
        { title: "NEO", colour: methodColour("neo") },
        { title: "shown alone in training", colour: grey },
      ], 52);
      return { controls: [], drawing: { svg, runs: seeds.map((s) => s.run) } };
    },
  });
}
