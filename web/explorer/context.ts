// What every panel needs: the state, the models, and what the server has said so far.
import { sameSpace } from "../shared/observations";
import { api, type Model, type Vocabulary } from "./api";
import type { Explanations } from "./explanations";
import type { Store } from "./state";

export interface Context {
  store: Store;
  models: Model[];
  vocabularies: Vocabularies;
  explanations: Explanations;
}

/** The model that is looked at. */
export function modelOf(context: Context): Model {
  return modelNamed(context, context.store.state.model);
}

export function modelNamed(context: Context, id: string): Model {
  return context.models.find((model) => model.id === id)!;
}

/** Those that can be asked about the same pair. */
export function comparable(models: Model[], model: Model): Model[] {
  return models.filter((other) => other.id !== model.id && sameSpace(other.space, model.space));
}

/** The model, and the one that it is compared with if there is one. */
export function shownModels(context: Context): string[] {
  const { model, compare } = context.store.state;
  return compare && compare !== model ? [model, compare] : [model];
}

/** Vocabularies, asked for once per model. Codes without a name of their own take it from there as soon as it is known. */
export class Vocabularies {
  private readonly asked = new Map<string, Promise<Vocabulary>>();
  private readonly known = new Map<string, Vocabulary>();
  private listeners: (() => void)[] = [];

  constructor(private readonly models: Model[]) {}

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

  /** What a code was named or, once that is known, what it does: "move up"; "code 4" until then. No two have one name. */
  nameOf(model: string, code: number): string {
    const name = this.plainName(model, code);
    if (name === "") return `code ${code}`;
    const { codes } = this.models.find((entry) => entry.id === model)!;
    const shared = Array.from({ length: codes }, (_, other) => other).some((other) => other !== code && this.plainName(model, other) === name);
    return shared ? `${name} (code ${code})` : name;
  }

  private plainName(model: string, code: number): string {
    const given = this.models.find((entry) => entry.id === model)?.names[code];
    const name = given || (this.known.get(model)?.codes.find((entry) => entry.code === code)?.name ?? "");
    return name === `z${code}` ? "" : readable(name);
  }
}

export const readable = (name: string): string => name.replace(/_/g, " ").replace(/^\*(?=\d)/, "× ");
