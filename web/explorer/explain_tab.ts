// The first tab: a pair, what the theories say about it, and another input.
import { type Context, shownModels } from "./context";
import { differencePanel } from "./difference_panel";
import { h, replace } from "./dom";
import { pairPanel } from "./pair_panel";
import { settings } from "./settings";
import { tour } from "./tour";
import { TheoryPanel } from "./theory_panel";
import { transferPanel } from "./transfer_panel";

export function explainTab(context: Context): HTMLElement {
  const theories = h("div", { class: "theories" });
  const stage = h(
    "div",
    { class: "explain" },
    h("div", { class: "side" }, pairPanel(context), settings(context)),
    h("div", { class: "main" }, theories, differencePanel(context), transferPanel(context)),
  );
  const element = h("div", {}, tour(context, stage), stage);
  let panels: TheoryPanel[] = [];
  const build = () => {
    const models = shownModels(context);
    panels = models.map((model) => new TheoryPanel(context, model, models.length > 1 ? model : "The theory"));
    replace(theories, ...panels.map((panel) => panel.element));
    theories.classList.toggle("two", models.length > 1);
  };
  build();
  context.store.subscribe((state, previous) => {
    if (state.model !== previous.model || state.compare !== previous.compare) build();
    else panels.forEach((panel) => panel.render());
  });
  context.explanations.subscribe(() => panels.forEach((panel) => panel.render()));
  context.vocabularies.subscribe(() => panels.forEach((panel) => panel.render()));
  return element;
}
