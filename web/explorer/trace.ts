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

/** A state and the step that led to it stay together when the row breaks. */
export function traceRow(context: Context, options: TraceOptions): HTMLElement {
  const world = worldOf(context);
  const { theory } = options;
  const row = h("ol", { class: `trace ${kindOf(world)}s` });
  theory.trace.forEach((observation, i) => {
    const last = i === theory.codes.length;
    const label = i === 0 ? "x" : last ? "ŷ" : `after ${i}`;
    const same = i > 0 && i < (options.from ?? 0);
    const state = h("li", { class: same ? "state same" : "state", style: `--i:${i}` });
    if (i > 0) state.append(stepBox(context, options, i));
    state.append(figure(world, observation, label));
    if (last && options.target !== undefined) compareWith(state, world, theory, options);
    row.append(state);
  });
  return row;
}

// What came out and what was to come out.
function compareWith(state: HTMLElement, world: World, theory: Theory, options: TraceOptions): void {
  state.append(
    h("span", { class: "against" }, agrees(world, theory, options.target!) ? (kindOf(world) === "image" ? "≈" : "=") : "≠"),
    figure(world, options.target!, options.targetLabel ?? "y"),
  );
}

function agrees(world: World, theory: Theory, target: string): boolean {
  const end = theory.trace[theory.trace.length - 1];
  return kindOf(world) === "image" ? imageDistance(end, target) < kCloseImages : end === target;
}

/** Images are never met exactly. Below this mean distance a viewer sees the same picture. */
export const kCloseImages = 0.08;

function figure(world: World, observation: string, label: string): HTMLElement {
  return h("figure", {}, picture(world, observation, label), h("figcaption", {}, label));
}

function stepBox(context: Context, options: TraceOptions, step: number): HTMLElement {
  const code = options.theory.codes[step - 1];
  const name = context.vocabularies.nameOf(options.model, code);
  const loss = options.theory.losses[step - 1];
  const content = [
    h("span", { class: "code" }, codeName(code)),
    name !== "" && h("span", { class: "name" }, name),
    loss !== undefined && h("span", { class: "loss", title: "distance from y after this step" }, shortNumber(loss)),
  ];
  const marks = [options.changed?.has(step) && "changed", options.chosen === step && "chosen"].filter(Boolean).join(" ");
  return options.onStep
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
}

export function shortNumber(value: number): string {
  if (Math.abs(value) < 0.001) return value === 0 ? "0" : "≈ 0";
  return value.toPrecision(2).replace(/\.?0+$/, "");
}

export interface Words {
  yes: string;
  no: string;
  target: string; // images are said to be close to it, or far from it
}
export const kExplains: Words = { yes: "explains y exactly", no: "does not explain y", target: "y" };

export function verdict(world: World, theory: Theory, target: string, words: Words): HTMLElement {
  const good = agrees(world, theory, target);
  let text = good ? words.yes : words.no;
  if (kindOf(world) === "image") {
    const distance = imageDistance(theory.trace[theory.trace.length - 1], target);
    text = `${good ? "close to" : "far from"} ${words.target}, L1 ${distance.toFixed(3)}`;
  }
  return h("span", { class: good ? "verdict good" : "verdict bad" }, text);
}
