// A picture from a file, dropped or pasted, cut and scaled here so that files never travel; or painted, pixel by pixel.
import { channelsOf, columnsOf, parse, rowsOf, serialize, type Space } from "../shared/observations";
import { drawPixels, type Drawable } from "../shared/pixels";
import { h } from "./dom";
import type { Editor, EditorOptions } from "./editor";
import { imageBrush } from "./image_brush";
import { fromPicture } from "./image_file";
import { announce, attempt } from "./notices";
import { describe } from "./pictures";

export function imageEditor(model: Drawable, options: EditorOptions): Editor {
  return new ImageEditor(model, options);
}

class ImageEditor implements Editor {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly cursorMark = h("span", { class: "cursor", hidden: true });
  private readonly note = h("p", { class: "hint", hidden: true });
  private values: number[] = [];
  private cursor = { row: 0, column: 0 };
  private painting = false;
  private last: { row: number; column: number } | null = null;

  constructor(
    private readonly model: Drawable,
    private readonly options: EditorOptions,
  ) {
    const { space } = model;
    this.canvas = h("canvas", { tabindex: 0, role: "application" });
    const file = h("input", { type: "file", accept: "image/*", class: "unseen", tabindex: -1, "aria-hidden": "true" });
    const choose = h("button", { type: "button", class: "small", onclick: () => file.click(), "aria-label": `${options.label}: choose a picture` }, "Choose a picture");
    const surface = h("div", { class: "surface", style: `aspect-ratio:${columnsOf(space)}/${rowsOf(space)}` }, this.canvas, this.cursorMark);
    this.element = h("div", { class: "image-editor" }, surface, this.note, file, choose);
    file.addEventListener("change", () => {
      this.load(file.files?.[0]);
      file.value = ""; // so that the same file can be chosen again
    });
    this.listenForDrops();
    this.canvas.addEventListener("pointerdown", (event) => this.begin(event));
    this.canvas.addEventListener("pointermove", (event) => this.painting && this.paintTo(this.pixelAt(event)));
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => this.commit());
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("blur", () => (this.cursorMark.hidden = true));
  }

  set(text: string): void {
    const values = parse(this.model.space, text);
    if (this.painting || !values) return; // what is being painted now is newer
    this.values = values;
    this.draw();
    this.canvas.setAttribute("aria-label", `${this.options.label}: ${describe(this.model.space, text)}; arrow keys and space paint`);
  }

  private draw(): void {
    drawPixels(this.canvas, this.model, serialize(this.model.space, this.values));
  }

  private load(blob: Blob | null | undefined): void {
    if (!blob) return;
    void attempt(async () => {
      const { values, note } = await fromPicture(blob, this.model.space);
      this.note.textContent = note;
      this.note.hidden = note === "";
      if (note !== "") announce(note);
      this.options.onChange(serialize(this.model.space, values));
    });
  }

  private listenForDrops(): void {
    const { element } = this;
    element.addEventListener("dragover", (event) => {
      event.preventDefault();
      element.classList.add("over");
    });
    element.addEventListener("dragleave", () => element.classList.remove("over"));
    element.addEventListener("drop", (event) => {
      event.preventDefault();
      element.classList.remove("over");
      this.load(event.dataTransfer?.files[0]);
    });
    element.addEventListener("paste", (event) => this.load(event.clipboardData?.files[0]));
  }

  private pixelAt(event: PointerEvent): { row: number; column: number } {
    const box = this.canvas.getBoundingClientRect();
    const { space } = this.model;
    return {
      row: Math.floor(((event.clientY - box.top) / box.height) * rowsOf(space)),
      column: Math.floor(((event.clientX - box.left) / box.width) * columnsOf(space)),
    };
  }

  private begin(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    this.canvas.setPointerCapture(event.pointerId);
    this.painting = true;
    this.last = null;
    this.paintTo(this.pixelAt(event));
  }

  // A line from where the pointer was: it may have skipped some pixels.
  private paintTo(to: { row: number; column: number }): void {
    const from = this.last ?? to;
    const steps = Math.max(1, Math.abs(to.row - from.row), Math.abs(to.column - from.column));
    for (let i = 0; i <= steps; ++i)
      dab(this.model.space, this.values, Math.round(from.row + ((to.row - from.row) * i) / steps), Math.round(from.column + ((to.column - from.column) * i) / steps));
    this.last = to;
    this.draw();
  }

  private commit(): void {
    if (!this.painting) return;
    this.painting = false;
    this.options.onChange(serialize(this.model.space, this.values));
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { space } = this.model;
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (move) {
      event.preventDefault();
      const within = (at: number, size: number) => Math.min(size - 1, Math.max(0, at));
      this.cursor = { row: within(this.cursor.row + move[0]!, rowsOf(space)), column: within(this.cursor.column + move[1]!, columnsOf(space)) };
      this.showCursor();
      announce(`row ${this.cursor.row + 1}, column ${this.cursor.column + 1}`);
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      dab(space, this.values, this.cursor.row, this.cursor.column);
      this.draw();
      this.options.onChange(serialize(space, this.values));
    }
  }

  private showCursor(): void {
    const { space } = this.model;
    const share = (at: number, size: number) => `${(100 * at) / size}%`;
    this.cursorMark.style.left = share(this.cursor.column, columnsOf(space));
    this.cursorMark.style.top = share(this.cursor.row, rowsOf(space));
    this.cursorMark.style.width = share(1, columnsOf(space));
    this.cursorMark.style.height = share(1, rowsOf(space));
    this.cursorMark.hidden = false;
  }
}

// The brush, once, with its middle at a pixel.
function dab(space: Space, values: number[], row: number, column: number): void {
  const [rows, columns, channels] = [rowsOf(space), columnsOf(space), channelsOf(space)];
  const reach = (imageBrush.size - 1) / 2;
  for (let r = Math.ceil(row - reach); r <= row + reach; ++r) {
    for (let c = Math.ceil(column - reach); c <= column + reach; ++c) {
      if (r < 0 || r >= rows || c < 0 || c >= columns) continue;
      imageBrush.bytes(channels).forEach((byte, k) => (values[(r * columns + c) * channels + k] = byte));
    }
  }
}
