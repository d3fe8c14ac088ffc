// The tables, laid out as in the paper: a row per method, two columns per split.
import type { AblationRow, CostRow, Estimate, ReportData, ResultCell, ResultTable } from "./data";
import { alphaText, benchmarkTitle, methodName, splitTitle, unique } from "./data";
import { h } from "./dom";

const digits = (table: { less_is_better?: boolean }): number => (table.less_is_better ? 4 : 3);

// Wide tables scroll, by keys as well.
export const scrolling = (label: string, table: HTMLElement): HTMLElement => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);

function seedText(estimate: Estimate): string {
  const seeds = estimate.seeds.map((s) => `seed ${s.seed}: ${s.value.toFixed(4)}`).join("\n");
  if (estimate.seeds.length === 1) return seeds;
  return `${seeds}\nmean ${estimate.mean.toFixed(4)} ± ${estimate.deviation.toFixed(4)}\n95 % interval ${estimate.low.toFixed(4)} … ${estimate.high.toFixed(4)}`;
}

function value(estimate: Estimate | null, places: number): HTMLElement {
  if (!estimate) return h("span", { class: "missing" }, "missing");
  const spread = estimate.seeds.length > 1 ? ` ± ${estimate.deviation.toFixed(places)}` : "";
  return h("span", { title: seedText(estimate) }, estimate.mean.toFixed(places), h("span", { class: "spread" }, spread));
}

// Figures as they were published: two places for the paper's images, else three.
const given = (figure: number, table: ResultTable, source: string): string => `${source} ${figure.toFixed(table.less_is_better && source === "paper" ? 2 : 3)}`;

const published = (text: string): HTMLElement | null => (text ? h("div", { class: "published" }, text) : null);

const marks = { ahead: "▲", equal: "=", behind: "▼" } as const;

// What a cell shows besides its value: the clean split's, where there is one.
const cleanLine = (estimate: Estimate | null | undefined, places: number): HTMLElement | null =>
  estimate ? h("div", { class: "published", title: seedText(estimate) }, `clean split ${estimate.mean.toFixed(places)}`) : null;

function transferCell(cell: ResultCell, table: ResultTable, clean: ResultCell | undefined): HTMLElement {
  const parts: string[] = [];
  if (cell.paper !== null) parts.push(given(cell.paper, table, "paper"));
  if (cell.release !== null) parts.push(given(cell.release, table, "release"));
  const mark = cell.verdict ? h("span", { class: cell.verdict, title: `${cell.verdict} of the better published figure` }, ` ${marks[cell.verdict]}`) : null;
  return h("td", {}, value(cell.transfer, digits(table)), mark, published(parts.join(" · ")), cleanLine(clean?.transfer, digits(table)));
}

function selfCell(cell: ResultCell, table: ResultTable, clean: ResultCell | undefined): HTMLElement {
  const paper = cell.paper_self === null ? "" : given(cell.paper_self, table, "paper");
  return h("td", {}, value(cell.self, digits(table)), published(paper), cleanLine(clean?.self, digits(table)));
}

function headRow(splits: string[]): HTMLElement {
  const top = h("tr", {}, h("th", { rowspan: "2" }, "α"), h("th", { rowspan: "2" }, "method"));
  const below = h("tr");
  for (const split of splits) {
    top.append(h("th", { colspan: "2" }, splitTitle(split), split === "id" ? h("span", { class: "note" }, " selection data") : null));
    below.append(h("th", {}, "self-expl."), h("th", {}, "transfer"));
  }
  return h("thead", {}, top, below);
}

export function resultTable(table: ResultTable): HTMLElement {
  const splits = unique(["id", "comp", "length", ...table.cells.map((c) => c.split)]).filter((split) => split !== "id-clean" && table.cells.some((c) => c.split === split));
  const body = h("tbody");
  for (const alpha of unique(table.cells.map((c) => c.alpha))) {
    const ofAlpha = table.cells.filter((c) => c.alpha === alpha);
    const rowOf = (c: ResultCell): string => methodName(c.method, c.grouped);
    const methods = unique(ofAlpha.map(rowOf)).filter((m) => ofAlpha.some((c) => rowOf(c) === m && (c.self || c.transfer || c.paper !== null)));
    methods.forEach((method, i) => {
      const row = h("tr", { class: i === 0 ? "first" : "" }, i === 0 ? h("th", { rowspan: String(methods.length), scope: "rowgroup" }, alphaText(alpha)) : null);
      const cells = ofAlpha.filter((c) => rowOf(c) === method);
      row.append(h("th", { scope: "row", class: method.startsWith("neo") ? "ours" : "" }, cells[0]!.title));
      for (const split of splits) {
        const cell = cells.find((c) => c.split === split);
        const clean = split === "id" ? cells.find((c) => c.split === "id-clean") : undefined;
        if (cell) row.append(selfCell(cell, table, clean), transferCell(cell, table, clean));
        else row.append(h("td", {}, "·"), h("td", {}, "·"));
      }
      body.append(row);
    });
  }
  return scrolling(`Results of ${benchmarkTitle(table.benchmark)}, ${table.preset} preset`, h("table", { class: "results" }, headRow(splits), body));
}

