// A program at work, as a row of states with the steps between them.
import type { Theory, World } from "./api";
import { type Context, worldOf } from "./context";
import { h } from "./dom";
import { imageDistance, kindOf, picture } from "./observations";

export interface TraceOptions {
  model: string;
  theory: Theory;
  target?: string; // what was to come out
  targetLabel?: string;
  changed?: Set<number>; // overridden steps, from 1
  from?: number; // states up to this one are as in the trace above
  onStep?: (step: number, button: HTMLElement) => void; // steps can be clicked
  chosen?: number; // the step whose codes are on offer
}

export const codeName = (code: number): string => `z${code}`;

export function traceRow(context: Context, options: TraceOptions): HTMLElement {
  const world = worldOf(context);
  const { theory } = options;
  const row = h("ol", { class: `trace ${kindOf(world)}s` });
  theory.trace.forEach((observation, i) => {
    if (i > 0) row.append(stepItem(context, options, i));
    const last = i === theory.codes.length;
    const label = i === 0 ? "x" : last ? "ŷ" : `after step ${i}`;
    row.append(stateItem(world, observation, label, i, i > 0 && i < (options.from ?? 0)));
  });
  if (options.target !== undefined) {
    row.append(h("li", { class: "against", "aria-hidden": "true" }, agrees(world, theory, options.target) ? "=" : "≠"));
    row.append(stateItem(world, options.target, options.targetLabel ?? "y", theory.trace.length, false));
  }
  return row;
}

function agrees(world: World, theory: Theory, target: string): boolean {
  const end = theory.trace[theory.trace.length - 1];
  return kindOf(world) === "image" ? imageDistance(end, target) < kCloseImages : end === target;
}

/** Images are never met exactly. Below this mean distance a viewer sees the same picture. */
export const kCloseImages = 0.08;

function stateItem(world: World, observation: string, label: string, i: number, same: boolean): HTMLElement {
  return h(
    "li",
    { class: same ? "state same" : "state", style: `--i:${i}` },
    h("figure", {}, picture(world, observation, label), h("figcaption", {}, label)),
  );
}

function stepItem(context: Context, options: TraceOptions, step: number): HTMLElement {
  const code = options.theory.codes[step - 1];
  const name = context.vocabularies.nameOf(options.model, code);
  const loss = options.theory.losses[step - 1];
  const content = [
    h("span", { class: "code" }, codeName(code)),
    name !== "" && h("span", { class: "name" }, name),
    loss !== undefined && h("span", { class: "loss", title: "distance from y after this step" }, shortNumber(loss)),
  ];
  const marks = [options.changed?.has(step) && "changed", options.chosen === step && "chosen"].filter(Boolean).join(" ");
  const box = options.onStep
    ? h(
        "button",
        {
          type: "button",
          class: `step ${marks}`,
          "data-step": step,
          "aria-expanded": String(options.chosen === step),
          "aria-label": `Step ${step}: ${codeName(code)} ${name}. Override it`,
          onclick: (event: Event) => options.onStep!(step, event.currentTarget as HTMLElement),
        },
        ...content,
      )
    : h("span", { class: `step ${marks}` }, ...content);
  return h("li", { class: "move", style: `--i:${step}` }, box);
}

export function shortNumber(value: number): string {
  if (value === 0) return "0";
  if (Math.abs(value) < 0.001) return value.toExponential(0);
  return value.toPrecision(2).replace(/\.?0+$/, "");
}

/** "explains y exactly", "L1 0.031", ... */
export function verdict(world: World, theory: Theory, target: string, what: string): HTMLElement {
  const end = theory.trace[theory.trace.length - 1];
  if (kindOf(world) === "image") {
    const distance = imageDistance(end, target);
    const close = distance < kCloseImages;
    return h("span", { class: close ? "verdict good" : "verdict bad" }, `${close ? "close to" : "away from"} ${what}, L1 ${distance.toFixed(3)}`);
  }
  return end === target
    ? h("span", { class: "verdict good" }, `${what} exactly`)
    : h("span", { class: "verdict bad" }, `not ${what}`);
}
