// An observation as a part of a drawing.
import { hint, s } from "../dom";
import { isPicture, numberText, pictureAddress } from "../observation";
import { colours } from "../theme";

export interface TileOptions {
  world: string;
  observation: string;
  x: number; // of the upper left corner
  y: number;
  size: number;
  frame?: string; // a colour
  title?: string;
}

export function tile({ world, observation, x, y, size, frame, title }: TileOptions): SVGGElement {
  const { raised, line, ink } = colours();
  const group = s("g", { transform: `translate(${x},${y})` });
  group.append(s("rect", { width: size, height: size, rx: 3, fill: raised, stroke: frame ?? line, "stroke-width": frame ? 2.5 : 1 }));
  if (isPicture(world)) {
    group.append(s("image", { href: pictureAddress(world, observation), x: 1, y: 1, width: size - 2, height: size - 2, style: "image-rendering: pixelated" }));
    if (frame) group.append(s("rect", { width: size, height: size, rx: 3, fill: "none", stroke: frame, "stroke-width": 2.5 }));
  } else {
    const text = numberText(observation);
    group.append(s("text", { x: size / 2, y: size / 2 + 4, "text-anchor": "middle", "font-size": text.length > 5 ? 11 : 13, fill: ink }, text));
  }
  if (title) group.append(hint(title));
  return group;
}
