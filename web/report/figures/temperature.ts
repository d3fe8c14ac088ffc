import * as Plot from "@observablehq/plot";
import { RunRecord, ReportData, splitTitle, unique } from "../data";
import { select } from "../dom";
import { Figure, figure } from "../figure";
import { heat, keep, plotStyle, runChoices } from "./common";

const sampled = (r: RunRecord): RunRecord["rows"] => r.rows.filter((row) => row.method === "neo-s" && row.temperature > 0);

export function temperatureFigure(data: ReportData): Figure {
  const records = data.records.filter((r) => unique(sampled(r).map((row) => row.temperature)).length > 1);
  let run = "";
  let split = "length";
  return figure({
    id: "temperature",
    title: "Temperature and budget of NEO-S",
    paper: "Figure 20",
    caption: "Transfer of NEO-S for every number of draws and sampling temperature: higher temperatures try more different programs, which pays off where the budget is large.",
    draw: (redraw, width) => {
      if (records.length === 0) return { controls: [], drawing: null };
      const runs = runChoices(records);
      run = keep(run, runs);
      const record = records.find((r) => r.name === run)!;
      const splits = unique(sampled(record).map((r) => r.split)).map((value) => ({ value, title: splitTitle(value) }));
      split = keep(split, splits);
      const controls = [select("run", runs, run, (v) => ((run = v), redraw())), select("split", splits, split, (v) => ((split = v), redraw()))];
      const rows = sampled(record).filter((r) => r.split === split);
      const { range, textOn } = heat();
      const svg = Plot.plot({
        width,
        height: 54 + 40 * unique(rows.map((r) => r.temperature)).length,
        marginLeft: 60,
        marginTop: 8,
        marginBottom: 42,
        style: plotStyle(),
        x: { type: "band", label: "programs drawn", padding: 0.04 },
        y: { type: "band", label: "temperature", padding: 0.04, reverse: true },
        color: { type: "linear", domain: [0, 1], range },
        marks: [
          Plot.cell(rows, { x: "budget", y: "temperature", fill: "transfer", rx: 3 }),
          Plot.text(rows, { x: "budget", y: "temperature", text: (r) => r.transfer.toFixed(2), fill: (r) => textOn(r.transfer), fontSize: 11 }),
          Plot.tip(rows, Plot.pointer({ x: "budget", y: "temperature", title: (r) => `temperature ${r.temperature}, ${r.budget} draws (${r.calls} calls)\ntransfer ${r.transfer.toFixed(4)}\nself-explanation ${r.self.toFixed(4)}` })),
        ],
      }) as SVGSVGElement;
      return { controls, drawing: { svg, runs: [record.name] } };
    },
  });
}
