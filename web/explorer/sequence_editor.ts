// A sequence, typed as a whole or token by token.
import { mostValues, paddingAt, parse, replaced, serialize, sizeOf, type Space, symbolOf, valuesAt } from "../shared/observations";
import type { Drawable } from "../shared/pixels";
import { h } from "./dom";
import type { Editor, EditorOptions } from "./editor";
import { tokenStyle, widestToken } from "./pictures";
import { typedField } from "./typed";

export function sequenceEditor(model: Drawable, options: EditorOptions): Editor {
  return new SequenceEditor(model, options);
}

// Without a separator where every token is one character; by number where symbols could not be told apart.
type Notation = "characters" | "words" | "numbers";

export function notationOf(space: Space): Notation {
  const symbols = space.symbols?.slice(0, space.padded ? -1 : undefined);
  if (!symbols) return mostValues(space) <= 10 ? "characters" : "numbers";
  if (new Set(symbols).size < symbols.length || symbols.some((symbol) => symbol === "")) return "numbers";
  if (symbols.every((symbol) => [...symbol].length === 1)) return "characters";
  return symbols.some((symbol) => /[\s,]/.test(symbol)) ? "numbers" : "words";
}

/** The value that a token means, or null. */
export function valueOfToken(space: Space, token: string): number | null {
  const last = valuesAt(space, 0) - (space.padded ? 1 : 0);
  if (token === "" && space.padded) return paddingAt(space, 0);
  const symbol = space.symbols?.indexOf(token) ?? -1;
  if (symbol >= 0 && symbol < last) return symbol;
  if (space.symbols && notationOf(space) !== "numbers") return null;
  return /^[0-9]+$/.test(token) && Number(token) < last ? Number(token) : null;
}

export function writeSequence(space: Space, values: number[]): string {
  const numbers = notationOf(space) === "numbers";
  const tokens = values.map((value, i) => (value === paddingAt(space, i) ? "" : numbers ? String(value) : symbolOf(space, value, i)));
  while (tokens.at(-1) === "") tokens.pop(); // padding is at the end
  return tokens.join(notationOf(space) === "characters" ? "" : " ");
}

export function readSequence(space: Space, written: string): string | null {
  const spaced = notationOf(space) !== "characters" || (/[\s,]/.test(written.trim()) && !space.symbols);
  const tokens = spaced ? written.split(/[\s,]+/).filter((token) => token !== "") : [...written];
  const values = tokens.map((token) => valueOfToken(space, token));
  if (values.some((value) => value === null) || values.length > sizeOf(space)) return null;
  if (values.length < sizeOf(space) && !space.padded) return null;
  while (values.length < sizeOf(space)) values.push(paddingAt(space, 0));
  return serialize(space, values as number[]);
}

/** "0 to 49", "a b c …" */
function examplesOf(space: Space): string {
  const last = mostValues(space) - (space.padded ? 1 : 0);
  if (notationOf(space) === "numbers" || !space.symbols) return `0 to ${last - 1}`;
  return space.symbols.slice(0, Math.min(last, 12)).join(" ") + (last > 12 ? " …" : "");
}

class SequenceEditor implements Editor {
  readonly element: HTMLElement;
  private readonly fields: HTMLInputElement[] = [];
  private readonly show: (text: string, written: string) => void;
  private values: number[] = [];
  private text = "";

  constructor(
    private readonly model: Drawable,
    private readonly options: EditorOptions,
  ) {
    const { space } = model;
    const count = sizeOf(space);
    const expected = `${space.padded ? "up to " : ""}${count} tokens${notationOf(space) === "characters" ? "" : " with spaces between"}`;
    const whole = h("textarea", {
      class: "whole",
      rows: count > 40 ? 4 : 2,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": `${options.label}, ${expected}`,
    });
    this.show = typedField(whole, {
      read: (written) => readSequence(space, written),
      expected: `${expected}, each one of ${examplesOf(space)}`,
      onChange: (text) => this.take(text),
      onProblem: options.onProblem,
    });
    const strip = h("div", { class: "token-fields", role: "group", "aria-label": `${options.label}, token by token`, style: `--letters:${widestToken(space)}` });
    for (let i = 0; i < count; ++i) strip.append(this.makeField(i));
    strip.addEventListener("keydown", (event) => this.key(event));
    this.element = h("div", { class: "sequence-editor" }, strip, whole);
  }

  set(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.values = parse(this.model.space, text) ?? [];
    this.show(text, writeSequence(this.model.space, this.values));
    this.fields.forEach((_, i) => this.draw(i));
  }

  private makeField(i: number): HTMLInputElement {
    const field = h("input", { class: "token", type: "text", autocomplete: "off", spellcheck: "false", "aria-label": `token ${i + 1}`, "data-index": i, tabindex: i === 0 ? 0 : -1 });
    field.addEventListener("focus", () => {
      for (const other of this.fields) other.tabIndex = other === field ? 0 : -1;
      field.select();
    });
    field.addEventListener("input", () => field.setAttribute("aria-invalid", String(valueOfToken(this.model.space, field.value.trim()) === null)));
    field.addEventListener("change", () => this.commit(i));
    this.fields.push(field);
    return field;
  }

  private draw(i: number): void {
    const value = this.values[i]!;
    const field = this.fields[i]!;
    field.value = symbolOf(this.model.space, value, i);
    field.style.cssText = tokenStyle(this.model, value);
    field.setAttribute("aria-invalid", "false");
  }

  private commit(i: number): void {
    const value = valueOfToken(this.model.space, this.fields[i]!.value.trim());
    if (value === null) this.draw(i); // as it was
    else this.change(i, value);
  }

  private change(i: number, value: number): void {
    if (value === this.values[i]) return this.draw(i);
    const text = serialize(this.model.space, replaced(this.values, i, value));
    this.set(text);
    this.options.onChange(text);
  }

  private take(text: string): void {
    this.text = text;
    this.values = parse(this.model.space, text)!;
    this.fields.forEach((_, i) => this.draw(i));
    this.options.onChange(text);
  }

  // Arrows walk along the tokens, or change one.
  private key(event: KeyboardEvent): void {
    const field = event.target as HTMLInputElement;
    const i = Number(field.dataset.index);
    const along = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const whole = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    if (along !== undefined && whole && this.fields[i + along]) {
      event.preventDefault();
      this.fields[i + along]!.focus();
    }
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const count = valuesAt(this.model.space, i);
    this.change(i, (this.values[i]! + by + count) % count);
    field.select();
  }
}
