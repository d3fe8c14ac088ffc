// The header: theories of what, which of them, compared with which; tabs; undo, link, theme, help.
import type { Model } from "./api";
import { comparable, type Context, modelOf } from "./context";
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
  ["training", "Training"],
  ["data", "Your data"],
];
const kFewTitles = 4; // fit beside each other as buttons

export function fillTop(top: HTMLElement, context: Context, openModel: (model: Model) => void): void {
  const { store } = context;
  const titles = h("div", { class: "titles" });
  const model = h("select", { id: "model", onchange: () => openModel(context.models.find((entry) => entry.id === model.value)!) });
  const compare = h("select", { id: "compare", onchange: () => store.set({ compare: compare.value }) });
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "What to look at" });
  const undo = tool("undo", "Undo (Ctrl+Z)", () => store.undo());
  const redo = tool("redo", "Redo (Ctrl+Shift+Z)", () => store.redo());

  const show = (state: State) => {
    const chosen = modelOf(context);
    replace(titles, titleChoice(context, openModel));
    const fitting = context.models.filter((entry) => entry.title === chosen.title);
    replace(model, ...fitting.map((entry) => h("option", { value: entry.id }, entry.id)));
    model.value = state.model;
    const others = comparable(context.models, chosen);
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
    document.title = `Theory Explorer · ${chosen.title}`;
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
    h("div", { class: "bar" }, h("h1", {}, "Theory Explorer"), titles, h("div", { class: "tools" }, undo, redo, tool("link", "Copy a link to all this", copyLink), themeButton(), tool("help", "Help and keys (?)", openHelp))),
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

/** Buttons for a few titles, a list for many. */
function titleChoice(context: Context, openModel: (model: Model) => void): HTMLElement {
  const titles = [...new Set(context.models.map((entry) => entry.title))];
  const chosen = modelOf(context).title;
  const open = (title: string) => title !== chosen && openModel(context.models.find((entry) => entry.title === title)!);
  if (titles.length > kFewTitles) {
    const select = h("select", { id: "title", "aria-label": "Theories of", onchange: () => open(select.value) });
    select.append(...titles.map((title) => h("option", { value: title, selected: title === chosen }, title)));
    return select;
  }
  const buttons = titles.map((title) => h("button", { type: "button", "data-title": title, "aria-pressed": String(title === chosen), onclick: () => open(title) }, title));
  return h("div", { class: "segments", role: "group", "aria-label": "Theories of" }, ...buttons);
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
