import * as Plot from "@observablehq/plot";
import { ReportData } from "../data";
import { select } from "../dom";
import { Figure, figure } from "../figure";
import { heat, keep, plotStyle, runChoices } from "./common";

export function alignmentFigure(data: ReportData): Figure {
  const records = data.records.filter((r) => (r.vocabulary?.alignment?.length ?? 0) > 0 && r.purpose === "");
  let run = "";
  return figure({
    id: "alignment",
    title: "Codes and primitives",
    paper: "Figures 9 to 18",
    caption: "The share of inputs on which a code (row) does exactly what a true primitive (column) does; for images: to which it is nearest. No-op: it leaves the input as it is. One strong cell per column is a vocabulary of primitives.",
    draw: (redraw, width) => {
      if (records.length === 0) return { controls: [], drawing: null };
      const runs = runChoices(records);
      run = keep(run, runs);
      const record = records.find((r) => r.name === run)!;
      const { primitives, alignment, no_op } = record.vocabulary!;
      const columns = [...primitives, "no-op"];
      const cells = alignment.flatMap((shares, code) => columns.map((primitive, i) => ({ code: `z${code}`, primitive, share: (i < primitives.length ? shares[i] : no_op[code]) ?? 0 })));
      const { range, textOn } = heat();
      const row = alignment.length > 16 ? 20 : 30;
      const svg = Plot.plot({
        width: Math.min(width, 110 + 100 * columns.length),
        height: 60 + row * alignment.length,
        marginTop: 34,
        marginLeft: 44,
        marginBottom: 8,
        style: plotStyle(),
        x: { type: "band", domain: columns, axis: null, padding: 0.04 },
        y: { type: "band", domain: alignment.map((_, code) => `z${code}`), label: null, padding: 0.06 },
        color: { type: "linear", domain: [0, 1], range },
        marks: [
          Plot.axisX({ anchor: "top", label: null, fontSize: columns.length > 6 ? 10 : 12, tickSize: 0 }),
          Plot.cell(cells, { x: "primitive", y: "code", fill: "share", rx: 3 }),
          Plot.text(cells.filter((c) => c.share >= 0.005), { x: "primitive", y: "code", text: (c) => c.share.toFixed(2), fill: (c) => textOn(c.share), fontSize: 11 }),
          Plot.tip(cells, Plot.pointer({ x: "primitive", y: "code", title: (c) => `${c.code} as ${c.primitive}: ${c.share.toFixed(4)}` })),
        ],
      }) as SVGSVGElement;
      return { controls: [select("run", runs, run, (v) => ((run = v), redraw()))], drawing: { svg, runs: [record.name] } };
    },
  });
}
