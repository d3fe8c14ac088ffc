// An observation as a part of a drawing.
import { barBoxes, type Scale, scaleOfValues } from "../../shared/bars";
import { parse } from "../../shared/observations";
import { extentOf, type Drawable } from "../../shared/pixels";
import { hint, s } from "../dom";
import { isPicture, pictureAddress, shortText } from "../observation";
import { colours } from "../theme";

export interface TileOptions {
  drawable: Drawable | undefined; // undefined: nothing but a text
  observation: string;
  x: number; // of the upper left corner
  y: number;
  size: number;
  frame?: string; // a colour
  title?: string;
  scale?: Scale; // of a vector's bars; its own otherwise
}

export function tile({ drawable, observation, x, y, size, frame, title, scale }: TileOptions): SVGGElement {
  const { raised, line, ink } = colours();
  const group = s("g", { transform: `translate(${x},${y})` });
  group.append(s("rect", { width: size, height: size, rx: 3, fill: raised, stroke: frame ?? line, "stroke-width": frame ? 2.5 : 1 }));
  if (drawable && isPicture(drawable)) {
    group.append(...(drawable.space.layout === "vector" ? bars(drawable, observation, size, scale) : [picture(drawable, observation, size)]));
    if (frame) group.append(s("rect", { width: size, height: size, rx: 3, fill: "none", stroke: frame, "stroke-width": 2.5 }));
  } else {
    const text = shortText(drawable?.space, observation);
    group.append(s("text", { x: size / 2, y: size / 2 + 4, "text-anchor": "middle", "font-size": text.length > 7 ? 9.5 : text.length > 5 ? 11 : 13, fill: ink }, text));
  }
  if (title) group.append(hint(title));
  return group;
}

// As large as fits, in the middle.
function picture(drawable: Drawable, observation: string, size: number): SVGElement {
  const [width, height] = extentOf(drawable.space);
  const scale = (size - 2) / Math.max(width, height);
  const [w, h] = [width * scale, height * scale];
  return s("image", { href: pictureAddress(drawable, observation), x: (size - w) / 2, y: (size - h) / 2, width: w, height: h, style: "image-rendering: pixelated" });
}

function bars({ space }: Drawable, observation: string, size: number, scale?: Scale): SVGElement[] {
  const { accent, bad } = colours();
  const values = parse(space, observation) ?? [];
  return barBoxes(values, scale ?? scaleOfValues(values), size, size).map(({ below, ...box }) => s("rect", { ...box, fill: below ? bad : accent }));
}
