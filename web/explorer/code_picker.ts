// The codes that could stand at a step, each with its result on the state before it.
import { api } from "./api";
import { type Context, modelNamed } from "./context";
import { h } from "./dom";
import { picture } from "./pictures";

export interface PickerOptions {
  model: string;
  step: number;
  current: number; // code at the step now
  original: number; // code that was found
  before: string; // the state that the code will act upon
  onPick: (code: number) => void;
  onClose: () => void;
}

export function codePicker(context: Context, options: PickerOptions): HTMLElement {
  const { active } = modelNamed(context, options.model);
  const element = h(
    "div",
    { class: "picker", role: "group", "aria-label": `Codes for step ${options.step}` },
    h(
      "p",
      {},
      `Step ${options.step} instead by`,
      h("button", { type: "button", class: "plain", "aria-label": "Close", onclick: options.onClose }, "×"),
    ),
    h("div", { class: "choices" }, ...active.map((code) => choice(context, options, code))),
  );
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape") options.onClose();
  });
  return element;
}

function choice(context: Context, options: PickerOptions, code: number): HTMLElement {
  const name = context.vocabularies.nameOf(options.model, code);
  const slot = h("span", { class: "slot", "aria-hidden": "true" });
  void api
    .transfer(options.model, [code], [options.before])
    .then(([run]) => slot.append(picture(modelNamed(context, options.model), run!.trace[1]!)))
    .catch(() => undefined); // a choice without a preview is still a choice
  const mark = code === options.original ? " (found)" : "";
  return h(
    "button",
    {
      type: "button",
      class: "choice",
      "data-code": code,
      "aria-pressed": String(code === options.current),
      onclick: () => options.onPick(code),
    },
    slot,
    h("span", { class: "code" }, name + mark),
  );
}
