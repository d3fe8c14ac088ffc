// A field whose text is taken over as soon as it makes sense.
import { debounce } from "./dom";

const kPatience = 350; // milliseconds after the last key

/**
 * `read` gives the observation that a text means, or null; `onChange` hears of every other one than the current. Returns what to
 * call when the observation was changed elsewhere.
 */
export function typedField(
  input: HTMLInputElement | HTMLTextAreaElement,
  read: (written: string) => string | null,
  onChange: (text: string) => void,
): (text: string, written: string) => void {
  let current = ""; // as the page has it
  const commit = () => {
    const text = read(input.value);
    if (text === null || text === current) return;
    current = text;
    onChange(text);
  };
  const later = debounce(commit, kPatience);
  input.addEventListener("input", () => {
    input.setAttribute("aria-invalid", String(read(input.value) === null));
    later();
  });
  input.addEventListener("change", commit);
  return (text, written) => {
    if (text === current) return; // what is being typed is newer
    current = text;
    input.value = written;
    input.setAttribute("aria-invalid", "false");
  };
}
