// How the program is searched for.
import { type Context, modelOf } from "./context";
import { h } from "./dom";

export function settings(context: Context): HTMLElement {
  const { store } = context;
  const steps = h("select", { onchange: () => store.set({ steps: Number(steps.value), override: {} }) });
  const tolerance = h("input", {
    type: "number",
    min: 0,
    step: "any",
    placeholder: "off",
    class: "short",
    onchange: () => store.set({ tolerance: Number(tolerance.value) >= 0 ? tolerance.value : "", override: {} }),
  });
  const show = () => {
    const own = modelOf(context).steps;
    steps.replaceChildren(
      h("option", { value: 0 }, `${own} (the model's own)`),
      ...Array.from({ length: 16 }, (_, i) => h("option", { value: i + 1 }, i + 1)),
    );
    steps.value = String(store.state.steps);
    tolerance.value = store.state.tolerance;
  };
  show();
  store.subscribe(show);
  return h(
    "details",
    { class: "panel settings" },
    h("summary", {}, "Settings"),
    h("label", {}, h("span", {}, "Longest program"), steps),
    h("label", {}, h("span", {}, "Tolerance: stop at a loss of at most"), tolerance),
    h("p", { class: "hint" }, "Without a tolerance the shortest exact program wins, else the one that MDL prefers."),
  );
}
