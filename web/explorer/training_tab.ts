// How the shown theories were learned: the curves of their run folders.
import { api } from "./api";
import { type Context, modelNamed, shownModels } from "./context";
import { trainingCharts } from "./curves";
import { h, replace } from "./dom";

export function trainingTab(context: Context): HTMLElement {
  const tab = h("div", { class: "training" });
  let shown = "";
  const render = () => {
    if (context.store.state.tab !== "training") return;
    const models = shownModels(context);
    const key = JSON.stringify(models);
    if (key === shown) return;
    shown = key;
    replace(tab, ...models.map((model) => section(context, model)));
  };
  render();
  context.store.subscribe(render);
  return tab;
}

function section(context: Context, model: string): HTMLElement {
  const { preset, step, seed } = modelNamed(context, model);
  const curves = h("div", {}, h("span", { class: "spinner", "aria-hidden": "true" }));
  api.training(model).then(
    (points) => replace(curves, points.length > 1 ? trainingCharts(points) : nothing()),
    (error: Error) => replace(curves, h("p", { class: "failure" }, error.message)),
  );
  return h("section", { class: "panel", "aria-label": `Training of ${model}` }, h("h2", {}, `Training of ${model}`), h("p", { class: "hint" }, `Preset ${preset}, seed ${seed}; this theory is of step ${step}.`), curves);
}

const nothing = (): HTMLElement => h("p", { class: "hint" }, "A weights file alone tells nothing of its training. Open a run folder to see its curves: ", h("code", {}, "neo serve runs/NAME"), ".");
