// What every panel needs: the state, the worlds and models, and what the server has said so far.
import { api, type Model, type Vocabulary, type World } from "./api";
import type { Explanations } from "./explanations";
import type { Store } from "./state";

export interface Context {
  store: Store;
  models: Model[];
  worlds: World[];
  vocabularies: Vocabularies;
  explanations: Explanations;
}

export function worldOf(context: Context): World {
  return context.worlds.find((world) => world.name === context.store.state.world)!;
}

export function modelOf(context: Context, id: string): Model {
  return context.models.find((model) => model.id === id)!;
}

/** The model, and the one that it is compared with if there is one. */
export function shownModels(context: Context): string[] {
  const { model, compare } = context.store.state;
  return compare && compare !== model ? [model, compare] : [model];
}

/** Vocabularies, asked for once per model. Names of codes come from them as soon as they are there. */
export class Vocabularies {
  private readonly asked = new Map<string, Promise<Vocabulary>>();
  private readonly known = new Map<string, Vocabulary>();
  private listeners: (() => void)[] = [];

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  get(model: string): Promise<Vocabulary> {
    let promise = this.asked.get(model);
    if (!promise) {
      promise = api.vocabulary(model);
      this.asked.set(model, promise);
      promise.then(
        (vocabulary) => {
          this.known.set(model, vocabulary);
          for (const listener of this.listeners) listener();
        },
        () => this.asked.delete(model), // may be asked again
      );
    }
    return promise;
  }

  /** "z3" or, once known, what it does: "move_up". */
  nameOf(model: string, code: number): string {
    const name = this.known.get(model)?.codes.find((entry) => entry.code === code)?.name ?? "";
    return name === `z${code}` ? "" : readable(name);
  }
}

export const readable = (name: string): string => name.replace(/_/g, " ").replace(/^\*(?=\d)/, "× ");
