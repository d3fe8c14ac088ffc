// Real numbers: bars, a field for each, and a line with all of them.
import { parse, realText, replaced, roughly, serialize, sizeOf } from "../shared/observations";
import type { Drawable } from "../shared/pixels";
import { h, replace } from "./dom";
import type { Editor, EditorOptions } from "./editor";
import { picture } from "./pictures";
import { typedField } from "./typed";

const kFewFields = 32; // more are reached one at a time

export function vectorEditor(model: Drawable, options: EditorOptions): Editor {
  return new VectorEditor(model, options);
}

class VectorEditor implements Editor {
  readonly element: HTMLElement;
  private readonly chart = h("div");
  private readonly fields: HTMLInputElement[] = [];
  private readonly place: HTMLInputElement | null; // which number the only field shows
  private readonly show: (text: string, written: string) => void;
  private values: number[] = [];
  private text = "";

  constructor(
    private readonly model: Drawable,
    private readonly options: EditorOptions,
  ) {
    const count = sizeOf(model.space);
    const few = count <= kFewFields;
    const line = h(few ? "input" : "textarea", { class: "whole", rows: 3, autocomplete: "off", spellcheck: "false", "aria-label": `${options.label}, ${count} numbers with commas between` });
    this.show = typedField(line, {
      read: (written) => this.read(written),
      expected: `${count} numbers with commas between`,
      onChange: (text) => this.take(text),
      onProblem: options.onProblem,
    });
    this.place = few ? null : h("input", { type: "number", class: "short", min: 1, max: count, value: 1, "aria-label": "Which number", oninput: () => this.drawFields() });
    for (let i = 0; i < (few ? count : 1); ++i) this.fields.push(this.makeField(i));
    this.element = h(
      "div",
      { class: "vector-editor" },
      this.chart,
      h("div", { class: "number-fields", role: "group", "aria-label": `${options.label}, number by number` }, this.place && h("span", { class: "hint" }, "number"), this.place, this.place && h("span", { class: "hint" }, "is"), ...this.fields),
      line,
    );
  }

  set(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.values = parse(this.model.space, text) ?? [];
    this.show(text, this.values.map(realText).join(", "));
    this.draw();
  }

  private read(written: string): string | null {
    const words = written.trim().split(/[\s,;]+/);
    const text = words.join(",");
    const values = parse(this.model.space, text);
    return values ? serialize(this.model.space, values) : null;
  }

  private makeField(i: number): HTMLInputElement {
    const field = h("input", { type: "number", step: "any", "aria-label": `number ${i + 1}` });
    field.addEventListener("change", () => {
      const value = Math.fround(field.valueAsNumber);
      if (Number.isFinite(value)) this.change(this.indexOf(i), value);
      else this.drawFields();
    });
    return field;
  }

  private indexOf(field: number): number {
    if (!this.place) return field;
    return Math.min(this.values.length, Math.max(1, Math.round(this.place.valueAsNumber || 1))) - 1;
  }

  private change(i: number, value: number): void {
    const text = serialize(this.model.space, replaced(this.values, i, value));
    this.set(text);
    this.options.onChange(text);
  }

  private take(text: string): void {
    this.text = text;
    this.values = parse(this.model.space, text)!;
    this.draw();
    this.options.onChange(text);
  }

  private draw(): void {
    replace(this.chart, picture(this.model, serialize(this.model.space, this.values), this.options.label));
    this.drawFields();
  }

  private drawFields(): void {
    this.fields.forEach((field, i) => {
      const value = this.values[this.indexOf(i)] ?? 0;
      if (Math.fround(field.valueAsNumber) !== value) field.value = realText(value);
      field.title = roughly(value);
    });
  }
}
