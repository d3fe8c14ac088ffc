// The theory applied to another input, as found and as overridden.
import { api, type Theory } from "./api";
import { type Context, shownModels, worldOf } from "./context";
import { h, replace } from "./dom";
import { makeEditor } from "./editor";
import { attempt } from "./notices";
import { traceRow, verdict, type Words } from "./trace";

const kMatches: Words = {
  yes: "as the hidden program",
  no: "not as the hidden program",
  target: "what the hidden program makes",
};

interface Run {
  model: string;
  title: string;
  program: number[];
}

export function transferPanel(context: Context): HTMLElement {
  const { store } = context;
  const panel = h("section", { class: "panel transfer", "aria-labelledby": "transfer-title" });
  const results = h("div", { class: "results" });
  let editor = makeEditor(worldOf(context), { label: "Another input", onChange: () => undefined });
  let controller = new AbortController();
  let asked = "";

  const build = () => {
    const world = worldOf(context);
    editor = makeEditor(world, { label: "Another input", onChange: (query) => store.set({ query, truth: "" }) });
    editor.set(store.state.query);
    replace(
      panel,
      h("h2", { id: "transfer-title" }, "Apply the theory to another input"),
      h("p", { class: "hint" }, "The program runs on an input that it has never seen."),
      h(
        "div",
        { class: "apply" },
        h(
          "div",
          { class: "editor" },
          h("h3", {}, "another input"),
          editor.element,
          h("div", { class: "toolbar" }, h("button", { type: "button", class: "small", id: "new-input", onclick: newInput }, "New input")),
        ),
        results,
      ),
    );
    asked = "";
  };

  const newInput = () =>
    attempt(async () => {
      const sample = await api.sample(store.state.world, 1);
      store.set({ query: sample.query_x, truth: "" });
    });

  // The programs to run: each model's, and the first one's counterfactual.
  const runs = (): Run[] | null => {
    const list: Run[] = [];
    const models = shownModels(context);
    for (const model of models) {
      const { answer, status } = context.explanations.get(model);
      if (!answer || status !== "ready") return null;
      list.push({ model, title: models.length > 1 ? model : "The program", program: answer.explanation.theory.codes });
      if (answer.counterfactual) list.push({ model, title: "Counterfactual", program: answer.counterfactual.codes });
    }
    return list;
  };

  const refresh = async () => {
    const list = runs();
    if (!list) return;
    const { query } = store.state;
    const key = JSON.stringify([query, list]);
    if (key === asked) return draw();
    asked = key;
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    try {
      const theories = await Promise.all(
        list.map((run) => api.transfer(run.model, run.program, [query], signal).then((found) => found[0])),
      );
      latest = { list, theories };
      draw();
    } catch (error) {
      if (!signal.aborted) replace(results, h("p", { class: "failure" }, (error as Error).message));
    }
  };

  let latest: { list: Run[]; theories: Theory[] } = { list: [], theories: [] };
  const draw = () => {
    const { truth } = store.state;
    const world = worldOf(context);
    replace(
      results,
      ...latest.list.map((run, i) =>
        h(
          "div",
          { class: "result" },
          h("header", {}, h("h3", {}, run.title), truth !== "" && verdict(world, latest.theories[i], truth, kMatches)),
          traceRow(context, {
            model: run.model,
            theory: latest.theories[i],
            target: truth === "" ? undefined : truth,
            targetLabel: "hidden",
          }),
        ),
      ),
    );
  };

  build();
  store.subscribe((state, previous) => {
    if (state.world !== previous.world) build();
    if (state.query !== previous.query) editor.set(state.query);
    void refresh();
  });
  context.explanations.subscribe(() => void refresh());
  context.vocabularies.subscribe(() => latest.list.length > 0 && draw());
  return panel;
}