export function standings(data: ReportData): HTMLElement {
  const cards = data.results.map((table) => {
    const compared = table.cells.filter((c) => c.method.startsWith("neo") && (c.paper !== null || c.release !== null));
    const count = (verdict: string): number => compared.filter((c) => c.verdict === verdict).length;
    const missing = compared.filter((c) => !c.transfer).length;
    const line = (kind: string, number: number): HTMLElement => h("div", { class: kind }, h("b", {}, String(number)), ` ${kind}`);
    return h(
      "div",
      { class: "card" },
      h("h3", {}, benchmarkTitle(table.benchmark)),
      h("p", { class: "quiet" }, `${table.preset} preset`),
      h("div", { class: "counts" }, line("ahead", count("ahead")), line("equal", count("equal")), line("behind", count("behind")), line("missing", missing)),
    );
  });
  return h("div", { class: "cards" }, ...cards);
}

export function ablationTable(rows: AblationRow[]): HTMLElement {
  const splits = rows[0]!.splits.map((s) => s.split);
  const top = h("tr", {}, h("th", { rowspan: "2" }, "variant"), h("th", { rowspan: "2" }, "hard grounding"), h("th", { rowspan: "2" }, "primitiveness"));
  const below = h("tr");
  for (const split of splits) {
    top.append(h("th", { colspan: "2" }, splitTitle(split)));
    below.append(h("th", {}, "self-expl."), h("th", {}, "transfer"));
  }
  const body = h("tbody");
  rows.forEach((r, i) => {
    const first = i > 0 && rows[i - 1]!.hard_grounding !== r.hard_grounding;
    const paper = (figure: number | null): HTMLElement | null => published(figure === null ? "" : `paper ${figure.toFixed(3)}`);
    const row = h("tr", { class: first ? "first" : "" }, h("th", { scope: "row" }, r.title), h("td", {}, r.hard_grounding ? "on" : "off"), h("td", {}, value(r.primitiveness, 3), paper(r.paper_primitiveness)));
    for (const s of r.splits) row.append(h("td", {}, value(s.self, 3), paper(s.paper_self)), h("td", {}, value(s.transfer, 3), paper(s.paper)));
    body.append(row);
  });
  return scrolling("Results of ablations", h("table", { class: "results" }, h("thead", {}, top, below), body));
}

function costCell(estimate: Estimate | null, paper: number | null, places: number): HTMLElement {
  if (!estimate && paper === null) return h("td", {}, "–");
  const format = (v: number): string => v.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
  const ours = estimate ? h("span", { title: seedText(estimate) }, format(estimate.mean)) : h("span", { class: "missing" }, "missing");
  return h("td", {}, ours, published(paper === null ? "" : `paper ${format(paper)}`));
}

export function costTable(rows: CostRow[]): HTMLElement {
  const head = ["data", "method", "draws", "training, ms per batch", "training, seconds", "inference, ms per batch", "batch: train, inference", "measured on", "paper's GPU"];
  const body = h("tbody");
  let before = "";
  for (const r of rows) {
    const group = `${benchmarkTitle(r.benchmark)}, ${r.preset}`;
    const measured = r.inference_ms !== null;
    body.append(
      h(
        "tr",
        { class: group === before ? "" : "first" },
        group === before ? h("td", {}) : h("th", { scope: "row" }, group),
        h("th", { class: r.method.startsWith("neo") ? "ours" : "" }, r.title),
        h("td", {}, String(r.budget)),
        costCell(r.train_ms, r.paper_train_ms, 1),
        costCell(r.train_seconds, r.paper_train_seconds, 0),
        costCell(r.inference_ms, r.paper_inference_ms, 1),
        h("td", {}, measured ? `${r.train_batch || "–"}, ${r.inference_batch}` : "–"),
        h("td", { class: "machine" }, measured ? r.machine : "–"),
        h("td", { class: "machine" }, r.paper_machine || "–"),
      ),
    );
    before = group;
  }
  return scrolling("Cost of methods", h("table", { class: "results cost" }, h("thead", {}, h("tr", {}, ...head.map((text) => h("th", {}, text)))), body));
}
