// Line icons on a 24-unit square, drawn in the colour of the text.
import { svg } from "./dom";

const kPaths = {
  undo: "M9 7 4 12l5 5 M4 12h10a6 6 0 0 1 6 6",
  redo: "m15 7 5 5-5 5 M20 12H10a6 6 0 0 0-6 6",
  link: "M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3 M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7L12 17.7",
  help: "M9 9a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1.1-1.3 2.3 M12 17.5v.01 M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  system: "M12 3a9 9 0 1 0 0 18V3Z M12 3a9 9 0 0 1 0 18",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8 M12 2v2 M12 20v2 M2 12h2 M20 12h2 M5 5l1.4 1.4 M17.6 17.6 19 19 M19 5l-1.4 1.4 M6.4 17.6 5 19",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z",
};
export type IconName = keyof typeof kPaths;

export function icon(name: IconName): SVGElement {
  const path = svg("path", { d: kPaths[name], fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round" });
  const half = name === "system" && svg("path", { d: "M12 3a9 9 0 1 0 0 18Z", fill: "currentColor" });
  return svg("svg", { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" }, half, path);
}
