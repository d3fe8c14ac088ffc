// What a model says about the pair: its program at work, a counterfactual beside it, why it stops there, what else it could be.
import { emptyObservation } from "../shared/observations";
import type { ExplainAnswer, Explanation, Model, Run } from "./api";
import { codePicker } from "./code_picker";
import { type Context, modelNamed } from "./context";
import { h, replace } from "./dom";
import { announce } from "./notices";
import { withTerm } from "./terms";
import { agrees, kExplains, shortNumber, type Target, traceRow, verdict } from "./trace";

const kMdl = "of equal ones MDL prefers the shorter.";
const kMostSteps = 16; // as the API allows

export class TheoryPanel {
  readonly element: HTMLElement;
  private picking: number | null = null; // the step whose codes are on offer
  private drawn = "";
  private target: Target = { text: "", floor: 0 };

  constructor(
    private readonly context: Context,
    private readonly model: string,
    private readonly title: string,
  ) {
    this.element = h("section", { class: "panel theory", "aria-label": title, "data-model": model });
    this.render();
  }

  private get described(): Model {
    return modelNamed(this.context, this.model);
  }

  private get isFirst(): boolean {
    return this.model === this.context.store.state.model;
  }

  /** Draws anew if anything has changed; an animation that runs goes on otherwise. */
  render(): void {
    const entry = this.context.explanations.get(this.model);
    const names = entry.answer?.explanation.run.codes.map((code) => this.context.vocabularies.nameOf(this.model, code));
    const { x, y } = this.context.store.state;
    const key = JSON.stringify([entry, names, this.picking, x, y]);
    if (key === this.drawn) return;
    this.drawn = key;
    const head = h("header", {}, h("h2", {}, this.title), entry.status === "loading" && h("span", { class: "spinner", "aria-label": "working" }));
    if (entry.status === "same") replace(this.element, ...this.nothing(head));
    else if (entry.status === "unreadable") replace(this.element, head, h("p", { class: "failure" }, entry.error!));
    else if (entry.status === "failed") replace(this.element, head, this.failure(entry.error!));
    else if (!entry.answer) replace(this.element, head, h("div", { class: "skeleton", "aria-hidden": "true" }));
    else this.draw(head, entry.answer, entry.status === "loading");
  }

  private failure(error: string): HTMLElement {
    return h(
      "div",
      { class: "failure" },
      h("p", {}, error),
      h("button", { type: "button", onclick: () => this.context.explanations.retry() }, "Try again"),
    );
  }

  private nothing(head: HTMLElement): HTMLElement[] {
    const { x } = this.context.store.state;
    head.append(h("span", { class: "verdict" }, "nothing to explain"));
    this.element.classList.remove("stale");
    const empty = x === emptyObservation(this.described.space);
    return [head, h("p", { class: "hint" }, `${empty ? "x and y are both empty" : "x and y are the same"}: no step is needed. Change one of them, or take an example.`)];
  }

  // What to do where nothing that was tried gives y.
  private unexplained(run: Run): HTMLElement | null {
    const { store } = this.context;
    if (agrees(this.described, run, this.target)) return null;
    const steps = Number(store.state.steps || this.described.steps);
    const longer = Math.min(kMostSteps, steps + 4);
    return h(
      "div",
      { class: "notice" },
      h("p", {}, `No program of at most ${steps} steps that was tried gives y. This one comes closest.`),
      h(
        "div",
        { class: "toolbar" },
        longer > steps && h("button", { type: "button", class: "small", onclick: () => store.set({ steps: longer, override: {} }) }, `Allow ${longer} steps`),
        h("button", { type: "button", class: "small", onclick: () => store.set({ tab: "search" }) }, "Search further"),
      ),
    );
  }

  private draw(head: HTMLElement, answer: ExplainAnswer, stale: boolean): void {
    const { explanation, counterfactual } = answer;
    const { run } = explanation;
    const target = { text: this.context.store.state.y, floor: answer.floor };
    this.target = target;
    const focused = this.focusedStep();
    head.append(
      verdict(this.described, run, target, kExplains),
      h("span", { class: "time", title: "time on the server" }, `${answer.milliseconds.toFixed(0)} ms`),
    );
    this.element.classList.toggle("stale", stale);
    const row = this.row(run, { original: run, changed: new Set() });
    replace(
      this.element,
      head,
      this.summary(explanation),
      this.unexplained(run),
      row,
      this.isFirst && run.codes.length > 0 && !counterfactual && this.picking === null && h("p", { class: "hint" }, ...withTerm("Click a step to put another code in its place.")),
      counterfactual && this.branch(run, counterfactual),
      this.picking !== null && this.picker(run, counterfactual ?? run),
      this.lengths(explanation),
      this.alternatives(explanation),
    );
    if (focused !== null) this.element.querySelector<HTMLElement>(focused)?.focus();
    if (!stale && this.isFirst) announce(`${run.codes.length} steps: ${run.codes.map((code) => this.context.vocabularies.nameOf(this.model, code)).join(", ")}`);
  }

