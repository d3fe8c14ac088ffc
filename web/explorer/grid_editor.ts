// A grid to paint on: with the mouse or a finger (drag to continue), or with the keyboard (arrows, digits, space). Where cells
// have channels, the one that is painted in is shown.
import { channelsOf, columnsOf, parse, rowsOf, serialize, sizeOf, valuesAt } from "../shared/observations";
import type { Drawable } from "../shared/pixels";
import { h } from "./dom";
import type { Editor, EditorOptions } from "./editor";
import { brush } from "./grid_brush";
import { cellColour, valueName } from "./pictures";

const kFewCells = 40; // per side, so that lines do not hide them

export function gridEditor(model: Drawable, options: EditorOptions): Editor {
  return new GridEditor(model, options);
}

class GridEditor implements Editor {
  readonly element: HTMLElement;
  private readonly columns: number;
  private readonly cells: HTMLElement[] = [];
  private readonly shown: number[] = []; // value of each cell as it is drawn
  private values: number[];
  private cursor = 0;
  private stroke: number | null = null; // the value being painted while the pointer is down
  private before = "";

  constructor(
    private readonly model: Drawable,
    private readonly options: EditorOptions,
  ) {
    const { space } = model;
    this.columns = columnsOf(space);
    this.values = new Array(sizeOf(space)).fill(0);
    brush.fit(space);
    this.element = h("div", {
      class: Math.max(this.columns, rowsOf(space)) > kFewCells ? "grid-editor fine" : "grid-editor",
      role: "grid",
      "aria-label": `${options.label}, paint here`,
      style: `--columns:${this.columns};aspect-ratio:${this.columns}/${rowsOf(space)}`,
    });
    for (let row = 0; row < rowsOf(space); ++row) {
      const line = h("div", { role: "row", class: "row" });
      for (let column = 0; column < this.columns; ++column) line.append(this.makeCell());
      this.element.append(line);
    }
    this.draw();
    brush.subscribe({ element: this.element, onChannel: () => this.draw() });
    this.element.addEventListener("pointerdown", (event) => this.begin(event));
    this.element.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.element.addEventListener(end, () => this.commit());
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  set(text: string): void {
    const values = parse(this.model.space, text);
    if (this.stroke !== null || !values) return; // what is being painted now is newer
    this.values = values;
    this.draw();
  }

  private makeCell(): HTMLElement {
    const index = this.cells.length;
    const cell = h("div", { role: "gridcell", class: "cell", tabindex: index === 0 ? 0 : -1, "data-index": index });
    cell.addEventListener("focus", () => this.moveCursor(index));
    this.cells.push(cell);
    return cell;
  }

  // Of the channel that is painted in.
  private elementAt(index: number): number {
    return index * channelsOf(this.model.space) + brush.channel;
  }

  private draw(): void {
    this.cells.forEach((_, index) => this.drawCell(index));
  }

  private drawCell(index: number): void {
    const element = this.elementAt(index);
    const value = this.values[element]!;
    const key = value + 1000 * brush.channel;
    if (this.shown[index] === key) return;
    this.shown[index] = key;
    const [row, column] = [Math.floor(index / this.columns) + 1, (index % this.columns) + 1];
    this.cells[index]!.style.background = cellColour(this.model, value, element);
    this.cells[index]!.setAttribute("aria-label", `row ${row}, column ${column}: ${valueName(this.model.space, value, element)}`);
  }

  private paint(index: number, value: number): void {
    this.values[this.elementAt(index)] = value;
    this.drawCell(index);
  }

  private cellAt(event: PointerEvent): number | null {
    const target = document.elementFromPoint(event.clientX, event.clientY) as HTMLElement | null;
    if (!target || !this.element.contains(target) || target.dataset.index === undefined) return null;
    return Number(target.dataset.index);
  }

  // Painting over the same value takes it away.
  private strokeAt(index: number): number {
    return this.values[this.elementAt(index)] === brush.value ? 0 : brush.value;
  }

  private begin(event: PointerEvent): void {
    const index = this.cellAt(event);
    if (index === null || event.button !== 0) return;
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    this.before = this.text();
    this.stroke = this.strokeAt(index);
    this.cells[index]!.focus({ preventScroll: true });
    this.paint(index, this.stroke);
  }

  private move(event: PointerEvent): void {
    if (this.stroke === null) return;
    const index = this.cellAt(event);
    if (index !== null) this.paint(index, this.stroke);
  }

  private commit(): void {
    if (this.stroke === null) return;
    this.stroke = null;
    if (this.text() !== this.before) this.options.onChange(this.text());
  }

  private text(): string {
    return serialize(this.model.space, this.values);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowUp: -this.columns, ArrowDown: this.columns, ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const column = this.cursor % this.columns;
      if ((step === -1 && column === 0) || (step === 1 && column === this.columns - 1)) return;
      this.cells[this.cursor + step]?.focus();
      return;
    }
    const digit = /^[0-9]$/.test(event.key) ? Number(event.key) : null;
    const erase = event.key === "Backspace" || event.key === "Delete";
    const press = event.key === " " || event.key === "Enter";
    if (digit === null && !erase && !press) return;
    if (digit !== null && digit >= valuesAt(this.model.space, brush.channel)) return;
    event.preventDefault();
    event.stopPropagation();
    const value = erase ? 0 : (digit ?? this.strokeAt(this.cursor));
    if (this.values[this.elementAt(this.cursor)] === value) return;
    this.paint(this.cursor, value);
    this.options.onChange(this.text());
  }

  private moveCursor(index: number): void {
    this.cells[this.cursor]!.tabIndex = -1;
    this.cursor = index;
    this.cells[index]!.tabIndex = 0;
  }
}
