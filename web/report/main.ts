import "../shared/theme.css";
import "./style.css";
import type { ReportData } from "./data";
import { benchmarkOf, benchmarkTitle, learnBenchmarks, unique } from "./data";
import { h } from "./dom";
import { type Figure, paperMark } from "./figure";
import { alignmentFigure } from "./figures/alignment";
import { codebookFigure } from "./figures/codebook";
import { explanationLengthFigure } from "./figures/explanation_length";
import { pathFigure } from "./figures/paths";
import { primitivenessFigure } from "./figures/primitiveness";
import { rolloutFigure } from "./figures/rollouts";
import { scalingFigure } from "./figures/scaling";
import { sweepFigure } from "./figures/sweeps";
import { temperatureFigure } from "./figures/temperature";
import { learnedSection } from "./learned";
import { ablationTable, costTable, resultTable, standings } from "./tables";
import { onThemeChange, toggleTheme } from "./theme";

const section = (id: string, title: string, paper: string | undefined, ...content: (HTMLElement | string | null)[]): HTMLElement =>
  h("section", { id }, h("h2", {}, title, paperMark(paper)), ...content);
const note = (text: string): HTMLElement => h("p", { class: "note" }, text);

function header(data: ReportData, links: [string, string][]): HTMLElement {
  return h(
    "header",
    {},
    h("div", { class: "title" }, h("h1", {}, "neo report"), h("p", { class: "quiet" }, `${data.records.length} evaluation records, neo ${data.version}`)),
    h("nav", {}, ...links.map(([id, title]) => h("a", { href: `#${id}` }, title))),
    h(
      "div",
      { class: "tools" },
      h("button", { type: "button", click: toggleTheme, id: "theme" }, "light / dark"),
      h("button", { type: "button", click: () => print() }, "print"),
    ),
  );
}

// What is measured where nothing is ever met exactly.
function errorOf(data: ReportData, benchmark: string): string {
  const space = benchmarkOf(benchmark)?.space ?? data.records.find((r) => r.benchmark === benchmark && r.space)?.space;
  return space?.kind === "real" ? "Root mean square distance" : "Mean L1 per pixel value on [0, 1]";
}

function build(data: ReportData): { content: HTMLElement[]; figures: Figure[] } {
  const figures = [
    primitivenessFigure(data),
    scalingFigure(data),
    temperatureFigure(data),
    rolloutFigure(data),
    pathFigure(data),
    alignmentFigure(data),
    explanationLengthFigure(data),
    codebookFigure(data),
    ...(data.records.some((r) => r.settings) ? [sweepFigure(data)] : []),
  ];
  const tables = data.results.map((table) =>
    section(
      `table-${table.benchmark}-${table.preset}`,
      `${benchmarkTitle(table.benchmark)}, ${table.preset} preset`,
      benchmarkOf(table.benchmark)?.paper?.results,
      table.less_is_better ? note(`${errorOf(data, table.benchmark)}; less is better.`) : null,
      resultTable(table),
    ),
  );
  const own = (data.learned ?? []).map(learnedSection);
  if (data.records.length === 0) return { content: own, figures: [] };
  const content = [
    ...own,
    section(
      "standing",
      "Against the published figures",
      undefined,
      note("Cells of NEO and NEO-S whose whole 95 % t-interval over the planned seeds is better (ahead) or worse (behind) than the better of the paper's and the release's figure."),
      standings(data),
    ),
    ...tables,
    note("Mean ± sample standard deviation over seeds; hover for every seed and the interval. Checkpoints are chosen by ID transfer, so ID is selection data."),
    ...unique(data.results.map((table) => table.benchmark)).flatMap((benchmark) => (benchmarkOf(benchmark)?.notes ?? []).map((text) => note(text.replace(/[*`]/g, "")))),
    data.records.some((r) => r.grouped) ? note("Grouped: training knew which pairs share a program.") : null,
    data.ablations.length > 0
      ? section("ablations", "Ablations", benchmarkOf(data.ablations[0]!.benchmark)?.paper?.ablations, note(`${benchmarkTitle(data.ablations[0]!.benchmark)}, α = ${data.ablations[0]!.alpha.toFixed(2)}, ${data.ablations[0]!.preset} preset.`), ablationTable(data.ablations))
      : null,
    section("cost", "Cost", unique(data.cost.map((row) => benchmarkOf(row.benchmark)?.paper?.cost ?? "")).filter(Boolean).join(", "), note("Wall clock, mean over seeds. Training: the median batch, and the whole run. Inference: one batch of the ID split."), costTable(data.cost)),
    section("figures", "Figures", undefined, ...figures.map((f) => f.element)),
  ].filter((part) => part !== null);
  return { content, figures };
}

const data = JSON.parse(document.getElementById("data")!.textContent!) as ReportData | string;
const page = document.getElementById("page")!;
if (typeof data === "string") {
  page.append(note("This page has no data; `neo report` fills it."));
} else {
  learnBenchmarks(data);
  const { content, figures } = build(data);
  const own = (data.learned ?? []).map(({ name }): [string, string] => [`own-${name}`, name]);
  const links: [string, string][] = data.records.length === 0 ? own : [
    ...own,
    ["standing", "standing"],
    ...data.results.map((t): [string, string] => [`table-${t.benchmark}-${t.preset}`, benchmarkTitle(t.benchmark) + (t.preset === "fast" ? "" : ` (${t.preset})`)]),
    ...(data.ablations.length > 0 ? [["ablations", "ablations"] as [string, string]] : []),
    ["cost", "cost"],
    ["figures", "figures"],
  ];
  page.append(header(data, links), ...content);
  const redraw = (): void => figures.forEach((f) => f.redraw());
  redraw();
  onThemeChange(redraw);
  // Paper is white, whatever the screen shows.
  let before: string | undefined;
  addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    redraw();
  });
  addEventListener("afterprint", () => {
    if (before === undefined) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = before;
    redraw();
  });
  let width = page.clientWidth;
  addEventListener("resize", () => {
    if (page.clientWidth === width) return;
    width = page.clientWidth;
    redraw();
  });
}
