// What the page has to say: mistakes as toasts, progress for screen readers.
import { h } from "./dom";

const kShown = 8000; // milliseconds

export function complain(message: string): void {
  const toast = h(
    "div",
    { class: "toast" },
    h("p", {}, message),
    h("button", { type: "button", class: "plain", "aria-label": "Dismiss", onclick: () => toast.remove() }, "×"),
  );
  document.getElementById("toasts")!.replaceChildren(toast);
  setTimeout(() => toast.remove(), kShown);
}

export function announce(message: string): void {
  document.getElementById("live")!.textContent = message;
}

/** Runs what may fail; a failure becomes a toast. */
export async function attempt(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
  }
}
