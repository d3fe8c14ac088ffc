// A picture from a file, dropped or pasted; cut to a square and scaled to 32x32 here, so that files never travel.
import type { World } from "./api";
import { h } from "./dom";
import type { Editor, EditorOptions } from "./editor";
import { attempt } from "./notices";
import { bytesToText, describe, drawImage } from "./observations";

const kSide = 32;
const kMostBytes = 30_000_000;

export function imageEditor(world: World, options: EditorOptions): Editor {
  const canvas = h("canvas", { class: "image", role: "img" });
  const file = h("input", { type: "file", accept: "image/*", class: "unseen", tabindex: -1, "aria-hidden": "true" });
  const choose = h(
    "button",
    { type: "button", class: "small", onclick: () => file.click(), "aria-label": `${options.label}: choose a picture` },
    "Choose a picture",
  );
  const element = h("div", { class: "image-editor" }, canvas, file, choose);
  const take = (blob: Blob | null | undefined) => {
    if (blob) void attempt(async () => options.onChange(bytesToText(await scaled(blob))));
  };
  file.addEventListener("change", () => {
    take(file.files?.[0]);
    file.value = ""; // so that the same file can be chosen again
  });
  element.addEventListener("dragover", (event) => {
    event.preventDefault();
    element.classList.add("over");
  });
  element.addEventListener("dragleave", () => element.classList.remove("over"));
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    element.classList.remove("over");
    take(event.dataTransfer?.files[0]);
  });
  element.addEventListener("paste", (event) => take(event.clipboardData?.files[0]));
  return {
    element,
    set(text) {
      drawImage(canvas, text);
      canvas.setAttribute("aria-label", `${options.label}: ${describe(world, text)}`);
    },
  };
}

/** The middle square of a picture as 32x32 RGB bytes. */
async function scaled(blob: Blob): Promise<Uint8Array> {
  if (blob.size > kMostBytes) throw new Error("This file is larger than 30 MB. Please choose a smaller picture.");
  const bitmap = await createImageBitmap(blob).catch(() => {
    throw new Error("This file is not a picture that the browser can read.");
  });
  const side = Math.min(bitmap.width, bitmap.height);
  const small = h("canvas", { width: kSide, height: kSide });
  const context = small.getContext("2d", { willReadFrequently: true })!;
  context.imageSmoothingQuality = "high";
  context.fillStyle = "#ffffff"; // behind what is transparent
  context.fillRect(0, 0, kSide, kSide);
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  context.drawImage(bitmap, left, top, side, side, 0, 0, kSide, kSide);
  const pixels = context.getImageData(0, 0, kSide, kSide).data;
  const bytes = new Uint8Array(kSide * kSide * 3);
  for (let i = 0; i < kSide * kSide; ++i) bytes.set(pixels.subarray(4 * i, 4 * i + 3), 3 * i);
  return bytes;
}
