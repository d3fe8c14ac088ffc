// The header: which world, which model, compared with which; tabs; undo, link, theme, help.
import { type Context, worldOf } from "./context";
import { h, replace } from "./dom";
import { openHelp } from "./help";
import { icon, type IconName } from "./icons";
import { announce, complain } from "./notices";
import type { State, Tab } from "./state";
import { themeButton } from "./theme";

const kTabs: [Tab, string][] = [
  ["explain", "Explain"],
  ["vocabulary", "Vocabulary"],
  ["search", "Search"],
];
const kWorldNames: Record<string, string> = { gridworld: "GridWorld", arithmetic: "Arithmetic", imaging: "Imaging" };

export function fillTop(top: HTMLElement, context: Context, openWorld: (world: string) => void): void {
  const { store } = context;
  const worlds = h("div", { class: "segments", role: "group", "aria-label": "World" });
  const model = h("select", { id: "model", onchange: () => store.set({ model: model.value, override: {} }) });
  const compare = h("select", { id: "compare", onchange: () => store.set({ compare: compare.value }) });
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "What to look at" });
  const undo = tool("undo", "Undo (Ctrl+Z)", () => store.undo());
  const redo = tool("redo", "Redo (Ctrl+Shift+Z)", () => store.redo());

  const show = (state: State) => {
    replace(worlds, ...worldButtons(context, openWorld));
    const fitting = context.models.filter((entry) => entry.world === state.world);
    replace(model, ...fitting.map((entry) => h("option", { value: entry.id }, entry.id)));
    model.value = state.model;
    const others = fitting.filter((entry) => entry.id !== state.model);
    replace(compare, h("option", { value: "" }, "nothing"), ...others.map((entry) => h("option", { value: entry.id }, entry.id)));
    compare.value = others.some((entry) => entry.id === state.compare) ? state.compare : "";
    compare.disabled = others.length === 0;
    undo.disabled = !store.canUndo;
    redo.disabled = !store.canRedo;
    for (const [name] of kTabs) {
      const tab = document.getElementById(`tab-${name}`);
      tab?.setAttribute("aria-selected", String(name === state.tab));
      if (tab) tab.tabIndex = name === state.tab ? 0 : -1;
    }
    document.title = `Theory Explorer · ${kWorldNames[state.world] ?? state.world}`;
  };

  for (const [name, label] of kTabs) tabs.append(tabButton(context, name, label));
  tabs.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const at = kTabs.findIndex(([name]) => name === store.state.tab);
    const next = kTabs[(at + by + kTabs.length) % kTabs.length][0];
    store.set({ tab: next });
    document.getElementById(`tab-${next}`)!.focus();
  });
  replace(
    top,
    h("div", { class: "bar" }, h("h1", {}, "Theory Explorer"), worlds, h("div", { class: "tools" }, undo, redo, tool("link", "Copy a link to all this", copyLink), themeButton(), tool("help", "Help and keys (?)", openHelp))),
    h(
      "div",
      { class: "bar" },
      tabs,
      h("div", { class: "models" }, h("label", { for: "model" }, "model"), model, h("label", { for: "compare" }, "compared with"), compare),
    ),
  );
  show(store.state);
  store.subscribe(show);
}

function tool(name: IconName, label: string, action: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: action }, icon(name));
}

function worldButtons(context: Context, openWorld: (world: string) => void): HTMLElement[] {
  return context.worlds.map((world) => {
    const available = context.models.some((entry) => entry.world === world.name);
    return h(
      "button",
      {
        type: "button",
        "data-world": world.name,
        "aria-pressed": String(world.name === worldOf(context).name),
        disabled: !available,
        title: available ? undefined : "No theory of this world was opened",
        onclick: () => openWorld(world.name),
      },
      kWorldNames[world.name] ?? world.name,
    );
  });
}

function tabButton(context: Context, name: Tab, label: string): HTMLElement {
  return h(
    "button",
    { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => context.store.set({ tab: name }) },
    label,
  );
}

function copyLink(): void {
  navigator.clipboard.writeText(location.href).then(
    () => announceCopied(),
    () => complain("The browser does not let the page copy. The address line holds the link."),
  );
}

function announceCopied(): void {
  announce("Link copied");
  const button = document.querySelector<HTMLElement>('[aria-label="Copy a link to all this"]')!;
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 1500);
}
