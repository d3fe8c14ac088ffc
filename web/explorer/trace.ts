// A program at work, as a row of states with the steps between them.
import type { Scale } from "../shared/bars";
import { difference, type Space } from "../shared/observations";
import type { Model, Run } from "./api";
import { type Context, modelNamed } from "./context";
import { h } from "./dom";
import { figure, scaleOf } from "./pictures";

export interface TraceOptions {
  model: string;
  run: Run;
  target?: string; // what was to come out
  floor?: number; // how near to it a drawing can come
  targetLabel?: string;
  changed?: Set<number>; // overridden steps, from 1
  from?: number; // states up to this one are as in the trace above
  onStep?: (step: number, button: HTMLElement) => void; // steps can be clicked
  chosen?: number; // the step whose codes are on offer
}

/** A state and the step that led to it stay together when the row breaks. */
export function traceRow(context: Context, options: TraceOptions): HTMLElement {
  const model = modelNamed(context, options.model);
  const { run, target } = options;
  const scale = scaleOf(model.space, target === undefined ? run.trace : [...run.trace, target]);
  const row = h("ol", { class: `trace ${model.space.layout}s` });
  run.trace.forEach((observation, i) => {
    const last = i === run.codes.length;
    const label = i === 0 ? "x" : last ? "ŷ" : `after ${i}`;
    const same = i > 0 && i < (options.from ?? 0);
    const state = h("li", { class: same ? "state same" : "state", style: `--i:${i}` });
    if (i > 0) state.append(stepBox(context, options, i));
    state.append(figure(model, observation, label, scale));
    if (last && target !== undefined) state.append(...comparison(model, run, { text: target, floor: options.floor ?? 0 }, options.targetLabel ?? "y", scale));
    row.append(state);
  });
  return row;
}

// What came out and what was to come out.
function comparison(model: Model, run: Run, target: Target, label: string, scale?: Scale): HTMLElement[] {
  const sign = !agrees(model, run, target) ? "≠" : isExact(model.space) ? "=" : "≈";
  return [h("span", { class: "against" }, sign), figure(model, target.text, label, scale)];
}

// Pixels and real numbers are hardly ever met exactly.
const isExact = (space: Space): boolean => space.kind === "categorical";

/** What was to come out, and how near to it the theory can draw at all. */
export interface Target {
  text: string;
  floor: number;
}

// A viewer sees the same picture, or the same bars, up to this much beyond what can be drawn.
const kClose = { categorical: 0, pixels: 0.02, real: 0.1 };
const kDrawings = 2; // what is drawn again after every step gets blurred

/** Whether a run ends in what was to come out, as nearly as can be asked for. */
export function agrees(model: Model, run: Run, { text: target, floor }: Target): boolean {
  const { space, policy } = model;
  const end = run.trace[run.trace.length - 1]!;
  if (isExact(space)) return end === target;
  const own = space.kind === "real" && typeof policy.tolerance === "number" ? policy.tolerance : 0;
  return run.explained || difference(space, end, target) <= (own || kClose[space.kind] + kDrawings * floor);
}

function stepBox(context: Context, options: TraceOptions, step: number): HTMLElement {
  const code = options.run.codes[step - 1];
  const name = context.vocabularies.nameOf(options.model, code);
  const loss = options.run.losses[step - 1];
  const content = [
    h("span", { class: "code" }, name),
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
          "data-code": code,
          "aria-expanded": String(options.chosen === step),
          onclick: (event: Event) => options.onStep!(step, event.currentTarget as HTMLElement),
        },
        h("span", { class: "unseen" }, `Step ${step}:`),
        ...content,
        h("span", { class: "unseen" }, "override it"),
      )
    : h("span", { class: `step ${marks}`, "data-code": code }, ...content);
}

export function shortNumber(value: number): string {
  if (Math.abs(value) < 0.001) return value === 0 ? "0" : "≈ 0";
  return value.toPrecision(2).replace(/\.?0+$/, "");
}

export interface Words {
  yes: string;
  no: string;
  target: string; // what is never met exactly is said to be close to it, or far from it
}
export const kExplains: Words = { yes: "explains y exactly", no: "no program found", target: "y" };

export function verdict(model: Model, run: Run, target: Target, words: Words): HTMLElement {
  const { space } = model;
  const good = agrees(model, run, target);
  let text = good ? words.yes : words.no;
  if (!isExact(space)) {
    const distance = difference(space, run.trace[run.trace.length - 1]!, target.text);
    const best = target.floor > 0 ? ` (at best ${target.floor.toFixed(3)})` : "";
    text = `${good ? "close to" : "far from"} ${words.target}, ${space.kind === "pixels" ? "L1" : "RMS"} ${distance.toFixed(3)}${best}`;
  }
  return h("span", { class: good ? "verdict good" : "verdict bad" }, text);
}
