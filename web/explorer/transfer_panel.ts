// The program applied to another input, as found and as overridden.
import { emptyObservation, sameSpace } from "../shared/observations";
import { api, type Run } from "./api";
import { type Context, modelNamed, modelOf, shownModels } from "./context";
import { h, replace } from "./dom";
import { makeEditor } from "./editor";
import { attempt } from "./notices";
import { isWide } from "./pictures";
import { agrees, traceRow, verdict } from "./trace";

// What is known of the other input comes from a hidden program, or from a user's own data.
const kHidden = { label: "hidden", yes: "as the hidden program", no: "not as the hidden program", target: "what the hidden program makes" };
const kData = { label: "data", yes: "as in the data", no: "not as in the data", target: "what is in the data" };

interface Task {
  model: string;
  title: string;
  program: number[];
  explains: boolean; // its own pair
  floor: number; // how near to y a drawing can come, and so to other observations
}

export function transferPanel(context: Context): HTMLElement {
  const { store } = context;
  const panel = h("section", { class: "panel transfer", "aria-labelledby": "transfer-title" });
  const results = h("div", { class: "results" });
  let editor = makeEditor(modelOf(context), { label: "Another input", onChange: () => undefined });
  let controller = new AbortController();
  let asked = "";
  let problem = ""; // what is typed means nothing

  const build = () => {
    editor = makeEditor(modelOf(context), {
      label: "Another input",
      onChange: (query) => store.set({ query, truth: "" }),
      onProblem: (message) => {
        problem = message;
        void refresh();
      },
    });
    problem = "";
    setEditor();
    replace(
      panel,
      h("h2", { id: "transfer-title" }, "Apply the program to another input"),
      h("p", { class: "hint" }, "The program runs on an input that it was not made for."),
      h(
        "div",
        { class: `apply ${modelOf(context).space.layout}s ${isWide(modelOf(context).space) ? "wide" : ""}` },
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

  const setEditor = () => editor.set(store.state.query || emptyObservation(modelOf(context).space));

  const showNothing = (why: string) => {
    asked = "";
    controller.abort();
    latest = { list: [], runs: [] };
    replace(results, h("p", { class: "hint" }, why));
  };

  const newInput = () =>
    attempt(async () => {
      const { id, longest } = modelOf(context);
      const sample = await api.sample(id, longest > 0 ? 1 : undefined);
      store.set({ query: sample.query_x ?? sample.x, truth: "" });
    });

  // The programs to run: each model's, and the first one's counterfactual.
  const tasks = (): Task[] | null => {
    const list: Task[] = [];
    const models = shownModels(context);
    for (const model of models) {
      const { answer, status } = context.explanations.get(model);
      if (!answer || status !== "ready") return null;
      const { run } = answer.explanation;
      const explains = agrees(modelNamed(context, model), run, { text: store.state.y, floor: answer.floor });
      list.push({ model, title: models.length > 1 ? model : "The program", program: run.codes, explains, floor: answer.floor });
      if (answer.counterfactual) list.push({ model, title: "Counterfactual", program: answer.counterfactual.codes, explains: true, floor: answer.floor });
    }
    return list;
  };

  const refresh = async () => {
    const { query, model } = store.state;
    const { status } = context.explanations.get(model);
    if (problem !== "") return showNothing("The other input cannot be read.");
    if (status === "unreadable" || status === "same" || status === "failed") return showNothing("There is no program to apply yet.");
    const list = tasks();
    if (!list) return;
    if (query === "") return showNothing("Give another input, or take that of another example: the program will run on it.");
    const key = JSON.stringify([query, list]);
    if (key === asked) return draw();
    asked = key;
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    try {
      const runs = await Promise.all(
        list.map((task) => api.transfer(task.model, task.program, [query], signal).then((found) => found[0]!)),
      );
      latest = { list, runs };
      draw();
    } catch (error) {
      if (!signal.aborted) replace(results, h("p", { class: "failure" }, (error as Error).message));
    }
  };

  let latest: { list: Task[]; runs: Run[] } = { list: [], runs: [] };
  const draw = () => {
    const { truth } = store.state;
    const words = modelOf(context).benchmark ? kHidden : kData;
    replace(
      results,
      ...latest.list.map((task, i) =>
        h(
          "div",
          { class: "result" },
          h("header", {}, h("h3", {}, task.title), truth !== "" && verdict(modelNamed(context, task.model), latest.runs[i]!, { text: truth, floor: task.floor }, words)),
          !task.explains && h("p", { class: "hint" }, "This program did not explain its own pair."),
          traceRow(context, {
            model: task.model,
            run: latest.runs[i]!,
            target: truth === "" ? undefined : truth,
            targetLabel: words.label,
            floor: task.floor,
          }),
        ),
      ),
    );
  };

  build();
  store.subscribe((state, previous) => {
    if (!sameSpace(modelNamed(context, state.model).space, modelNamed(context, previous.model).space)) build();
    if (state.query !== previous.query) setEditor();
    void refresh();
  });
  context.explanations.subscribe(() => void refresh());
  context.vocabularies.subscribe(() => latest.list.length > 0 && draw());
  return panel;
}
