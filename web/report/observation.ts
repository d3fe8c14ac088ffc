// Observations in drawings: grids and images as pictures, the others as text or bars.
import { numberText, parse, sizeOf, type Space, symbolOf } from "../shared/observations";
import { drawPixels, extentOf, type Drawable } from "../shared/pixels";
import { benchmarkOf, type RunRecord, spaceOf } from "./data";

/** How the observations of a record are drawn; of an unknown space they are only texts. */
export function drawableOf(record: RunRecord): Drawable | undefined {
  const space = spaceOf(record);
  return space && { space, palette: benchmarkOf(record.benchmark)?.palette ?? [] };
}

export const isPicture = (drawable: Drawable | undefined): boolean => drawable !== undefined && drawable.space.layout !== "number" && drawable.space.layout !== "sequence";

const kLongest = 9; // characters that fit

/** A few characters. */
export function shortText(space: Space | undefined, observation: string): string {
  const text = longText(space, observation);
  return text.length > kLongest ? text.slice(0, kLongest - 1) + "…" : text;
}

/** All of it, for a tip. */
export function longText(space: Space | undefined, observation: string): string {
  const values = space && parse(space, observation);
  if (!values || sizeOf(space) > 64) return observation.slice(0, 200);
  return space.layout === "number" ? numberText(space, observation) : values.map((value, i) => symbolOf(space, value, i)).join(" ");
}

const cache = new Map<string, string>();

/** A PNG of a grid or image, enlarged without smoothing, as a data address: it can be saved with the figure. */
export function pictureAddress(drawable: Drawable, observation: string): string {
  const key = drawable.space.shape.join("x") + observation;
  const known = cache.get(key);
  if (known) return known;
  const small = document.createElement("canvas");
  drawPixels(small, drawable, observation, /* lines= */ false);
  const [width, height] = extentOf(drawable.space);
  const scale = Math.max(1, Math.round(120 / Math.max(width, height)));
  const large = document.createElement("canvas");
  [large.width, large.height] = [width * scale, height * scale];
  const context = large.getContext("2d")!;
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, large.width, large.height);
  const address = large.toDataURL("image/png");
  cache.set(key, address);
  return address;
}
