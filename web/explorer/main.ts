import "../shared/theme.css";
import "./explorer.css";
import { emptyObservation, sameSpace } from "../shared/observations";
import { api, type Model } from "./api";
import { type Context, modelOf, Vocabularies } from "./context";
import { dataTab } from "./data_tab";
import { debounce, h, replace } from "./dom";
import { explainTab } from "./explain_tab";
import { Explanations } from "./explanations";
import { startKeys } from "./keys";
import { complain } from "./notices";
import { sampleOf } from "./pair_panel";
import { fromHash, toHash } from "./permalink";
import { searchTab } from "./search_tab";
import { type State, Store } from "./state";
import { startTheme } from "./theme";
import { fillTop } from "./top";
import { trainingTab } from "./training_tab";
import { vocabularyTab } from "./vocabulary_tab";

const page = document.getElementById("page")!;

async function start(): Promise<void> {
  startTheme();
  const models = await api.models();
  if (models.length === 0) throw new Error("The server has opened no theory.");
  const read = () => {
    const { state, problems } = fromHash(location.hash, models, blankState);
    if (problems.length > 0) complain(`Not all of this link could be read: ${problems.join("; ")}.`);
    return state;
  };
  const store = new Store(read());
  const context: Context = { store, models, vocabularies: new Vocabularies(models), explanations: new Explanations(store) };

  fillTop(document.getElementById("top")!, context, (model) => void openModel(context, model));
  showTabs(context);
  startKeys(context);
  keepAddress(context, read);
  store.subscribe((state) => follow(context, state));
  // Theories that keep no examples begin with an empty pair.
  if (!new URLSearchParams(location.hash.slice(1)).has("x"))
    await sampleOf(modelOf(context)).then((sample) => store.replace({ ...store.state, ...sample }), () => undefined);
  follow(context, store.state);
}

function blankState(model: Model): State {
  const empty = emptyObservation(model.space);
  return { tab: "explain", model: model.id, compare: "", x: empty, y: empty, query: "", truth: "", program: "", override: {}, steps: 0, tolerance: "" };
}

/** Keeps the pair where it means the same to the other model. */
async function openModel(context: Context, model: Model): Promise<void> {
  const { state } = context.store;
  const before = modelOf(context);
  const compare = state.compare === model.id ? "" : state.compare;
  if (before.title === model.title && sameSpace(before.space, model.space)) return context.store.set({ model: model.id, compare, override: {} });
  const sample = await sampleOf(model).catch(() => ({}));
  context.store.set({ ...blankState(model), ...sample, tab: state.tab });
}

/** Asks the server for what the state needs. */
function follow(context: Context, state: State): void {
  context.explanations.refresh();
  for (const model of [state.model, state.compare]) if (model) void context.vocabularies.get(model).catch(() => undefined);
}

function showTabs(context: Context): void {
  const panels = { explain: explainTab(context), vocabulary: vocabularyTab(context), search: searchTab(context), training: trainingTab(context), data: dataTab(context) };
  for (const [name, panel] of Object.entries(panels)) {
    panel.id = `panel-${name}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
  }
  const show = () => {
    for (const [name, panel] of Object.entries(panels)) panel.hidden = name !== context.store.state.tab;
  };
  replace(page, ...Object.values(panels));
  show();
  context.store.subscribe(show);
}

/** The address follows the state, and the state an address that is typed or gone back to. */
function keepAddress({ store, models }: Context, read: () => State): void {
  const write = debounce(() => {
    const hash = toHash(store.state, models);
    if (hash !== location.hash) history.replaceState(null, "", hash);
  }, 150);
  store.subscribe(write);
  write();
  window.addEventListener("hashchange", () => {
    if (location.hash !== toHash(store.state, models)) store.replace(read());
  });
}

start().catch((error: Error) => {
  replace(
    page,
    h("section", { class: "panel failure" }, h("h2", {}, "The explorer cannot start"), h("p", {}, error.message), h("button", { type: "button", onclick: () => location.reload() }, "Try again")),
  );
});
