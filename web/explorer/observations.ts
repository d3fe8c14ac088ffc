// Observations as they travel (one text each) and as they are seen.
import type { World } from "./api";
import { h } from "./dom";

export type Kind = "grid" | "number" | "image";

export function kindOf(world: World): Kind {
  return world.shape.length === 3 ? "image" : world.shape.length === 2 ? "grid" : "number";
}

const sizeOf = (world: World) => world.shape.reduce((a, b) => a * b, 1);

/** Whether a text is an observation of this world. */
export function sizeOfText(world: World, text: string): boolean {
  if (kindOf(world) === "image") return text.length === 4096 && /^[A-Za-z0-9+/]*$/.test(text);
  return text.length === sizeOf(world) && [...text].every((c) => c >= "0" && Number(c) < world.values);
}

export function emptyObservation(world: World): string {
  return kindOf(world) === "image" ? bytesToText(new Uint8Array(sizeOf(world)).fill(200)) : "0".repeat(sizeOf(world));
}

export function textToBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

export function bytesToText(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export const asNumber = (text: string): string => text.replace(/^0+(?=.)/, "");
export const fromNumber = (text: string): string => text.padStart(6, "0");

/** The colour of a grid cell; the background follows the theme. */
export function cellColour(world: World, value: number): string {
  return value === 0 ? "var(--cell)" : world.palette[value];
}

export const kColourNames = ["background", "blue", "red", "green", "yellow", "grey", "pink", "orange", "cyan"];

/** What a screen reader says. */
export function describe(world: World, text: string): string {
  const kind = kindOf(world);
  if (kind === "number") return asNumber(text);
  if (kind === "image") return "an image of 32 by 32 pixels";
  const cells = [...text].map(Number);
  const filled = cells.flatMap((value, i) => (value > 0 ? [{ value, row: Math.floor(i / 10), column: i % 10 }] : []));
  if (filled.length === 0) return "an empty grid";
  const colours = [...new Set(filled.map((cell) => kColourNames[cell.value]))].join(" and ");
  const rows = filled.map((cell) => cell.row + 1);
  const columns = filled.map((cell) => cell.column + 1);
  return (
    `a grid with ${filled.length} ${colours} cells, rows ${Math.min(...rows)} to ${Math.max(...rows)}, ` +
    `columns ${Math.min(...columns)} to ${Math.max(...columns)}`
  );
}

/** A picture of an observation that cannot be edited. Its size is the container's business (CSS). */
export function picture(world: World, text: string, label = ""): HTMLElement {
  const kind = kindOf(world);
  const name = (label ? label + ": " : "") + describe(world, text);
  if (kind === "number") return h("span", { class: "number" }, asNumber(text));
  const canvas = h("canvas", { class: kind, role: "img", "aria-label": name });
  if (kind === "image") drawImage(canvas, text);
  else drawGrid(canvas, world, text);
  return canvas;
}

export function drawImage(canvas: HTMLCanvasElement, text: string): void {
  canvas.width = canvas.height = 32;
  const data = new ImageData(32, 32);
  const bytes = textToBytes(text);
  for (let i = 0; i < 1024; ++i) {
    data.data.set(bytes.subarray(3 * i, 3 * i + 3), 4 * i);
    data.data[4 * i + 3] = 255;
  }
  canvas.getContext("2d")!.putImageData(data, 0, 0);
}

// Twelve dots per cell: one for the line, and enough that scaling leaves the lines even.
const kCell = 12;

export function drawGrid(canvas: HTMLCanvasElement, world: World, text: string, lines = true): void {
  const side = world.shape[0];
  canvas.width = canvas.height = side * kCell + 1;
  const context = canvas.getContext("2d")!;
  context.fillStyle = "rgb(128 134 145 / 0.32)"; // on whatever background the theme has
  for (let i = 0; lines && i <= side; ++i) {
    context.fillRect(i * kCell, 0, 1, canvas.height);
    context.fillRect(0, i * kCell, canvas.width, 1);
  }
  for (let i = 0; i < text.length; ++i) {
    if (text[i] === "0") continue;
    context.fillStyle = world.palette[Number(text[i])];
    const line = lines ? 1 : 0;
    context.fillRect((i % side) * kCell + line, Math.floor(i / side) * kCell + line, kCell - line, kCell - line);
  }
}

/** Mean distance of two images on [0, 1]. */
export function imageDistance(a: string, b: string): number {
  const [one, other] = [textToBytes(a), textToBytes(b)];
  let total = 0;
  for (let i = 0; i < one.length; ++i) total += Math.abs(one[i] - other[i]);
  return total / (255 * one.length);
}
