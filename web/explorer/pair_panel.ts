// The pair (x, y) to explain: drawn, typed, loaded, or a sample of a hidden program.
import { api } from "./api";
import { type Context, readable, worldOf } from "./context";
import { h, replace } from "./dom";
import { makeEditor } from "./editor";
import { palette } from "./grid_editor";
import { attempt } from "./notices";
import { emptyObservation, kindOf } from "./observations";
import type { State } from "./state";

export function pairPanel(context: Context): HTMLElement {
  const { store } = context;
  const panel = h("section", { class: "panel pair", "aria-labelledby": "pair-title" });
  let length = 2;

  const build = () => {
    const world = worldOf(context);
    const x = makeEditor(world, { label: "Before (x)", onChange: (text) => store.setPair({ x: text }) });
    const y = makeEditor(world, { label: "After (y)", onChange: (text) => store.setPair({ y: text }) });
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
      h("p", { class: "hint" }, kHints[kindOf(world)]),
      h("div", { class: "toolbar" }, ...sampleTools(world.longest)),
      kindOf(world) === "grid" && palette(world),
      h(
        "div",
        { class: `editors ${kindOf(world)}s` },
        h("div", { class: "editor" }, h("h3", {}, "before, x"), x.element),
        h("div", { class: "editor" }, h("h3", {}, "after, y"), y.element),
      ),
      h("div", { class: "toolbar" }, ...pairTools()),
      trueOperations(world.primitives),
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
    for (let i = 1; i <= longest; ++i)
      select.append(h("option", { value: i, selected: i === length }, `${i} hidden step${i > 1 ? "s" : ""}`));
    return [
      h("button", { type: "button", class: "primary", id: "new-sample", onclick: () => void newSample(context, length) }, "New sample"),
      select,
    ];
  };

  const pairTools = () => [
    tool("Copy x to y", () => store.setPair({ y: store.state.x })),
    tool("Swap", () => store.setPair({ x: store.state.y, y: store.state.x })),
    tool("Clear", () => {
      const empty = emptyObservation(worldOf(context));
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
      const { world, y } = store.state;
      store.setPair({ y: await api.apply(world, primitive, y) });
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
    if (state.world !== previous.world) show = build();
    else show();
  });
  return panel;
}

const kHints = {
  grid: "Paint both grids, or take a sample. Only what you see here is shown to the theory.",
  number: "Type two numbers, or take a sample. Only these two are shown to the theory.",
  image: "Drop, paste or choose pictures, or take a sample. They are cut to 32 × 32 pixels in your browser.",
};

function tool(name: string, action: () => void): HTMLElement {
  return h("button", { type: "button", class: "small", onclick: action }, name);
}

function newSample(context: Context, length: number): Promise<void> {
  return attempt(async () => context.store.set(await sampleOf(context.store.state.world, length)));
}

/** A sample as a change of the state. */
export async function sampleOf(world: string, length: number): Promise<Partial<State>> {
  const sample = await api.sample(world, length);
  return {
    x: sample.x,
    y: sample.y,
    query: sample.query_x,
    truth: sample.query_y,
    program: sample.program.join(" "),
    override: {},
  };
}
