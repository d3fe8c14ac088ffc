import * as Plot from "@observablehq/plot";
import { alphaText, benchmarkTitle, groupBy, type ReportData, type RunRecord, splitTitle, unique } from "../data";
import { select } from "../dom";
import { type Figure, figure } from "../figure";
import { palette } from "../theme";
import { keep, plotStyle } from "./common";

interface Point {
  run: string;
  seed: number;
  value: string; // of the setting
  result: number;
}
interface Sweep {
  title: string;
  setting: string;
  records: { record: RunRecord; value: string }[];
}

// Records that differ from the preset in one and the same setting.
function sweepsOf(data: ReportData): Sweep[] {
  const varied = data.records.flatMap((record) => {
    const [, setting, value] = /^([^=,]+)=([^=]+)$/.exec(record.settings ?? "") ?? [];
    return setting && value ? [{ record, setting, value }] : [];
  });
  const groups = groupBy(varied, ({ record: r, setting }) => [r.benchmark, r.preset, r.method, r.alpha, r.grouped, setting].join("|"));
  return groups.map((group) => {
    const { record: r, setting } = group[0]!;
    return { title: `${setting}, ${benchmarkTitle(r.benchmark)} α = ${alphaText(r.alpha)}, ${r.preset}${r.grouped ? ", grouped" : ""}`, setting, records: group };
  });
}

const order = (a: string, b: string): number => Number(a) - Number(b) || a.localeCompare(b);

// Of the headline evaluation: the largest budget.
function resultOf(record: RunRecord, measure: string): number | null {
  if (measure === "primitiveness") return record.vocabulary?.primitiveness ?? null;
  const rows = record.rows.filter((row) => row.split === measure && row.method === record.method);
  return rows.sort((a, b) => b.budget - a.budget)[0]?.transfer ?? null;
}

export function sweepFigure(data: ReportData): Figure {
  let chosen = "";
  let measure = "";
  return figure({
    id: "sweeps",
    title: "Sweeps over a setting",
    caption: "What a setting changes when everything else is the preset's: a dot for each seed, the line through their means. Development seeds: sweeps choose recipes, they are no results.",
    draw: (redraw, width) => {
      const sweeps = sweepsOf(data);
      if (sweeps.length === 0) return { controls: [], drawing: null };
      const choices = sweeps.map(({ title }) => ({ value: title, title }));
      chosen = keep(chosen, choices);
      const sweep = sweeps.find(({ title }) => title === chosen)!;
      const splits = unique(sweep.records.flatMap(({ record }) => record.rows.map((row) => row.split)));
      const measures = [...splits.map((split) => ({ value: split, title: `transfer, ${splitTitle(split)}` })), { value: "primitiveness", title: "primitiveness" }];
      measure = keep(measure, measures);
      const controls = [select("setting", choices, chosen, (v) => ((chosen = v), redraw())), select("measure", measures, measure, (v) => ((measure = v), redraw()))];
      const points: Point[] = sweep.records.flatMap(({ record, value }) => {
        const result = resultOf(record, measure);
        return result === null ? [] : [{ run: record.name, seed: record.seed, value, result }];
      });
      if (points.length === 0) return { controls, drawing: null };
      const means = groupBy(points, (p) => p.value).map((same) => ({ value: same[0]!.value, result: same.reduce((sum, p) => sum + p.result, 0) / same.length }));
      const values = unique(points.map((p) => p.value)).sort(order);
      const svg = Plot.plot({
        width,
        height: 300,
        marginLeft: 52,
        marginBottom: 40,
        style: plotStyle(),
        x: { type: "point", domain: values, label: sweep.setting },
        y: { label: measures.find(({ value }) => value === measure)!.title, labelAnchor: "center", grid: true },
        marks: [
          Plot.lineY(means.sort((a, b) => order(a.value, b.value)), { x: "value", y: "result", stroke: palette[0] }),
          Plot.dot(points, { x: "value", y: "result", fill: palette[0], fillOpacity: 0.6, r: 4 }),
          Plot.tip(points, Plot.pointer({ x: "value", y: "result", title: (p: Point) => `${sweep.setting} = ${p.value}, seed ${p.seed}: ${p.result.toFixed(4)}\n${p.run}` })),
        ],
      }) as SVGSVGElement;
      return { controls, drawing: { svg, runs: points.map((p) => p.run) } };
    },
  });
}
