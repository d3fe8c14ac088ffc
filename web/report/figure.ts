// The frame of a figure: title, choices, the drawing, a caption, the runs it came from, and buttons to save it.
import { h } from "./dom";
import { colours } from "./theme";

export interface Drawing {
  svg: SVGSVGElement;
  // What stands beside the drawing on the page and above it in a file: a legend made by Plot.
  legend?: Node | null;
  runs: string[];
}

export interface FigureOptions {
  id: string;
  title: string;
  paper?: string; // the figure of the paper that it corresponds to
  caption: string;
  // Redraws the choices and the drawing; `redraw` is for choices to call. Null: there is nothing to show yet.
  draw: (redraw: () => void, width: number) => { controls: HTMLElement[]; drawing: Drawing | null };
}

export interface Figure {
  element: HTMLElement;
  redraw: () => void;
}

/** "Figure 4 of the paper", beside a title of ours. */
export const paperMark = (what: string | undefined): HTMLElement | null => (what ? h("span", { class: "paper" }, `${what} of the paper`) : null);

export function figure(options: FigureOptions): Figure {
  const controls = h("div", { class: "controls" });
  const stage = h("div", { class: "stage", tabindex: "0", role: "group", "aria-label": options.title });
  const runs = h("details", { class: "runs" });
  const save = h(
    "div",
    { class: "save" },
    h("button", { type: "button", click: () => saveSvg(stage, options.id) }, "SVG"),
    h("button", { type: "button", click: () => void savePng(stage, options.id) }, "PNG"),
  );
  const element = h(
    "figure",
    { id: options.id },
    h("div", { class: "head" }, h("h3", {}, options.title, paperMark(options.paper)), save),
    controls,
    stage,
    h("figcaption", {}, options.caption),
    runs,
  );
  const redraw = (): void => {
    const width = Math.max(680, Math.min(1000, element.clientWidth - 34 || 900));
    const { controls: choices, drawing } = options.draw(redraw, width);
    controls.replaceChildren(...choices);
    element.classList.toggle("empty", drawing === null);
    if (drawing === null) {
      stage.replaceChildren(h("p", { class: "nothing" }, "No record holds what this figure needs yet."));
      runs.replaceChildren();
      return;
    }
    drawing.svg.classList.add("drawing");
    drawing.svg.setAttribute("role", "img");
    drawing.svg.setAttribute("aria-label", options.title);
    for (const mark of drawing.svg.querySelectorAll("g[aria-label]")) mark.setAttribute("role", "group"); // a label needs a role
    stage.replaceChildren(...(drawing.legend ? [drawing.legend] : []), drawing.svg);
    const names = [...new Set(drawing.runs)].sort();
    runs.replaceChildren(
      h("summary", {}, names.length === 1 ? `from ${names[0]}` : `from ${names.length} runs`),
      h("p", {}, names.join(", ")),
    );
  };
  return { element, redraw };
}

// The drawing as a file of its own: with its background and type, so that it needs nothing from the page.
function standalone(stage: HTMLElement): { text: string; width: number; height: number } {
  const drawing = stage.querySelector<SVGSVGElement>("svg.drawing")!;
  const { paper, ink } = colours();
  const box = drawing.getBoundingClientRect();
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  copy.setAttribute("style", `background: ${paper}; color: ${ink}; font: 12px system-ui, sans-serif`);
  return { text: new XMLSerializer().serializeToString(copy), width: box.width, height: box.height };
}

function download(address: string, name: string): void {
  h("a", { href: address, download: name }).click();
}

function saveSvg(stage: HTMLElement, id: string): void {
  if (!stage.querySelector("svg.drawing")) return;
  const address = URL.createObjectURL(new Blob([standalone(stage).text], { type: "image/svg+xml" }));
  download(address, `${id}.svg`);
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

async function savePng(stage: HTMLElement, id: string): Promise<void> {
  if (!stage.querySelector("svg.drawing")) return;
  const { text, width, height } = standalone(stage);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = 2;
  const canvas = h("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d")!;
  context.fillStyle = colours().paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  download(canvas.toDataURL("image/png"), `${id}.png`);
}
