// A number of up to six digits, typed.
import type { World } from "./api";
import { debounce, h } from "./dom";
import type { Editor, EditorOptions } from "./editor";
import { asNumber, fromNumber } from "./observations";

export function numberEditor(_world: World, options: EditorOptions): Editor {
  const input = h("input", {
    class: "number-editor",
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: 6,
    "aria-label": `${options.label}, a number from 0 to 999999`,
  });
  let current = ""; // as the page has it
  const commit = () => {
    const digits = input.value.trim();
    if (!/^[0-9]{1,6}$/.test(digits)) return;
    const text = fromNumber(digits);
    if (text === current) return;
    current = text;
    options.onChange(text);
  };
  const later = debounce(commit, 350);
  input.addEventListener("input", () => {
    input.setAttribute("aria-invalid", String(!/^\s*[0-9]{1,6}\s*$/.test(input.value)));
    later();
  });
  input.addEventListener("change", commit);
  return {
    element: input,
    set(text) {
      if (text === current) return; // what is being typed is newer
      current = text;
      input.value = asNumber(text);
      input.setAttribute("aria-invalid", "false");
    },
  };
}
