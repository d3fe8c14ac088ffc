// The words that a newcomer cannot know, explained where they occur: by hovering, by touch or by keys.
import { h } from "./dom";

const kTerms: Record<string, string> = {
  ŷ: "What the program makes of x; y is what it should have made.",
  loss: "How far a result is from y. 0 means that they are equal.",
  posterior: "How plausible a program is among all that were looked at, given this pair.",
  MDL: "Minimum description length: of programs that do equally well, the shorter one is the better explanation.",
  programmer: "The network that looks at x and y and proposes which code to use next.",
  executor: "The network that carries out one code on one state.",
  code: "One operation of the vocabulary. The theory made it up; the name was given to it afterwards, by what it does.",
  counterfactual: "What would have come out, had a step been another one.",
};
const kWords = new RegExp(`(?<![\\p{L}])(${Object.keys(kTerms).join("|")})(?![\\p{L}])`, "u");

/** A text with its first such word explained. */
export function withTerm(text: string): (Node | string)[] {
  const found = kWords.exec(text);
  if (!found) return [text];
  const after = found.index + found[0].length;
  return [text.slice(0, found.index), term(found[0]), ...withTerm(text.slice(after))];
}

export function term(word: string): HTMLElement {
  const button = h("button", { type: "button", class: "term", "aria-expanded": "false" }, word);
  const show = () => open(button, kTerms[word]!);
  button.addEventListener("mouseenter", show);
  button.addEventListener("focus", show);
  button.addEventListener("click", show);
  button.addEventListener("mouseleave", close);
  button.addEventListener("blur", close);
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  });
  return button;
}

let tip: HTMLElement | null = null;
let opener: HTMLElement | null = null;

function open(button: HTMLElement, text: string): void {
  close();
  opener = button;
  tip = h("div", { class: "tip", role: "tooltip", id: "tip" }, text);
  document.body.append(tip);
  const box = button.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 8));
  tip.style.left = `${left + scrollX}px`;
  tip.style.top = `${box.bottom + scrollY + 6}px`;
  button.setAttribute("aria-expanded", "true");
  button.setAttribute("aria-describedby", tip.id);
}

function close(): void {
  tip?.remove();
  opener?.setAttribute("aria-expanded", "false");
  opener?.removeAttribute("aria-describedby");
  opener = null;
}
