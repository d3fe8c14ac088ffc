// Light or dark: as the system has it, until the reader chooses. Colours for drawings are read from the stylesheet, so
// that a drawing saved to a file looks as it did on the page.
import { baseMethod } from "./data";

export interface Colours {
  paper: string;
  raised: string;
  line: string;
  ink: string;
  quiet: string;
  accent: string;
  good: string;
  bad: string;
}

// Categorical colours that stand out on both papers.
export const palette = ["#4269d0", "#efb118", "#ff725c", "#3ca951", "#a463f2", "#6cc5b0", "#ff8ab7", "#9c6b4e", "#97bbf5", "#9498a0"];

// A method has the same colour in every figure.
export const methodColours: Record<string, string> = {
  neo: "#4269d0",
  "neo-s": "#3ca951",
  "disc-mono": "#efb118",
  "disc-mono-s": "#efb118",
  "cont-mono": "#ff725c",
  "cont-mono-opt": "#9c6b4e",
};
export const methodColour = (method: string): string => methodColours[baseMethod(method)] ?? "#a463f2";

let probe: HTMLElement | null = null;

// The page's colours as they are now; light-dark() is resolved by asking an element for its computed colour.
export function colours(): Colours {
  probe ??= document.body.appendChild(document.createElement("i"));
  probe.hidden = true;
  const resolve = (name: string): string => {
    probe!.style.color = `var(--${name})`;
    return getComputedStyle(probe!).color;
  };
  return {
    paper: resolve("paper"),
    raised: resolve("raised"),
    line: resolve("line"),
    ink: resolve("ink"),
    quiet: resolve("quiet"),
    accent: resolve("accent"),
    good: resolve("good"),
    bad: resolve("bad"),
  };
}

export const isDark = (): boolean =>
  (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

export function toggleTheme(): void {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
}

// Calls back whenever the colours change.
export function onThemeChange(changed: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  new MutationObserver(changed).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
}
