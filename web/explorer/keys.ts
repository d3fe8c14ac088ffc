// Shortcuts of the whole page; ignored while the user types into a field.
import type { Context } from "./context";
import { openHelp } from "./help";

export function startKeys(context: Context): void {
  const { store } = context;
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (target.closest("input:not([type=range]):not([type=checkbox]), select, textarea, dialog")) return;
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key === "z" || key === "y") event.preventDefault();
      if (key === "y" || (key === "z" && event.shiftKey)) store.redo();
      else if (key === "z") store.undo();
      return;
    }
    if (event.altKey) return;
    if (key === "n") document.getElementById("new-sample")?.click();
    else if (key === "e") store.set({ tab: "explain" });
    else if (key === "v") store.set({ tab: "vocabulary" });
    else if (key === "s") store.set({ tab: "search" });
    else if (key === "t") store.set({ tab: "training" });
    else if (key === "d") store.set({ tab: "data" });
    else if (key === "?") openHelp();
  });
}
