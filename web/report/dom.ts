// Small helpers to build elements.

type Child = Node | string | null | undefined | false;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | ((event: Event) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, value);
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const svgNamespace = "http://www.w3.org/2000/svg";

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  for (const child of children) if (child) element.append(child);
  return element;
}

// SVG's own hover text.
export const hint = (text: string): SVGTitleElement => s("title", {}, text);

export interface Choice {
  value: string;
  title: string;
}

export function select(label: string, choices: Choice[], chosen: string, changed: (value: string) => void): HTMLElement {
  const list = h("select", { change: () => changed(list.value), "aria-label": label });
  for (const { value, title } of choices) {
    const option = h("option", { value }, title);
    option.selected = value === chosen;
    list.append(option);
  }
  return h("label", { class: "choice" }, label + " ", list);
}
