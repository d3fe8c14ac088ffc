// Grids and images on a canvas.
import { channelsOf, columnsOf, paddingAt, parse, rowsOf, type Space } from "./observations";

export interface Drawable {
  space: Space;
  palette: string[]; // the colour of each value of a grid; value 0 is the background
}

// As neo draws the first values (src/view/palette.cc), where no palette is given.
const kColours = ["", "#1f77b4", "#d62728", "#2ca02c", "#f7c92e", "#7f7f7f", "#e377c2", "#ff7f0e", "#17becf"];

/** Null for the background, which is the page's. */
export function valueColour(palette: string[], value: number): string | null {
  if (value === 0) return null;
  return palette[value] ?? kColours[value] ?? `hsl(${Math.round((value * 137.5) % 360)} 55% 45%)`;
}

const kCell = 12; // dots per cell: one for the line, and enough that scaling leaves the lines even
const kPlaneGap = 10; // dots between the channels, which are drawn as planes beside each other
const kPlanesPerRow = 4;
const kFewCells = 40; // per side, so that lines do not hide the cells

/** Width and height of a drawing, in dots. */
export function extentOf(space: Space): [number, number] {
  if (space.layout === "image") return [columnsOf(space), rowsOf(space)];
  const planes = channelsOf(space);
  const across = Math.min(planes, kPlanesPerRow);
  const down = Math.ceil(planes / across);
  const span = (count: number, cells: number) => count * (cells * kCell + 1) + (count - 1) * kPlaneGap;
  return [span(across, columnsOf(space)), span(down, rowsOf(space))];
}

export function drawPixels(canvas: HTMLCanvasElement, { space, palette }: Drawable, text: string, lines = true): void {
  [canvas.width, canvas.height] = extentOf(space);
  const values = parse(space, text);
  if (!values) return;
  if (space.layout === "image") drawImage(canvas, space, values);
  else for (let plane = 0; plane < channelsOf(space); ++plane) drawPlane(canvas, space, palette, values, plane, lines);
}

function drawPlane(canvas: HTMLCanvasElement, space: Space, palette: string[], values: number[], plane: number, lines: boolean): void {
  const [rows, columns, channels] = [rowsOf(space), columnsOf(space), channelsOf(space)];
  const left = (plane % kPlanesPerRow) * (columns * kCell + 1 + kPlaneGap);
  const top = Math.floor(plane / kPlanesPerRow) * (rows * kCell + 1 + kPlaneGap);
  const line = lines && Math.max(rows, columns) <= kFewCells ? 1 : 0;
  const context = canvas.getContext("2d")!;
  context.fillStyle = "rgb(128 134 145 / 0.32)"; // on whatever background the theme has
  for (let i = 0; line && i <= columns; ++i) context.fillRect(left + i * kCell, top, 1, rows * kCell + 1);
  for (let i = 0; line && i <= rows; ++i) context.fillRect(left, top + i * kCell, columns * kCell + 1, 1);
  for (let i = 0; i < rows * columns; ++i) {
    const element = i * channels + plane;
    const value = values[element]!;
    const colour = value === paddingAt(space, element) ? "rgb(128 134 145 / 0.32)" : valueColour(palette, value);
    if (colour === null) continue;
    context.fillStyle = colour;
    context.fillRect(left + (i % columns) * kCell + line, top + Math.floor(i / columns) * kCell + line, kCell - line, kCell - line);
  }
}

function drawImage(canvas: HTMLCanvasElement, space: Space, values: number[]): void {
  canvas.getContext("2d")!.putImageData(imageData(space, values), 0, 0);
}

/** Grey, RGB or RGBA bytes as a browser has them. */
export function imageData(space: Space, values: ArrayLike<number>): ImageData {
  const [rows, columns, channels] = [rowsOf(space), columnsOf(space), channelsOf(space)];
  const image = new ImageData(columns, rows);
  for (let i = 0; i < rows * columns; ++i) {
    for (let c = 0; c < 3; ++c) image.data[4 * i + c] = values[i * channels + (channels === 1 ? 0 : c)]!;
    image.data[4 * i + 3] = channels === 4 ? values[4 * i + 3]! : 255;
  }
  return image;
}
