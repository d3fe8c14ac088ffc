// Best-first search, watched: which states it visits, in which order, and the way that leads to y.
import { api, type Model, type SearchAnswer } from "./api";
import { type Context, modelNamed, modelOf, shownModels } from "./context";
import { h, reducedMotion, replace } from "./dom";
import { attempt } from "./notices";
import { figure, picture, scaleOf } from "./pictures";
import { withTerm } from "./terms";
import { kExplains, shortNumber, traceRow, verdict } from "./trace";
import { TreeView } from "./tree_view";

const kUsualCalls = 60;
const kMostCalls = { categorical: 1000, pixels: 300, real: 1000 }; // so that no search takes too long
const kPlayTime = 4000; // milliseconds for a whole search, and
const kSlowest = 180; // at most this many for one call

const kLegend = [
  ["state", "a state that was visited; x is where it begins"],
  ["met", "y, or as near as the theory asks for"],
  ["way", "the program that was found"],
  ["call", "the executor call of the moment"],
];

export function searchTab(context: Context): HTMLElement {
  const tab = h("div", { class: "search" });
  let built = "";
  let views: SearchView[] = [];
  const render = () => {
    const { state } = context.store;
    if (state.tab !== "search") return;
    const key = JSON.stringify([shownModels(context), state.x, state.y, state.steps]);
    if (key === built) return;
    built = key;
    views = shownModels(context).map((model) => new SearchView(context, model));
    replace(tab, pair(context), ...views.map((view) => view.element));
    views.forEach((view) => view.begin());
  };
  render();
  context.store.subscribe(render);
  context.vocabularies.subscribe(() => views.forEach((view) => view.name()));
  return tab;
}

function pair(context: Context): HTMLElement {
  const { x, y } = context.store.state;
  const model = modelOf(context);
  const scale = scaleOf(model.space, [x, y]);
  return h("div", { class: `goal ${model.space.layout}s` }, figure(model, x, "from x", scale), h("span", { "aria-hidden": "true" }, "→"), figure(model, y, "to y", scale));
}

class SearchView {
  readonly element: HTMLElement;
  readonly begin: () => void;
  private readonly stage = h("div", { class: "stage" });
  private readonly detail = h("aside", { class: "detail", "aria-live": "polite" });
  private readonly outcome = h("div", { class: "outcome" });
  private readonly slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Executor call", oninput: () => this.seek() });
  private readonly counter = h("output", {}, "");
  private readonly playButton = h("button", { type: "button", class: "small", onclick: () => this.toggle() }, "Play");
  private readonly player = h("div", { class: "player", hidden: true }, this.playButton, this.slider, this.counter);
  private readonly legend = h(
    "ul",
    { class: "legend", hidden: true },
    ...kLegend.map(([kind, text]) => h("li", {}, h("span", { class: `sign ${kind}`, "aria-hidden": "true" }), text)),
  );
  private answer: SearchAnswer | null = null;
  private tree: TreeView | null = null;
  private timer = 0;

  constructor(
    private readonly context: Context,
    private readonly model: string,
  ) {
    const { space, most_calls } = this.described;
    const largest = Math.min(kMostCalls[space.kind], most_calls);
    const calls = h("input", { type: "number", min: 1, max: largest, value: Math.min(kUsualCalls, largest), id: `calls-${model}`, class: "short" });
    const exhaustCalls = h("input", { type: "checkbox", checked: true });
    const start = h("button", { type: "button", class: "primary start" }, "Search again");
    this.begin = () => void this.search(Number(calls.value), exhaustCalls.checked, start);
    start.addEventListener("click", this.begin);
    this.element = h(
      "section",
      { class: "panel", "aria-label": `Search by ${model}` },
      h("header", {}, h("h2", {}, `Search by ${model}`)),
      h(
        "p",
        { class: "hint" },
        ...withTerm("One code on one state at a time, the most promising first: likely by the programmer, near y by its loss. No state is visited twice."),
      ),
      h(
        "div",
        { class: "toolbar" },
        start,
        h("label", { class: "inline", for: `calls-${model}` }, "up to ", calls, " executor calls"),
        h("label", { class: "inline" }, exhaustCalls, " spend all calls, even after y is found"),
      ),
      this.player,
      this.legend,
      h("div", { class: "explore" }, this.stage, this.detail),
      this.outcome,
    );
  }

