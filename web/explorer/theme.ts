// Light, dark, or as the system has it; remembered on this machine.
import { h } from "./dom";
import { icon } from "./icons";

type Theme = "system" | "light" | "dark";
const kThemes: Theme[] = ["system", "light", "dark"];
const kKey = "neo-explorer-theme";

function stored(): Theme {
  try {
    const value = localStorage.getItem(kKey) as Theme;
    return kThemes.includes(value) ? value : "system";
  } catch {
    return "system"; // storage is off
  }
}

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function startTheme(): void {
  apply(stored());
}

export function themeButton(): HTMLElement {
  const button = h("button", { type: "button", class: "tool" });
  const show = (theme: Theme) => {
    const name = theme === "system" ? "as the system" : theme;
    button.replaceChildren(icon(theme));
    button.setAttribute("aria-label", `Theme: ${name}`);
    button.title = `Theme: ${name}`;
  };
  show(stored());
  button.addEventListener("click", () => {
    const next = kThemes[(kThemes.indexOf(stored()) + 1) % kThemes.length];
    try {
      localStorage.setItem(kKey, next);
    } catch {
      // Then it lasts until the page is closed.
    }
    apply(next);
    show(next);
  });
  return button;
}
