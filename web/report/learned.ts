// A theory of a user's own data: what observations are, which structures were tried, the vocabulary, what it was judged on.
import type { Learned } from "./data";
import { h, s } from "./dom";
import { tile } from "./figures/tile";
import { scrolling } from "./tables";

const kSize = 64;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

export function learnedSection(learned: Learned): HTMLElement {
  return h(
    "section",
    { id: `own-${learned.name}` },
    h("h2", {}, `Own data: ${learned.name}`),
    h("p", { class: "note" }, sentence(learned)),
    h("h3", {}, "Which structure describes the pairs in the fewest bits"),
    trials(learned),
    h("h3", {}, "Vocabulary"),
    vocabulary(learned),
    h("h3", {}, learned.held_out ? "Some of the pairs that it was judged on, and never shown" : "Some of the pairs"),
    examples(learned),
  );
}

function sentence({ space, theory, explained, pairs, held_out, length, seconds, vocabulary }: Learned): string {
  const observations = `${space.layout}, ${space.shape.join(" × ")}${space.values ? `, ${Math.max(...space.values)} values` : ""}`;
  const judged = held_out ? "pairs that were held out" : "pairs (none were held out)";
  const found = theory === false ? "No theory: nothing that the pairs have in common carries over." : `${vocabulary.length} codes explain ${percent(explained)} of ${pairs} ${judged}${length === undefined ? "" : `, in ${length.toFixed(2)} steps on average`}.`;
  return `Observations: ${observations}. ${found}${seconds === undefined ? "" : ` Learned in ${seconds.toFixed(0)} s.`}`;
}

const table = (label: string, head: string[], rows: string[][]): HTMLElement =>
  scrolling(
    label,
    h("table", { class: "learned" }, h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, ...rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row" }, first!), ...rest.map((text) => h("td", {}, text)))))),
  );

const trials = ({ name, trials, structure }: Learned): HTMLElement =>
  trials.length === 0
    ? h("p", { class: "note" }, `Only one was tried: ${structure}.`)
    : table(`Structures tried for ${name}`, ["structure", "bits a pair", "codes", "explained"], trials.map((t) => [t.structure === "none" ? "no theory" : t.structure === structure ? `${t.structure} (chosen)` : t.structure, t.bits.toFixed(1), String(t.codes), percent(t.explained)]));

const vocabulary = ({ name, vocabulary }: Learned): HTMLElement =>
  table(`Vocabulary of ${name}`, ["code", "share of steps"], [...vocabulary].sort((a, b) => b.usage - a.usage).map((code) => [code.name || `code ${code.code}`, percent(code.usage)]));

function examples({ space, examples }: Learned): HTMLElement {
  const drawable = { space, palette: [] };
  return h(
    "div",
    { class: "pairs" },
    ...examples.map(({ x, y }, i) => {
      const drawing = s("svg", { width: 2 * kSize + 28, height: kSize, role: "img", "aria-label": `pair ${i + 1}` });
      drawing.append(tile({ drawable, observation: x, x: 0, y: 0, size: kSize }), s("text", { x: kSize + 14, y: kSize / 2 + 5, "text-anchor": "middle", fill: "currentColor" }, "→"), tile({ drawable, observation: y, x: kSize + 28, y: 0, size: kSize }));
      return drawing;
    }),
  );
}
