// A field whose text is taken over as soon as it makes sense; until then it says what would.
import { debounce, h } from "./dom";

const kPatience = 350; // milliseconds after the last key
let fields = 0;

export interface Typed {
  read: (written: string) => string | null; // the observation that a text means
  expected: string; // "20 tokens with spaces between"
  onChange: (text: string) => void; // hears of every observation other than the current one
  onProblem?: (message: string) => void; // "" once the text makes sense again
}

/** Returns what to call when the observation was changed elsewhere. */
export function typedField(input: HTMLInputElement | HTMLTextAreaElement, typed: Typed): (text: string, written: string) => void {
  let current = ""; // as the page has it
  const problem = h("p", { class: "problem", id: `problem-${++fields}`, role: "alert" });
  const judge = (written: string) => {
    const message = typed.read(written) === null ? `This is not ${typed.expected}.` : "";
    input.setAttribute("aria-invalid", String(message !== ""));
    if (message === problem.textContent) return;
    problem.textContent = message;
    if (message === "") problem.remove();
    else input.after(problem);
    input.setAttribute("aria-describedby", message === "" ? "" : problem.id);
    typed.onProblem?.(message);
  };
  const commit = () => {
    const text = typed.read(input.value);
    if (text === null || text === current) return;
    current = text;
    typed.onChange(text);
  };
  const later = debounce(commit, kPatience);
  input.addEventListener("input", () => {
    judge(input.value);
    later();
  });
  input.addEventListener("change", commit);
  return (text, written) => {
    if (text === current) return; // what is being typed is newer
    current = text;
    input.value = written;
    judge(written);
  };
}
