// The whole state as the part of the address after "#", and back. What is missing or does not fit is left as it was, so
// that an old or mangled link still opens something sensible.
import type { Model, World } from "./api";
import { sizeOfText } from "./observations";
import type { State, Tab } from "./state";

const kTabs: Tab[] = ["explain", "vocabulary", "search"];

// "+", "/" and "=" would be escaped to three characters each.
const toUrl = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const fromUrl = (text: string) => text.replaceAll("-", "+").replaceAll("_", "/");

export function toHash(state: State): string {
  const fields = new URLSearchParams();
  const put = (name: string, value: string) => value !== "" && fields.set(name, value);
  put("tab", state.tab === "explain" ? "" : state.tab);
  put("world", state.world);
  put("model", state.model);
  put("compare", state.compare);
  put("x", toUrl(state.x));
  put("y", toUrl(state.y));
  put("query", toUrl(state.query));
  put("truth", toUrl(state.truth));
  put("program", state.program);
  put("override", Object.entries(state.override).map(([step, code]) => `${step}.${code}`).join("_"));
  put("steps", state.steps > 0 ? String(state.steps) : "");
  put("epsilon", state.epsilon);
  return "#" + fields.toString();
}

export function fromHash(hash: string, models: Model[], worlds: World[], fallback: (world: World) => State): State {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name: string) => fields.get(name) ?? "";
  const model = models.find((m) => m.id === text("model"));
  const worldName = model?.world ?? text("world");
  const usable = worlds.filter((w) => models.some((m) => m.world === w.name));
  const world = usable.find((w) => w.name === worldName) ?? usable[0];
  const state = fallback(world);
  const observation = (name: string) => {
    const value = fromUrl(text(name));
    return sizeOfText(world, value) ? value : "";
  };
  if (model) state.model = model.id;
  if (models.some((m) => m.id === text("compare") && m.world === world.name)) state.compare = text("compare");
  if (kTabs.includes(text("tab") as Tab)) state.tab = text("tab") as Tab;
  for (const name of ["x", "y", "query", "truth"] as const) state[name] = observation(name) || state[name];
  state.program = text("program").slice(0, 200);
  const steps = Number(text("steps"));
  if (Number.isInteger(steps) && steps >= 1 && steps <= 16) state.steps = steps;
  if (text("epsilon") !== "" && Number(text("epsilon")) >= 0) state.epsilon = text("epsilon");
  state.override = overrides(text("override"), models.find((m) => m.id === state.model)?.codes ?? 0);
  return state;
}

function overrides(text: string, codes: number): Record<number, number> {
  const found: Record<number, number> = {};
  for (const part of text.split("_")) {
    const [step, code] = part.split(".").map(Number);
    if (Number.isInteger(step) && step >= 1 && step <= 16 && Number.isInteger(code) && code >= 0 && code < codes)
      found[step] = code;
  }
  return found;
}
