// All that a permalink holds, with undo and redo.
export type Tab = "explain" | "vocabulary" | "search" | "training" | "data";

export interface State {
  tab: Tab;
  model: string;
  compare: string; // a second model, or ""
  x: string;
  y: string;
  query: string; // another input to apply the program to; "" where there is none yet
  truth: string; // the result of the hidden program on it; "" where unknown
  program: string; // the hidden program of a sample, by its true primitives; "" where unknown
  override: Record<number, number>; // step -> code
  steps: number; // longest program; 0: the model's own
  tolerance: string; // stop at this loss; "": the theory's own
}

type Listener = (state: State, previous: State) => void;
const kMostUndo = 200;

export class Store {
  private past: State[] = [];
  private future: State[] = [];
  private listeners: Listener[] = [];

  constructor(private current: State) {}

  get state(): State {
    return this.current;
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Changes some of the state. Changing tabs is not an edit: undo skips it. */
  set(change: Partial<State>): void {
    const next = { ...this.current, ...change };
    if (JSON.stringify(next) === JSON.stringify(this.current)) return;
    const edit = Object.keys(change).some((key) => key !== "tab");
    if (edit) {
      this.past.push(this.current);
      if (this.past.length > kMostUndo) this.past.shift();
      this.future = [];
    }
    this.replace(next);
  }

  /** Changes the pair and drops what was derived from the old one. */
  setPair(change: Partial<Pick<State, "x" | "y">>): void {
    this.set({ ...change, override: {}, program: "", truth: "" });
  }

  undo(): void {
    const previous = this.past.pop();
    if (!previous) return;
    this.future.push(this.current);
    this.replace({ ...previous, tab: this.current.tab });
  }

  redo(): void {
    const next = this.future.pop();
    if (!next) return;
    this.past.push(this.current);
    this.replace({ ...next, tab: this.current.tab });
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }
  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Another permalink was opened in this page. */
  replace(next: State): void {
    const previous = this.current;
    this.current = next;
    for (const listener of this.listeners) listener(next, previous);
  }
}
