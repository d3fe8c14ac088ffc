// Observations as they are seen, whatever their layout.
import { barBoxes, heightOf, type Scale, scaleOfValues } from "../shared/bars";
import { channelsOf, columnsOf, mostValues, numberText, paddingAt, parse, roughly, rowsOf, type Space, symbolOf } from "../shared/observations";
import { drawPixels, type Drawable, extentOf, valueColour } from "../shared/pixels";
import { h, svg } from "./dom";
import { withTerm } from "./terms";

const kColourNames = ["background", "blue", "red", "green", "yellow", "grey", "pink", "orange", "cyan"]; // of the first values of every palette
const kFewTokens = 64; // fit without scrolling
const kFewNumbers = 64; // fit as bars; more are a line
const kSpokenNumbers = 8; // are written below their bars

/** Whether observations are text, which stays readable where pictures would be scaled. */
export const isText = (space: Space): boolean => space.layout === "number" || space.layout === "sequence";

/** Whether two editors beside each other would have too little room. */
export function isWide(space: Space): boolean {
  if (space.layout === "number") return space.shape[0]! > 12;
  if (space.layout === "grid") return columnsOf(space) > 24;
  return space.layout !== "image";
}

/** What a value of a grid is called. */
export function valueName(space: Space, value: number, element = 0): string {
  if (value === paddingAt(space, element)) return "nothing";
  return space.symbols?.[value] ?? (channelsOf(space) === 1 ? kColourNames[value] : undefined) ?? `value ${value}`;
}

/** The colour of a grid cell; the background follows the theme. */
export function cellColour({ space, palette }: Drawable, value: number, element: number): string {
  if (value === paddingAt(space, element)) return "var(--nothing)";
  return valueColour(palette, value) ?? "var(--cell)";
}

/** What a screen reader says. */
export function describe(space: Space, text: string): string {
  const values = parse(space, text) ?? [];
  switch (space.layout) {
    case "number":
      return numberText(space, text);
    case "sequence":
      return `${values.length} tokens: ${values.slice(0, 40).map((value, i) => symbolOf(space, value, i) || "nothing").join(" ")}`;
    case "image":
      return `an image of ${columnsOf(space)} by ${rowsOf(space)} pixels`;
    case "vector":
      return `${values.length} numbers: ${values.slice(0, 16).map((value) => roughly(value)).join(", ")}`;
    case "grid":
      return describeGrid(space, values);
  }
}

function describeGrid(space: Space, values: number[]): string {
  const columns = columnsOf(space);
  if (channelsOf(space) > 1) return `a grid of ${rowsOf(space)} by ${columns} cells in ${channelsOf(space)} channels`;
  const filled = values.flatMap((value, i) => (value > 0 && value !== paddingAt(space, i) ? [{ value, row: Math.floor(i / columns), column: i % columns }] : []));
  if (filled.length === 0) return "an empty grid";
  const names = [...new Set(filled.map((cell) => valueName(space, cell.value)))];
  const colours = names.length > 4 ? "different" : names.join(" and ");
  const range = (numbers: number[]) => `${Math.min(...numbers) + 1} to ${Math.max(...numbers) + 1}`;
  return `a grid with ${filled.length} ${colours} cells, rows ${range(filled.map((c) => c.row))}, columns ${range(filled.map((c) => c.column))}`;
}

/** That of some observations; none where they are no vectors. */
export function scaleOf(space: Space, texts: string[]): Scale | undefined {
  return space.layout === "vector" ? scaleOfValues(texts.flatMap((text) => parse(space, text) ?? [])) : undefined;
}

