// A grid to paint on: with the mouse or a finger (drag to go on), or with the keyboard (arrows, digits, space).
import type { World } from "./api";
import { h } from "./dom";
import type { Editor, EditorOptions } from "./editor";
import { cellColour, kColourNames } from "./observations";

// The colour that all grids of the page paint with.
let brush = 1;

export function palette(world: World): HTMLElement {
  const group = h("div", { class: "palette", role: "radiogroup", "aria-label": "Colour to paint with" });
  const choose = (value: number, focus: boolean) => {
    brush = value;
    for (const [i, swatch] of [...group.children].entries()) {
      swatch.setAttribute("aria-checked", String(i === value));
      (swatch as HTMLElement).tabIndex = i === value ? 0 : -1;
    }
    if (focus) (group.children[value] as HTMLElement).focus();
  };
  for (let value = 0; value < world.values; ++value) {
    const name = value === 0 ? "eraser" : kColourNames[value];
    const swatch = h("button", {
      type: "button",
      role: "radio",
      class: value === 0 ? "swatch eraser" : "swatch",
      "aria-label": name,
      title: `${name} (${value})`,
      style: `background:${cellColour(world, value)}`,
      onclick: () => choose(value, false),
    });
    group.append(swatch);
  }
  group.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    choose((brush + by + world.values) % world.values, true);
  });
  choose(brush, false);
  return group;
}

export function gridEditor(world: World, options: EditorOptions): Editor {
  return new GridEditor(world, options);
}

class GridEditor implements Editor {
  readonly element: HTMLElement;
  private readonly side: number;
  private readonly cells: HTMLElement[] = [];
  private values: number[];
  private cursor = 0;
  private stroke: number | null = null; // the value being painted while the pointer is down
  private before = "";

  constructor(
    private readonly world: World,
    private readonly options: EditorOptions,
  ) {
    this.side = world.shape[0];
    this.values = new Array(this.side * this.side).fill(0);
    this.element = h("div", { class: "grid-editor", role: "grid", "aria-label": `${options.label}, paint here` });
    for (let row = 0; row < this.side; ++row) {
      const line = h("div", { role: "row", class: "row" });
      for (let column = 0; column < this.side; ++column) line.append(this.makeCell());
      this.element.append(line);
    }
    this.element.addEventListener("pointerdown", (event) => this.begin(event));
    this.element.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.element.addEventListener(end, () => this.commit());
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  set(text: string): void {
    if (this.stroke !== null) return; // what is being painted now is newer
    [...text].forEach((digit, i) => this.paint(i, Number(digit)));
  }

  private makeCell(): HTMLElement {
    const index = this.cells.length;
    const cell = h("div", { role: "gridcell", class: "cell", tabindex: index === 0 ? 0 : -1, "data-index": index });
    cell.addEventListener("focus", () => this.moveCursor(index));
    this.cells.push(cell);
    this.label(index, 0);
    return cell;
  }

  private label(index: number, value: number): void {
    const [row, column] = [Math.floor(index / this.side) + 1, (index % this.side) + 1];
    this.cells[index].setAttribute("aria-label", `row ${row}, column ${column}: ${kColourNames[value]}`);
  }

  private paint(index: number, value: number): void {
    this.values[index] = value;
    this.cells[index].style.background = cellColour(this.world, value);
    this.label(index, value);
  }

  private cellAt(event: PointerEvent): number | null {
    const target = document.elementFromPoint(event.clientX, event.clientY) as HTMLElement | null;
    if (!target || !this.element.contains(target) || target.dataset.index === undefined) return null;
    return Number(target.dataset.index);
  }

  private begin(event: PointerEvent): void {
    const index = this.cellAt(event);
    if (index === null || event.button !== 0) return;
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    this.before = this.values.join("");
    this.stroke = this.values[index] === brush ? 0 : brush; // painting over the same colour erases it
    this.cells[index].focus({ preventScroll: true });
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
    const text = this.values.join("");
    if (text !== this.before) this.options.onChange(text);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowUp: -this.side, ArrowDown: this.side, ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const column = this.cursor % this.side;
      if ((step === -1 && column === 0) || (step === 1 && column === this.side - 1)) return;
      const next = this.cursor + step;
      if (next >= 0 && next < this.cells.length) this.cells[next].focus();
      return;
    }
    const digit = /^[0-9]$/.test(event.key) ? Number(event.key) : null;
    const erase = event.key === "Backspace" || event.key === "Delete";
    const press = event.key === " " || event.key === "Enter";
    if (digit === null && !erase && !press) return;
    if (digit !== null && digit >= this.world.values) return;
    event.preventDefault();
    event.stopPropagation();
    const value = erase ? 0 : (digit ?? (this.values[this.cursor] === brush ? 0 : brush));
    if (this.values[this.cursor] === value) return;
    this.paint(this.cursor, value);
    this.options.onChange(this.values.join(""));
  }

  private moveCursor(index: number): void {
    this.cells[this.cursor].tabIndex = -1;
    this.cursor = index;
    this.cells[index].tabIndex = 0;
  }
}
