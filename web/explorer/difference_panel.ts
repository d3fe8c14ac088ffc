// Two theories on the same pair: where their programs and their results part.
import { columnsOf, difference, parse, serialize, type Space } from "../shared/observations";
import type { Run } from "./api";
import { type Context, modelNamed, shownModels } from "./context";
import { h, replace } from "./dom";
import { figure, scaleOf } from "./pictures";
import { agrees, shortNumber } from "./trace";

export function differencePanel(context: Context): HTMLElement {
  const panel = h("section", { class: "panel difference", "aria-labelledby": "difference-title", hidden: true });
  let drawn = "";
  const render = () => {
    const models = shownModels(context);
    const entries = models.map((model) => context.explanations.get(model));
    const ready = models.length === 2 && entries.every(({ status, answer }) => status === "ready" && answer);
    panel.hidden = !ready;
    if (!ready) return;
    const key = JSON.stringify([models, entries.map(({ answer }) => answer!.explanation.run), models.map((model, i) => programOf(context, model, entries[i]!.answer!.explanation.run))]);
    if (key === drawn) return;
    drawn = key;
    replace(panel, h("h2", { id: "difference-title" }, "Where they differ"), table(context, models), ...results(context, models));
  };
  render();
  context.store.subscribe(render);
  context.explanations.subscribe(render);
  context.vocabularies.subscribe(render);
  return panel;
}

const programOf = (context: Context, model: string, run: Run): string => run.codes.map((code) => context.vocabularies.nameOf(model, code)).join(" → ");

function table(context: Context, models: string[]): HTMLElement {
  const { y } = context.store.state;
  const rows = models.map((model) => {
    const { answer } = context.explanations.get(model);
    const { run } = answer!.explanation;
    const met = agrees(modelNamed(context, model), run, { text: y, floor: answer!.floor });
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, model),
      h("td", {}, programOf(context, model, run)),
      h("td", {}, run.codes.length),
      h("td", {}, met ? "yes" : "no"),
      h("td", {}, shortNumber(difference(modelNamed(context, model).space, run.trace.at(-1)!, y))),
    );
  });
  const head = ["theory", "program", "steps", "explains y", "distance from y"].map((text) => h("th", { scope: "col" }, text));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The two programs" }, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
}

function results(context: Context, models: string[]): HTMLElement[] {
  const model = modelNamed(context, models[0]!);
  const { space } = model;
  const [a, b] = models.map((name) => context.explanations.get(name).answer!.explanation.run.trace.at(-1)!) as [string, string];
  if (a === b) return [h("p", { class: "hint" }, "Both make the same of x.")];
  const scale = scaleOf(space, [a, b]);
  return [
    h("p", { class: "hint" }, sentence(space, a, b)),
    h("div", { class: `goal ${space.layout}s` }, figure(model, a, models[0]!, scale), figure(model, b, models[1]!, scale), figure(model, contrast(space, a, b), "only what differs")),
  ];
}

function sentence(space: Space, a: string, b: string): string {
  if (space.kind !== "categorical") return `Their results are ${shortNumber(difference(space, a, b))} apart.`;
  const [one, other] = [parse(space, a)!, parse(space, b)!];
  const at = one.flatMap((value, i) => (value === other[i] ? [] : [i]));
  const place = (i: number) => (space.layout === "grid" && space.shape.length === 2 ? `row ${Math.floor(i / columnsOf(space)) + 1}, column ${(i % columnsOf(space)) + 1}` : String(i + 1));
  const some = at.slice(0, 6).map(place).join("; ");
  return `Their results differ in ${at.length} of ${one.length} places: ${some}${at.length > 6 ? "; …" : ""}.`;
}

/** What the second has where the two differ, nothing elsewhere; of pixels and numbers, how far they are apart. */
function contrast(space: Space, a: string, b: string): string {
  const [one, other] = [parse(space, a)!, parse(space, b)!];
  const isAlpha = (i: number) => space.kind === "pixels" && space.shape[2] === 4 && i % 4 === 3;
  return serialize(
    space,
    one.map((value, i) => {
      if (space.kind === "categorical") return value === other[i] ? 0 : other[i]!;
      if (isAlpha(i)) return 255;
      return space.kind === "pixels" ? Math.abs(value - other[i]!) : other[i]! - value;
    }),
  );
}
