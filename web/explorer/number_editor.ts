// A typed number with a fixed number of digits in some base.
import { digitCharacter, mostValues, numberText, serialize, sizeOf, type Space } from "../shared/observations";
import type { Drawable } from "../shared/pixels";
import { h } from "./dom";
import type { Editor, EditorOptions } from "./editor";
import { typedField } from "./typed";

export function numberEditor({ space }: Drawable, options: EditorOptions): Editor {
  const base = mostValues(space);
  const most = digitCharacter(base - 1).repeat(sizeOf(space));
  const expected = `a number from 0 to ${most}${base === 10 ? "" : ` in base ${base}`}`;
  const input = h("input", {
    class: sizeOf(space) > 12 ? "number-editor long" : "number-editor",
    type: "text",
    inputmode: base <= 10 ? "numeric" : "text",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: sizeOf(space),
    "aria-label": `${options.label}, ${expected}`,
  });
  const show = typedField(input, { ...options, expected, read: (written) => read(space, written) });
  return { element: input, set: (text) => show(text, numberText(space, text)) };
}

function read(space: Space, written: string): string | null {
  const word = written.trim().toLowerCase();
  if (!/^[0-9a-z]+$/.test(word) || word.length > sizeOf(space)) return null;
  const digits = Array.from(word.padStart(sizeOf(space), "0"), (c) => parseInt(c, 36));
  return digits.every((digit) => digit < mostValues(space)) ? serialize(space, digits) : null;
}
