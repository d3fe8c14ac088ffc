// What this is, in a sentence, and three steps that show it: a rule to guess, the machine's answer, a step to change.
import type { Context } from "./context";
import { modelOf } from "./context";
import { h, replace } from "./dom";
import { attempt } from "./notices";
import { sampleOf } from "./pair_panel";

const kKey = "neo-explorer-introduced";

interface Stop {
  title: string;
  text: string;
  next: string;
  begin?: () => void;
}

/** `stage`: what the steps are about; its data-tour says which step it is, so that the style can hide what comes later. */
export function tour(context: Context, stage: HTMLElement): HTMLElement {
  const element = h("section", { class: "intro", "aria-label": "What this is" });
  const stops: Stop[] = [
    {
      title: "Here is a hidden rule. Guess it.",
      text: "Something turned x into y. The machine sees this pair and nothing else. What was done?",
      next: "Now watch the machine",
    },
    {
      title: "Now watch the machine.",
      text: "It was never told which operations there are. It found this program of codes that it made up, and applies it to another input below.",
      next: "Now change a step",
    },
    {
      title: "Now change a step.",
      text: "Choose another code for a step: what would have come out appears beside what did.",
      next: "Done",
      begin: () => stage.querySelector<HTMLElement>(".theory button.step")?.click(),
    },
  ];

  const begin = () =>
    attempt(async () => {
      context.store.set({ ...(await sampleOf(modelOf(context))), tab: "explain" });
      visit(0);
    });
  const end = () => {
    delete stage.dataset.tour;
    element.classList.remove("touring");
    remember();
    rest();
  };
  const visit = (at: number) => {
    const stop = stops[at];
    if (!stop) return end();
    stage.dataset.tour = String(at + 1);
    const next = h("button", { type: "button", class: "primary", onclick: () => visit(at + 1) }, stop.next);
    replace(
      element,
      h("div", { class: "words" }, h("h2", {}, `${at + 1} of ${stops.length}: ${stop.title}`), h("p", {}, stop.text)),
      h("div", { class: "toolbar" }, next, at + 1 < stops.length && h("button", { type: "button", onclick: end }, "End the tour")),
    );
    element.classList.add("touring");
    if (at > 0) stage.querySelector(".theory")?.scrollIntoView({ block: "nearest" });
    stop.begin?.();
    if (!stop.begin) next.focus();
  };
  const rest = () =>
    replace(
      element,
      h(
        "p",
        { class: "words" },
        "From pairs of before and after alone, without labels, rules or names, a machine has invented a small vocabulary of operations: it explains a pair that it has never seen by a short program, and the program works on other inputs, too.",
      ),
      h("div", { class: "toolbar" }, h("button", { type: "button", class: isKnown() ? "" : "primary", id: "tour", onclick: () => void begin() }, "Three-step tour")),
    );
  rest();
  return element;
}

// Who has seen it is not urged to again.
function isKnown(): boolean {
  try {
    return localStorage.getItem(kKey) !== null;
  } catch {
    return false; // storage is off
  }
}

function remember(): void {
  try {
    localStorage.setItem(kKey, "yes");
  } catch {
    // Then it is offered again.
  }
}
