// What all grids of the page paint with: a value, and the channel that it goes to.
import { channelsOf, type Space, valuesAt } from "../shared/observations";
import type { Drawable } from "../shared/pixels";
import { h, replace } from "./dom";
import { cellColour, valueName } from "./pictures";

const kFewValues = 16; // fit in a row or two

interface Listener {
  element: HTMLElement;
  onChannel: () => void;
}

class Brush {
  value = 1;
  channel = 0;
  private listeners: Listener[] = [];

  /** For as long as the element is part of the page. */
  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  setChannel(channel: number): void {
    this.channel = channel;
    this.listeners = this.listeners.filter(({ element }) => element.isConnected);
    for (const { onChannel } of this.listeners) onChannel();
  }

  /** What it was for another space may not be there in this one. */
  fit(space: Space): void {
    if (this.channel >= channelsOf(space)) this.channel = 0;
    this.value = Math.min(this.value, valuesAt(space, this.channel) - 1);
  }
}
export const brush = new Brush();

/** To choose what to paint with. */
export function palette(model: Drawable): HTMLElement {
  brush.fit(model.space);
  const swatches = h("div");
  const show = () => {
    brush.fit(model.space);
    replace(swatches, swatchGroup(model));
  };
  show();
  return h("div", { class: "paints" }, channelChoice(model.space, show), swatches);
}

function channelChoice(space: Space, show: () => void): HTMLElement | null {
  const channels = channelsOf(space);
  if (channels === 1) return null;
  const select = h("select", {
    id: "channel",
    onchange: () => {
      brush.setChannel(Number(select.value));
      show();
    },
  });
  for (let i = 0; i < channels; ++i) select.append(h("option", { value: i, selected: i === brush.channel }, `${i + 1} of ${channels}`));
  return h("label", { class: "inline" }, "channel", select);
}

function swatchGroup(model: Drawable): HTMLElement {
  const { space } = model;
  const values = valuesAt(space, brush.channel);
  const group = h("div", { class: values > kFewValues ? "palette many" : "palette", role: "radiogroup", "aria-label": "Value to paint with" });
  const named = h("span", { class: "hint", "aria-hidden": "true" });
  const choose = (value: number, focus: boolean) => {
    brush.value = value;
    for (const [i, swatch] of [...group.children].entries()) {
      swatch.setAttribute("aria-checked", String(i === value));
      (swatch as HTMLElement).tabIndex = i === value ? 0 : -1;
    }
    named.textContent = nameOf(space, value);
    if (focus) (group.children[value] as HTMLElement).focus();
  };
  for (let value = 0; value < values; ++value) {
    const swatch = h("button", {
      type: "button",
      role: "radio",
      class: isEraser(space, value) ? "swatch eraser" : "swatch",
      "aria-label": nameOf(space, value),
      title: `${nameOf(space, value)} (${value})`,
      style: `background:${cellColour(model, value, brush.channel)}`,
      onclick: () => choose(value, false),
    });
    group.append(swatch);
  }
  group.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    choose((brush.value + by + values) % values, true);
  });
  choose(brush.value, false);
  return h("div", { class: "swatches" }, group, (space.symbols || values > kFewValues) && named);
}

const isEraser = (space: Space, value: number): boolean => value === 0 && !space.symbols;
const nameOf = (space: Space, value: number): string => (isEraser(space, value) ? "eraser" : valueName(space, value, brush.channel));
