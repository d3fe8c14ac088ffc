// Pictures of any size as pixels of a space.
import { channelsOf, columnsOf, rowsOf, type Space } from "../shared/observations";
import { h } from "./dom";
import { greyOf } from "./image_brush";

const kMostBytes = 30_000_000;

/** The middle of a picture, scaled; and what was done to it, human-readable. */
export async function fromPicture(blob: Blob, space: Space): Promise<{ values: number[]; note: string }> {
  if (blob.size > kMostBytes) throw new Error("This file is larger than 30 MB. Please choose a smaller picture.");
  const bitmap = await createImageBitmap(blob).catch(() => {
    throw new Error("This file is not a picture that the browser can read.");
  });
  const [columns, rows, channels] = [columnsOf(space), rowsOf(space), channelsOf(space)];
  const scale = Math.min(bitmap.width / columns, bitmap.height / rows);
  const [width, height] = [scale * columns, scale * rows];
  const small = h("canvas", { width: columns, height: rows });
  const context = small.getContext("2d", { willReadFrequently: true })!;
  context.imageSmoothingQuality = "high";
  context.imageSmoothingEnabled = scale !== 1;
  if (channels !== 4) {
    context.fillStyle = "#ffffff"; // behind what is transparent
    context.fillRect(0, 0, columns, rows);
  }
  context.drawImage(bitmap, (bitmap.width - width) / 2, (bitmap.height - height) / 2, width, height, 0, 0, columns, rows);
  const pixels = context.getImageData(0, 0, columns, rows).data;
  const values: number[] = [];
  for (let i = 0; i < rows * columns; ++i) {
    const rgba = pixels.subarray(4 * i, 4 * i + 4);
    values.push(...(channels === 1 ? [greyOf(rgba)] : rgba.subarray(0, channels)));
  }
  return { values, note: noteOf(bitmap, columns, rows) };
}

function noteOf(bitmap: ImageBitmap, columns: number, rows: number): string {
  if (bitmap.width === columns && bitmap.height === rows) return "";
  const cut = Math.abs(bitmap.width * rows - bitmap.height * columns) > 0.5 ? "cut to its middle and " : "";
  return `The picture of ${bitmap.width} × ${bitmap.height} pixels was ${cut}scaled to ${columns} × ${rows}.`;
}
