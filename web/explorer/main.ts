import "../shared/theme.css";
import "./explorer.css";
import { api, type Model, type World } from "./api";
import { type Context, Vocabularies } from "./context";
import { debounce, h, replace } from "./dom";
import { explainTab } from "./explain_tab";
import { Explanations } from "./explanations";
import { startKeys } from "./keys";
import { attempt } from "./notices";
import { emptyObservation } from "./observations";
import { sampleOf } from "./pair_panel";
import { fromHash, toHash } from "./permalink";
import { searchTab } from "./search_tab";
import { type State, Store } from "./state";
import { startTheme } from "./theme";
import { fillTop } from "./top";
import { vocabularyTab } from "./vocabulary_tab";

const page = document.getElementById("page")!;

async function start(): Promise<void> {
  startTheme();
  const [models, worlds] = await Promise.all([api.models(), api.worlds()]);
  const blank = (world: World) => blankState(world, models);
  const store = new Store(fromHash(location.hash, models, worlds, blank));
  const context: Context = { store, models, worlds, vocabularies: new Vocabularies(), explanations: new Explanations(store) };

  fillTop(document.getElementById("top")!, context, (name) => void openWorld(context, worlds.find((world) => world.name === name)!, models));
  showTabs(context);
  startKeys(context);
  keepAddress(store, () => fromHash(location.hash, models, worlds, blank));
  store.subscribe((state) => follow(context, state));
  if (!new URLSearchParams(location.hash.slice(1)).has("x")) {
    const sample = await sampleOf(store.state.world, 2);
    store.become({ ...store.state, ...sample });
  }
  follow(context, store.state);
}

function blankState(world: World, models: Model[]): State {
  const empty = emptyObservation(world);
  const model = models.find((entry) => entry.world === world.name)!.id;
  return { tab: "explain", world: world.name, model, compare: "", x: empty, y: empty, query: empty, truth: "", program: "", override: {}, steps: 0, epsilon: "" };
}

async function openWorld(context: Context, world: World, models: Model[]): Promise<void> {
  if (world.name === context.store.state.world) return;
  await attempt(async () => {
    const sample = await sampleOf(world.name, 2);
    context.store.set({ ...blankState(world, models), ...sample, tab: context.store.state.tab });
  });
}

/** Asks the server for what the state needs. */
function follow(context: Context, state: State): void {
  context.explanations.refresh();
  for (const model of [state.model, state.compare]) if (model) void context.vocabularies.get(model).catch(() => undefined);
}

function showTabs(context: Context): void {
  const panels = { explain: explainTab(context), vocabulary: vocabularyTab(context), search: searchTab(context) };
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
function keepAddress(store: Store, read: () => State): void {
  const write = debounce(() => {
    const hash = toHash(store.state);
    if (hash !== location.hash) history.replaceState(null, "", hash);
  }, 150);
  store.subscribe(write);
  write();
  window.addEventListener("hashchange", () => {
    if (location.hash !== toHash(store.state)) store.become(read());
  });
}

start().catch((error: Error) => {
  replace(
    page,
    h("section", { class: "panel failure" }, h("h2", {}, "The explorer cannot start"), h("p", {}, error.message), h("button", { type: "button", onclick: () => location.reload() }, "Try again")),
  );
});
