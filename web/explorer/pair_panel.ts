// The pair (x, y) to explain: drawn, typed, loaded, or an example.
import { columnsOf, emptyObservation, rowsOf, sameSpace, type Space } from "../shared/observations";
import { api, type Model } from "./api";
import { type Context, modelNamed, modelOf, readable } from "./context";
import { h, replace } from "./dom";
import { makeEditor } from "./editor";
import { palette } from "./grid_brush";
import { paintTools } from "./image_brush";
import { attempt } from "./notices";
import { isWide } from "./pictures";
import type { State } from "./state";

const kLength = 2; // of the hidden programs that one begins with

export function pairPanel(context: Context): HTMLElement {
  const { store } = context;
  const panel = h("section", { class: "panel pair", "aria-labelledby": "pair-title" });
  let length = kLength;

  const build = () => {
    const model = modelOf(context);
    const { space } = model;
    const { explanations } = context;
    for (const field of ["x", "y"] as const) explanations.setProblem(field, "");
    const x = makeEditor(model, { label: "Before (x)", onChange: (text) => store.setPair({ x: text }), onProblem: (message) => explanations.setProblem("x", message) });
    const y = makeEditor(model, { label: "After (y)", onChange: (text) => store.setPair({ y: text }), onProblem: (message) => explanations.setProblem("y", message) });
    const hidden = h("div");
    const show = () => {
      x.set(store.state.x);
      y.set(store.state.y);
      if (hidden.dataset.program === store.state.program) return;
      hidden.dataset.program = store.state.program;
      replace(hidden, hiddenProgram());
    };
    show();
    replace(
      panel,
      h("h2", { id: "pair-title" }, "A pair"),
      h("p", { class: "hint" }, hintOf(space)),
      h("div", { class: "toolbar" }, ...sampleTools(model.longest)),
      space.layout === "grid" && palette(model),
      space.layout === "image" && paintTools(space),
      h(
        "div",
        { class: `editors ${space.layout}s ${isWide(space) ? "wide" : ""}` },
        h("div", { class: "editor" }, h("h3", {}, "before, x"), x.element),
        h("div", { class: "editor" }, h("h3", {}, "after, y"), y.element),
      ),
      h("div", { class: "toolbar" }, ...pairTools()),
      model.primitives.length > 0 && trueOperations(model.primitives),
      hidden,
    );
    return show;
  };

  const sampleTools = (longest: number) => {
    const select = h("select", {
      id: "sample-length",
      "aria-label": "Length of the hidden program",
      onchange: () => (length = Number(select.value)),
    });
    length = Math.min(length, longest);
    for (let i = 1; i <= longest; ++i)
      select.append(h("option", { value: i, selected: i === length }, `${i} hidden step${i > 1 ? "s" : ""}`));
    return [
      h("button", { type: "button", class: "primary", id: "new-sample", onclick: () => void newSample(context, length) }, "Another example"),
      longest > 0 && select,
    ];
  };

  const pairTools = () => [
    tool("Copy x to y", () => store.setPair({ y: store.state.x })),
    tool("Swap", () => store.setPair({ x: store.state.y, y: store.state.x })),
    tool("Clear", () => {
      const empty = emptyObservation(modelOf(context).space);
      store.setPair({ x: empty, y: empty });
    }),
  ];

  const trueOperations = (primitives: string[]) =>
    h(
      "div",
      { class: "operations", role: "group", "aria-label": "Change y by a true operation" },
      h("p", { class: "hint" }, "Change y by a true operation:"),
      h("div", { class: "toolbar" }, ...primitives.map((name) => tool(readable(name), () => void applyTo(name)))),
    );

  const applyTo = (primitive: string) =>
    attempt(async () => {
      const { model, y } = store.state;
      store.setPair({ y: await api.apply(model, primitive, y) });
    });

  const hiddenProgram = () => {
    const { program } = store.state;
    if (program === "") return null;
    return h(
      "details",
      { class: "hidden-program" },
      h("summary", {}, "Reveal the hidden program"),
      h("p", {}, program.split(" ").map(readable).join(", then ")),
    );
  };

  let show = build();
  store.subscribe((state, previous) => {
    if (state.model !== previous.model && !looksAlike(modelNamed(context, state.model), modelNamed(context, previous.model))) show = build();
    else show();
  });
  return panel;
}

// Editors of one serve the other too.
const looksAlike = (a: Model, b: Model): boolean => a.benchmark === b.benchmark && sameSpace(a.space, b.space);

function hintOf(space: Space): string {
  const hints = {
    grid: "Paint both grids, or take an example.",
    sequence: "Type both sequences, or take an example.",
    number: "Type two numbers, or take an example.",
    image: `Paint, drop, paste or choose pictures, or take an example. They are scaled to ${columnsOf(space)} × ${rowsOf(space)} pixels in your browser.`,
    vector: "Type the numbers, or take an example.",
  };
  return `${hints[space.layout]} Only what you see here is shown to the theory.`;
}

function tool(name: string, action: () => void): HTMLElement {
  return h("button", { type: "button", class: "small", onclick: action }, name);
}

function newSample(context: Context, length: number): Promise<void> {
  return attempt(async () => context.store.set(await sampleOf(modelOf(context), length)));
}

/** An example as a change of the state. */
export async function sampleOf(model: Model, length = kLength): Promise<Partial<State>> {
  const sample = await api.sample(model.id, model.longest > 0 ? Math.min(length, model.longest) : undefined);
  return {
    x: sample.x,
    y: sample.y,
    query: sample.query_x ?? "",
    truth: sample.query_y ?? "",
    program: sample.program?.join(" ") ?? "",
    override: {},
  };
}