/** A picture of an observation that cannot be edited: `--picture` wide, more or less by its proportions. */
export function picture(model: Drawable, text: string, label = "", scale?: Scale): HTMLElement {
  const { space } = model;
  const name = (label ? label + ": " : "") + describe(space, text);
  const box = h("div", { class: `picture ${space.layout}`, style: `--wide:${proportion(space).toFixed(2)}` });
  if (space.layout === "number") box.append(h("span", { class: "number" }, numberText(space, text)));
  else if (space.layout === "sequence") box.append(tokens(model, text, name));
  else if (space.layout === "vector") box.append(...bars(space, text, name, scale));
  else {
    const canvas = h("canvas", { role: "img", "aria-label": name });
    drawPixels(canvas, model, text);
    box.append(canvas);
  }
  return box;
}

export function figure(model: Drawable, text: string, label: string, scale?: Scale): HTMLElement {
  return h("figure", {}, picture(model, text, label, scale), h("figcaption", {}, ...withTerm(label)));
}

// Long and flat pictures are wider than high ones, and those with much in them are larger.
function proportion(space: Space): number {
  if (space.layout === "vector") return space.shape[0]! > 16 ? 2 : 1.25;
  if (isText(space)) return 1;
  const [width, height] = extentOf(space);
  const shape = Math.min(2.4, Math.max(0.6, Math.sqrt(width / height)));
  return Math.max(rowsOf(space), columnsOf(space)) > (space.layout === "grid" ? 40 : 64) ? 1.4 * shape : shape;
}

function tokens({ space, palette }: Drawable, text: string, name: string): HTMLElement {
  const values = parse(space, text) ?? [];
  const many = values.length > kFewTokens;
  const list = h("div", { class: many ? "tokens many" : "tokens", role: "img", "aria-label": name, tabindex: many ? 0 : undefined, style: `--letters:${widestToken(space)}` });
  values.forEach((value, i) => list.append(h("span", { class: "token", style: tokenStyle({ space, palette }, value) }, symbolOf(space, value, i) || "·")));
  return list;
}

/** Characters of the longest token, so that all take the same room. */
export function widestToken(space: Space): number {
  const written = space.symbols ?? [String(mostValues(space) - 1)];
  return Math.min(12, Math.max(1, ...written.map((symbol) => symbol.length)));
}

/** Equal tokens look alike. */
export function tokenStyle({ space, palette }: Drawable, value: number): string {
  const plain = value === paddingAt(space, 0) || palette.length === 0;
  return `--tint:${(plain ? null : valueColour(palette, value)) ?? "transparent"}`;
}

function bars(space: Space, text: string, name: string, scale?: Scale): Element[] {
  const values = parse(space, text) ?? [];
  const drawing = svg("svg", { viewBox: "0 0 100 60", preserveAspectRatio: "none", role: "img", "aria-label": name });
  drawing.append(...barShapes(values, scale ?? scaleOf(space, [text])!, 100, 60));
  if (values.length > kSpokenNumbers) return [drawing];
  return [drawing, h("span", { class: "readings", "aria-hidden": "true" }, values.map((value) => roughly(value)).join("  "))];
}

/** The bars alone, from the upper left corner; a line where they would be too thin. */
export function barShapes(values: number[], scale: Scale, width: number, height: number): SVGElement[] {
  const y = (value: number) => heightOf(value, scale, height);
  const zero = svg("line", { class: "zero", x1: 0, x2: width, y1: y(0), y2: y(0) });
  if (values.length > kFewNumbers) {
    const points = values.map((value, i) => `${(((i + 0.5) * width) / values.length).toFixed(2)},${y(value).toFixed(2)}`).join(" ");
    return [zero, svg("polyline", { class: "curve", points })];
  }
  return [...barBoxes(values, scale, width, height).map(({ below, ...box }) => svg("rect", { class: below ? "bar below" : "bar", ...box })), zero];
}

/** A few characters, for where there is no more room. */
export function brief(space: Space, text: string, most: number): string {
  const whole = space.layout === "number" ? numberText(space, text) : (parse(space, text) ?? []).map((value, i) => symbolOf(space, value, i)).join(" ");
  return whole.length > most ? whole.slice(0, most - 1) + "…" : whole;
}
