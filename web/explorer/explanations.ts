// Explanations of the current pair, one per shown model, asked for anew whenever what they depend on has changed.
import { api, type ExplainAnswer, type ExplainRequest } from "./api";
import type { State, Store } from "./state";

export interface Pending {
  status: "loading" | "ready" | "failed" | "unreadable" | "same"; // unreadable: what is typed; same: x and y
  answer?: ExplainAnswer; // while loading: the one before
  error?: string;
}

const kAlternatives = 5;
const kPatience = 60; // milliseconds until a change is worth a request

export class Explanations {
  private readonly entries = new Map<string, Pending>();
  private readonly keys = new Map<string, string>();
  private readonly running = new Map<string, AbortController>();
  private readonly problems = new Map<string, string>(); // what cannot be read, by field
  private listeners: ((model: string) => void)[] = [];

  constructor(private readonly store: Store) {}

  subscribe(listener: (model: string) => void): void {
    this.listeners.push(listener);
  }

  get(model: string): Pending {
    const [problem] = this.problems.values();
    if (problem !== undefined) return { status: "unreadable", error: problem };
    if (this.store.state.x === this.store.state.y) return { status: "same" };
    return this.entries.get(model) ?? { status: "loading" };
  }

  /** What is typed into a field means nothing, so that nothing can be said of it; "": it does. */
  setProblem(field: "x" | "y", message: string): void {
    if ((this.problems.get(field) ?? "") === message) return;
    if (message === "") this.problems.delete(field);
    else this.problems.set(field, `${field} cannot be read. ${message}`);
    for (const listener of this.listeners) listener(this.store.state.model);
  }

  /** Asks for what is not known yet. */
  refresh(): void {
    const { state } = this.store;
    if (state.x === state.y) return;
    for (const model of new Set([state.model, state.compare])) {
      if (!model) continue;
      const body = requestOf(state, model);
      const key = JSON.stringify(body);
      if (this.keys.get(model) === key) continue;
      this.keys.set(model, key);
      void this.ask(model, body);
    }
  }

  /** After a failure. */
  retry(): void {
    this.keys.clear();
    this.refresh();
  }

  private async ask(model: string, body: ExplainRequest): Promise<void> {
    this.running.get(model)?.abort();
    const controller = new AbortController();
    this.running.set(model, controller);
    this.put(model, { status: "loading", answer: this.get(model).answer });
    try {
      await new Promise((resolve) => setTimeout(resolve, kPatience));
      if (controller.signal.aborted) return;
      const answer = await api.explain(body, controller.signal);
      this.put(model, { status: "ready", answer });
      // Other programs take longer to find; they come after the first answer.
      const more = await api.explain({ ...body, alternatives: kAlternatives }, controller.signal);
      this.put(model, { status: "ready", answer: { ...more, milliseconds: answer.milliseconds } });
    } catch (error) {
      if (!controller.signal.aborted) this.put(model, { status: "failed", error: (error as Error).message });
    }
  }

  private put(model: string, entry: Pending): void {
    this.entries.set(model, entry);
    for (const listener of this.listeners) listener(model);
  }
}

// Codes of two models have nothing to do with each other: overrides are for the first.
function requestOf(state: State, model: string): ExplainRequest {
  const body: ExplainRequest = { model, x: state.x, y: state.y };
  if (state.steps > 0) body.steps = state.steps;
  if (state.tolerance !== "") body.tolerance = Number(state.tolerance);
  const overrides = Object.entries(state.override);
  if (model === state.model && overrides.length > 0)
    body.override = overrides.map(([step, code]) => ({ step: Number(step), code }));
  return body;
}
