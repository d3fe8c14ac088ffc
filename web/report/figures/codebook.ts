import * as Plot from "@observablehq/plot";
import { ReportData, RunRecord } from "../data";
import { select } from "../dom";
import { Figure, figure } from "../figure";
import { palette } from "../theme";
import { addLegend, keep, legendHeight, plotStyle, runChoices } from "./common";

// What a code turned out to be: the primitive it matches best, if it does.
function meaning(record: RunRecord, code: number): string {
  const shares = record.vocabulary?.alignment?.[code];
  if (!shares || shares.length === 0) return "";
  const best = shares.indexOf(Math.max(...shares));
  return shares[best]! > 0.5 ? ` ${record.vocabulary!.primitives[best]}` : "";
}

export function codebookFigure(data: ReportData): Figure {
  const records = data.records.filter((r) => r.training?.usage?.some((u) => u.length > 1) && r.purpose === "");
  let run = "";
  return figure({
    id: "codebook",
    title: "Use of the codebook over training",
    caption: "The share of each code among all codes of the explanations, as a run learns. A code that turned out to be a primitive bears its name.",
    draw: (redraw, width) => {
      if (records.length === 0) return { controls: [], drawing: null };
      const runs = runChoices(records);
      run = keep(run, runs);
      const record = records.find((r) => r.name === run)!;
      const training = record.training!;
      const codes = training.usage[0]!.map((_, code) => code);
      const total = codes.map((code) => training.usage.reduce((sum, shares) => sum + (shares[code] ?? 0), 0));
      const named = codes.filter((code) => total[code]! > 0);
      const points = training.steps.flatMap((step, i) => codes.map((code) => ({ step, code, share: training.usage[i]![code] ?? 0, perplexity: training.perplexity[i]! })));
      const colour = (code: number): string => palette[code % palette.length]!;
      const legend = named.slice().sort((a, b) => total[b]! - total[a]!).slice(0, 8).sort((a, b) => a - b);
      const svg = Plot.plot({
        width,
        height: 300,
        marginTop: legendHeight + 8,
        marginLeft: 52,
        marginBottom: 38,
        style: plotStyle(),
        x: { label: "step" },
        y: { label: "share", labelAnchor: "center", domain: [0, 1], grid: true },
        marks: [
          Plot.areaY(points, Plot.stackY({ x: "step", y: "share", z: "code", order: "code", fill: (p) => colour(p.code), fillOpacity: 0.85 })),
          Plot.ruleX(points, Plot.pointerX({ x: "step", stroke: "currentColor", strokeOpacity: 0.5 })),
          Plot.tip(
            training.steps.map((step, i) => ({ step, i })),
            Plot.pointerX({
              x: "step",
              y: () => 0.5,
              title: (p) =>
                [`step ${p.step}, perplexity ${training.perplexity[p.i]!.toFixed(2)}`, ...named.filter((code) => training.usage[p.i]![code]! >= 0.005).map((code) => `z${code}${meaning(record, code)}: ${(100 * training.usage[p.i]![code]!).toFixed(1)} %`)].slice(0, 14).join("\n"),
            }),
          ),
        ],
      }) as SVGSVGElement;
      addLegend(svg, legend.map((code) => ({ title: `z${code}${meaning(record, code)}`, colour: colour(code) })), 52);
      return { controls: [select("run", runs, run, (v) => ((run = v), redraw()))], drawing: { svg, runs: [record.name] } };
    },
  });
}
