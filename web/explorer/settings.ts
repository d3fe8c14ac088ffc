// How the program is looked for.
import { type Context, modelOf } from "./context";
import { h } from "./dom";

export function settings(context: Context): HTMLElement {
  const { store } = context;
  const steps = h("select", { onchange: () => store.set({ steps: Number(steps.value), override: {} }) });
  const epsilon = h("input", {
    type: "number",
    min: 0,
    step: "any",
    placeholder: "off",
    class: "short",
    onchange: () => store.set({ epsilon: Number(epsilon.value) >= 0 ? epsilon.value : "", override: {} }),
  });
  const show = () => {
    const own = modelOf(context).steps;
    steps.replaceChildren(
      h("option", { value: 0 }, `${own} (the model's own)`),
      ...Array.from({ length: 16 }, (_, i) => h("option", { value: i + 1 }, i + 1)),
    );
    steps.value = String(store.state.steps);
    epsilon.value = store.state.epsilon;
  };
  show();
  store.subscribe(show);
  return h(
    "details",
    { class: "panel settings" },
    h("summary", {}, "Settings"),
    h("label", {}, h("span", {}, "Longest program"), steps),
    h("label", {}, h("span", {}, "Stop at a distance of at most ε"), epsilon),
    h("p", { class: "hint" }, "Without ε the shortest exact program wins, else the one that MDL prefers."),
  );
}