  private focusedStep(): string | null {
    const active = document.activeElement as HTMLElement | null;
    if (!active || !this.element.contains(active) || active.dataset.step === undefined) return null;
    const branch = active.closest(".branch") ? ".branch " : "";
    return `${branch}[data-step="${active.dataset.step}"]`;
  }

  private row(run: Run, against: { original: Run; changed: Set<number> }): HTMLElement {
    const first = Math.min(...against.changed, Infinity);
    return traceRow(this.context, {
      model: this.model,
      run,
      target: this.target.text,
      floor: this.target.floor,
      changed: against.changed,
      from: Number.isFinite(first) ? first : undefined,
      chosen: this.picking ?? undefined,
      onStep: this.isFirst ? (step) => this.pick(step) : undefined,
    });
  }

  private pick(step: number): void {
    this.picking = this.picking === step ? null : step;
    this.render();
    if (this.picking !== null) this.element.querySelector<HTMLElement>(".choice[aria-pressed=true]")?.focus();
  }

  private closePicker(): void {
    const step = this.picking;
    this.picking = null;
    this.render();
    this.element.querySelector<HTMLElement>(`[data-step="${step}"]`)?.focus();
  }

  private picker(original: Run, shown: Run): HTMLElement | null {
    const step = this.picking!;
    if (step > shown.codes.length) return null;
    return codePicker(this.context, {
      model: this.model,
      step,
      current: shown.codes[step - 1],
      original: original.codes[step - 1],
      before: shown.trace[step - 1],
      onPick: (code) => this.override(step, code, original),
      onClose: () => this.closePicker(),
    });
  }

  private override(step: number, code: number, original: Run): void {
    const override = { ...this.context.store.state.override };
    if (code === original.codes[step - 1]) delete override[step];
    else override[step] = code;
    this.closePicker();
    this.context.store.set({ override });
  }

  private branch(original: Run, counterfactual: Run): HTMLElement {
    const changed = new Set(counterfactual.codes.flatMap((code, i) => (code !== original.codes[i] ? [i + 1] : [])));
    return h(
      "div",
      { class: "branch" },
      h(
        "header",
        {},
        h("h3", {}, "Counterfactual"),
        verdict(this.described, counterfactual, this.target, kExplains),
        h(
          "button",
          { type: "button", class: "small", id: "remove-override", onclick: () => this.context.store.set({ override: {} }) },
          "Remove",
        ),
      ),
      this.row(counterfactual, { original, changed }),
    );
  }

  private summary(explanation: Explanation): HTMLElement {
    const program = explanation.run.codes.map((code) => this.context.vocabularies.nameOf(this.model, code));
    return h("p", { class: "program" }, program.length > 0 ? program.join(" → ") : "nothing to do");
  }

  // Why the program has its length: the loss after each step, the chosen one marked.
  private lengths(explanation: Explanation): HTMLElement | null {
    if (explanation.lengths.length === 0) return null;
    const worst = Math.max(...explanation.lengths.map((choice) => choice.loss), 1e-6);
    const chosen = explanation.run.codes.length;
    return h(
      "div",
      { class: "lengths" },
      h("h3", {}, "Why this length"),
      h("p", { class: "hint" }, ...withTerm(`${sentence(explanation.reason)} Bars show the loss after each step; ${kMdl}`)),
      h(
        "ol",
        { class: "bars", "aria-label": "Distance from y by length" },
        ...explanation.lengths.map((choice) =>
          h(
            "li",
            { class: choice.length === chosen ? "chosen" : "" },
            h("span", { class: "bar", style: `--share:${choice.loss / worst}` }),
            h("span", { class: "value" }, choice.exact ? "exact" : shortNumber(choice.loss)),
            h("span", { class: "label" }, choice.length),
          ),
        ),
      ),
    );
  }

  private alternatives(explanation: Explanation): HTMLElement | null {
    if (explanation.alternatives.length === 0) return null;
    return h(
      "details",
      { class: "alternatives" },
      h("summary", {}, `What else it could be (this one: ${percent(explanation.mass)} of the posterior)`),
      ...explanation.alternatives.map(({ run, mass }) =>
        h(
          "div",
          { class: "alternative" },
          h(
            "header",
            {},
            h("span", { class: "mass" }, percent(mass)),
            verdict(this.described, run, this.target, kExplains),
          ),
          traceRow(this.context, { model: this.model, run }),
        ),
      ),
      h("p", { class: "hint" }, ...withTerm("Shares are of the posterior, of programs that the programmer proposed; equal ones count once.")),
    );
  }
}

const percent = (share: number): string => (share > 0 && share < 0.005 ? "under 1 %" : `${Math.round(100 * share)} %`);
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
