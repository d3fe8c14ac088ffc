import { h } from "./dom";

const kKeys: [string, string][] = [
  ["N", "another example"],
  ["Ctrl Z, Ctrl Shift Z", "undo, redo"],
  ["E, V, S, T, D", "explain, vocabulary, search, training, your data"],
  ["arrow keys", "walk over a grid, an image, tokens, a palette, tabs, or the tree of a search"],
  ["0 … 9", "give the cell of a grid that value"],
  ["Space", "paint a cell or pixel as chosen"],
  ["↑, ↓", "next, previous symbol of a token"],
  ["Esc", "close what is open"],
];

export function openHelp(): void {
  const dialog = h(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "What this is"),
    h(
      "p",
      {},
      "A theory was learned from pairs of observations alone: a small vocabulary of codes, and programs over it that turn x into y. " +
        "Give it a pair and see the program that it finds, with every state on the way. Click a step to put another code in its place and see what would have come out. " +
        "Apply the program to another input. The address of the page holds all you see.",
    ),
    h("dl", {}, ...kKeys.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    h("p", { class: "hint" }, "For programs: the JSON API is described at ", h("a", { href: "/api/openapi.json" }, "/api/openapi.json"), "."),
    h("button", { type: "button", class: "primary", autofocus: true, onclick: () => dialog.close() }, "Close"),
  );
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}
