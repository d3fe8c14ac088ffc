// What all images of the page are painted with.
import { channelsOf, type Space } from "../shared/observations";
import { h } from "./dom";

const kSizes = [1, 3, 5, 9];

export const imageBrush = {
  colour: "#2563c9",
  size: 3,
  opaque: true,
  /** Of one pixel with the given number of channels. */
  bytes(channels: number): number[] {
    const rgb = [1, 3, 5].map((at) => parseInt(this.colour.slice(at, at + 2), 16));
    if (channels === 1) return [greyOf(rgb)];
    return channels === 3 ? rgb : [...rgb, this.opaque ? 255 : 0];
  },
};

export const greyOf = ([r, g, b]: ArrayLike<number> & Iterable<number>): number => Math.round(0.299 * r! + 0.587 * g! + 0.114 * b!);

export function paintTools(space: Space): HTMLElement {
  const colour = h("input", { type: "color", id: "paint-colour", value: imageBrush.colour, oninput: () => (imageBrush.colour = colour.value) });
  const size = h("select", { id: "paint-size", onchange: () => (imageBrush.size = Number(size.value)) });
  for (const pixels of kSizes) size.append(h("option", { value: pixels, selected: pixels === imageBrush.size }, `${pixels} px`));
  const clear = h("input", { type: "checkbox", checked: !imageBrush.opaque, onchange: () => (imageBrush.opaque = !clear.checked) });
  return h(
    "div",
    { class: "toolbar paints" },
    h("label", { class: "inline" }, channelsOf(space) === 1 ? "grey of" : "colour", colour),
    h("label", { class: "inline" }, "brush", size),
    channelsOf(space) === 4 && h("label", { class: "inline" }, clear, "transparent"),
  );
}
