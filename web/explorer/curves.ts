// A curve over the steps of a training, with its last value and its range.
import { h, svg } from "./dom";
import { shortNumber } from "./trace";

const kWidth = 300;
const kHeight = 110;

interface Curve {
  title: string;
  points: [number, number][]; // step, value
  range?: [number, number]; // otherwise that of the values, from 0
  write?: (value: number) => string;
}

/** The curves of a training, from [step, loss, share of pairs explained]. */
export function trainingCharts(points: [number, number, number][]): HTMLElement {
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  return h(
    "div",
    { class: "charts" },
    curveChart({ title: "share of pairs explained", points: points.map(([step, , solved]) => [step, solved]), range: [0, 1], write: percent }),
    curveChart({ title: "loss", points: points.map(([step, loss]) => [step, loss]) }),
  );
}

function curveChart({ title, points, range, write = shortNumber }: Curve): HTMLElement {
  const [low, high] = range ?? [0, Math.max(1e-9, ...points.map(([, value]) => value))];
  const last = points.at(-1);
  const [first, end] = [points[0]?.[0] ?? 0, last?.[0] ?? 1];
  const x = (step: number) => ((step - first) / Math.max(1, end - first)) * kWidth;
  const y = (value: number) => kHeight - ((value - low) / (high - low)) * kHeight;
  const label = `${title}: ${last ? `${write(last[1])} after ${end} steps` : "nothing yet"}`;
  const drawing = svg(
    "svg",
    { viewBox: `0 -3 ${kWidth} ${kHeight + 6}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    svg("line", { class: "zero", x1: 0, x2: kWidth, y1: kHeight, y2: kHeight }),
    svg("polyline", { class: "curve", points: points.map(([step, value]) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }),
  );
  return h(
    "figure",
    { class: "chart vector" },
    h("figcaption", {}, h("span", {}, title), h("b", {}, last ? write(last[1]) : "–")),
    drawing,
    h("div", { class: "axis", "aria-hidden": "true" }, h("span", {}, `step ${first}`), h("span", {}, `${write(low)} to ${write(high)}`), h("span", {}, `step ${end}`)),
  );
}