  private get described(): Model {
    return modelNamed(this.context, this.model);
  }

  private search(calls: number, exhaustCalls: boolean, button: HTMLButtonElement): Promise<void> {
    return attempt(async () => {
      clearTimeout(this.timer);
      button.disabled = true;
      try {
        const { x, y, steps } = this.context.store.state;
        const body = { model: this.model, x, y, calls, exhaust_calls: exhaustCalls, ...(steps > 0 ? { steps } : {}) };
        this.answer = await api.search(body);
      } finally {
        button.disabled = false;
      }
      this.show(this.answer);
    });
  }

  private show(answer: SearchAnswer): void {
    replace(this.outcome);
    this.tree = new TreeView(this.described, answer, (node) => this.describe(node));
    replace(this.stage, this.tree.element);
    this.name();
    this.tree.centre();
    this.player.hidden = this.legend.hidden = false;
    this.slider.max = String(answer.calls);
    this.slider.value = reducedMotion() ? this.slider.max : "0";
    this.seek();
    if (!reducedMotion()) this.play();
  }

  // As the explanation of the same pair says it.
  private get floor(): number {
    return this.context.explanations.get(this.model).answer?.floor ?? 0;
  }

  /** Says what codes are called as soon as that is known. */
  name(): void {
    if (!this.answer) return;
    this.tree!.name((code) => this.context.vocabularies.nameOf(this.model, code));
    if (this.outcome.hasChildNodes()) this.finish();
  }

  private get at(): number {
    return Number(this.slider.value);
  }

  private seek(): void {
    const { calls } = this.answer!;
    this.tree!.showUntil(this.at);
    this.counter.textContent = `call ${this.at} of ${calls}`;
    if (this.at >= calls) this.finish();
  }

  private toggle(): void {
    if (this.timer) return this.pause();
    if (this.at >= this.answer!.calls) this.slider.value = "0";
    this.play();
  }

  private pause(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.playButton.textContent = "Play";
  }

  private play(): void {
    this.playButton.textContent = "Pause";
    const { calls } = this.answer!;
    const pause = Math.min(kSlowest, kPlayTime / Math.max(1, calls));
    const stride = Math.max(1, Math.round(16 / pause));
    const step = () => {
      if (!this.element.isConnected) return this.pause();
      this.slider.value = String(this.at + stride);
      this.seek();
      if (this.at >= calls) this.pause();
      else this.timer = window.setTimeout(step, pause * stride);
    };
    this.timer = window.setTimeout(step, pause);
  }

  private finish(): void {
    const { best, found, calls, nodes, milliseconds } = this.answer!;
    const { y } = this.context.store.state;
    replace(
      this.outcome,
      h(
        "header",
        {},
        h("h3", {}, found ? "The likeliest program that explains y" : "The program that came nearest"),
        best && verdict(this.described, best, { text: y, floor: this.floor }, kExplains),
        h("span", { class: "time" }, `${calls} calls, ${nodes.length} states, ${milliseconds.toFixed(0)} ms`),
      ),
      best && traceRow(this.context, { model: this.model, run: best, target: y, floor: this.floor }),
    );
  }

  private describe(index: number): void {
    const { nodes } = this.answer!;
    const node = nodes[index];
    const codes: number[] = [];
    for (let at = index; at > 0; at = nodes[at].parent) codes.unshift(nodes[at].code);
    replace(
      this.detail,
      h("figure", {}, picture(this.described, node.observation, "state")),
      h("p", { class: "program" }, index === 0 ? "x" : codes.map((code) => this.context.vocabularies.nameOf(this.model, code)).join(" → ")),
      h("p", { class: "hint" }, node.exact ? "This is y." : node.explained ? "This is y, as near as the theory asks for." : node.loss === undefined ? "Where it begins." : `Distance from y: ${shortNumber(node.loss)}`),
      index > 0 && h("p", { class: "hint" }, `Probability of the way here: ${shortNumber(Math.exp(node.log_probability))}`),
    );
  }
}
