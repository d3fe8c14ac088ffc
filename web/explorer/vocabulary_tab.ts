// What each code of a theory does: examples before and after, how often it is used, how codes relate.
import type { CodeReport, Model, Relation, Vocabulary } from "./api";
import { type Context, modelNamed, modelOf, readable, shownModels } from "./context";
import { h, replace } from "./dom";
import type { Drawable } from "../shared/pixels";
import { isText, isWide, picture, scaleOf } from "./pictures";

export function vocabularyTab(context: Context): HTMLElement {
  const tab = h("div", { class: "vocabulary" });
  let shown = "";
  let playing = false;

  const render = () => {
    const { state } = context.store;
    if (state.tab !== "vocabulary") return;
    const models = shownModels(context);
    const key = JSON.stringify(models);
    if (key === shown) return;
    shown = key;
    replace(tab, toolbar(), ...models.map((model) => section(context, model)));
    tab.classList.toggle("playing", playing);
  };

  const toolbar = () => {
    if (isText(modelOf(context).space)) return null;
    const button = h("button", { type: "button", id: "play", onclick: () => toggle() });
    const toggle = (change = true) => {
      if (change) playing = !playing;
      tab.classList.toggle("playing", playing);
      button.textContent = playing ? "Pause the examples" : "Play the examples";
    };
    toggle(false);
    return h("div", { class: "toolbar" }, button);
  };

  render();
  context.store.subscribe(render);
  return tab;
}

function section(context: Context, model: string): HTMLElement {
  const element = h(
    "section",
    { class: "panel", "aria-label": `Vocabulary of ${model}` },
    h("header", {}, h("h2", {}, `Vocabulary of ${model}`), h("span", { class: "spinner", "aria-label": "working" })),
    h("p", { class: "hint" }, "Trying every code on a few hundred inputs …"),
  );
  context.vocabularies.get(model).then(
    (vocabulary) => replace(element, ...content(context, modelNamed(context, model), vocabulary)),
    (error: Error) => replace(element, h("h2", {}, `Vocabulary of ${model}`), h("p", { class: "failure" }, error.message)),
  );
  return element;
}

function content(context: Context, model: Model, vocabulary: Vocabulary): (Node | null)[] {
  const nameOf = (code: number) => context.vocabularies.nameOf(model.id, code);
  return [
    h("header", {}, h("h2", {}, `Vocabulary of ${model.id}`)),
    h(
      "p",
      { class: "hint" },
      `${vocabulary.codes.length} codes in use. ` +
        (vocabulary.primitives.length > 0 ? `Some code acts as the true primitive on ${percent(vocabulary.primitiveness)} of the inputs (primitiveness). ` : "") +
        "The names say what the codes were seen to do; the theory never saw any.",
    ),
    h("div", { class: isWide(model.space) && isText(model.space) ? "cards wide" : "cards" }, ...vocabulary.codes.map((code) => card(model, vocabulary, code, nameOf))),
    alignment(vocabulary, nameOf),
  ];
}

type NameOf = (code: number) => string;

function card(model: Model, vocabulary: Vocabulary, report: CodeReport, nameOf: NameOf): HTMLElement {
  return h(
    "article",
    { class: "card" },
    h("h3", {}, nameOf(report.code)),
    h("div", { class: `examples ${isText(model.space) ? "texts" : "pictures"} ${model.space.layout}s` }, ...report.examples.map((example) => exampleOf(model, example))),
    h("p", { class: "fact" }, meter(report.usage), `${percent(report.usage)} of all steps`),
    report.primitive !== "" && h("p", { class: "fact" }, meter(report.agreement), `as ${readable(report.primitive)} on ${percent(report.agreement)}`),
    ...relations(vocabulary, report.code, nameOf).map((text) => h("p", { class: "fact relation" }, text)),
  );
}

export function exampleOf(model: Drawable, { before, after }: CodeReport["examples"][number]): HTMLElement {
  const scale = scaleOf(model.space, [before, after]);
  return h(
    "div",
    { class: "example" },
    h("div", { class: "before" }, picture(model, before, "before", scale)),
    h("div", { class: "arrow", "aria-hidden": "true" }, "→"),
    h("div", { class: "after" }, picture(model, after, "after", scale)),
  );
}

const meter = (share: number): HTMLElement => h("span", { class: "meter", style: `--share:${share}`, "aria-hidden": "true" });

function relations({ relations: r }: Vocabulary, code: number, nameOf: NameOf): string[] {
  const partner = (list: Relation[]) =>
    list.flatMap((entry) =>
      entry.code === code ? [nameOf(entry.others[0])] : entry.others[0] === code ? [nameOf(entry.code)] : [],
    );
  const texts: string[] = [];
  const say = (what: string, names: string[]) => names.length > 0 && texts.push(`${what} ${names.join(", ")}`);
  if (r.no_ops.includes(code)) texts.push("does nothing");
  say("undone by", partner(r.inverses));
  say("the same as", partner(r.duplicates));
  say("any order with", partner(r.commuting));
  for (const entry of r.composites.filter((c) => c.code === code)) texts.push(`the same as ${entry.others.map(nameOf).join(", then ")}`);
  return texts;
}

function alignment(vocabulary: Vocabulary, nameOf: NameOf): HTMLElement | null {
  if (vocabulary.primitives.length === 0) return null;
  const head = h("tr", {}, h("td"), ...vocabulary.primitives.map((name) => h("th", { scope: "col" }, readable(name))));
  const rows = vocabulary.codes.map(({ code }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, nameOf(code)),
      ...(vocabulary.alignment[code] ?? []).map((share) => h("td", { style: `--share:${share}` }, share === 0 ? "" : percent(share))),
    ),
  );
  return h(
    "details",
    { class: "alignment" },
    h("summary", {}, "Codes against true primitives"),
    h("p", { class: "hint" }, "On which share of the inputs a code does what a primitive does."),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Alignment table" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows))),
  );
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
