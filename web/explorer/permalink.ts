// The whole state as the part of the address after "#", and back. What is missing or does not fit is left as it was, so
// that an old or mangled link still opens something sensible.
import { parse, type Space } from "../shared/observations";
import type { Model } from "./api";
import { comparable } from "./context";
import type { State, Tab } from "./state";

const kTabs: Tab[] = ["explain", "vocabulary", "search", "training", "data"];

// "+", "/", "=" and "," would be escaped to three characters each.
function toUrl(space: Space, text: string): string {
  return space.kind === "pixels" ? text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") : text.replaceAll(",", "_");
}
function fromUrl(space: Space, text: string): string {
  if (space.kind !== "pixels") return text.replaceAll("_", ",");
  const plain = text.replaceAll("-", "+").replaceAll("_", "/");
  return plain + "=".repeat((4 - (plain.length % 4)) % 4);
}

export function toHash(state: State, models: Model[]): string {
  const { space } = models.find((model) => model.id === state.model)!;
  const fields = new URLSearchParams();
  const put = (name: string, value: string) => value !== "" && fields.set(name, value);
  put("tab", state.tab === "explain" ? "" : state.tab);
  put("model", state.model);
  put("compare", state.compare);
  for (const name of ["x", "y", "query", "truth"] as const) put(name, toUrl(space, state[name]));
  put("program", state.program);
  put("override", Object.entries(state.override).map(([step, code]) => `${step}.${code}`).join("_"));
  put("steps", state.steps > 0 ? String(state.steps) : "");
  put("tolerance", state.tolerance);
  return "#" + fields.toString();
}

// What is a picture is understood at once.
const mostVivid = (models: Model[]): Model => models.find(({ space }) => space.layout === "grid" || space.layout === "image") ?? models[0]!;

/** The state that an address asks for, and what could not be understood of it, human-readable. */
export function fromHash(hash: string, models: Model[], fallback: (model: Model) => State): { state: State; problems: string[] } {
  const problems: string[] = [];
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name: string) => fields.get(name) ?? "";
  const model = models.find((m) => m.id === text("model")) ?? (text("model") === "" ? mostVivid(models) : models[0]!);
  const state = fallback(model);
  if (text("model") !== "" && text("model") !== model.id) problems.push(`no theory “${text("model").slice(0, 40)}” is open here, so that ${model.id} is shown`);
  const take = (name: string, fits: boolean, use: () => void) => {
    if (fits) use();
    else if (text(name) !== "") problems.push(`“${name}” does not fit`);
  };
  take("compare", comparable(models, model).some((m) => m.id === text("compare")), () => (state.compare = text("compare")));
  take("tab", kTabs.includes(text("tab") as Tab), () => (state.tab = text("tab") as Tab));
  for (const name of ["x", "y", "query", "truth"] as const) {
    const value = fromUrl(model.space, text(name));
    take(name, parse(model.space, value) !== null, () => (state[name] = value));
  }
  state.program = text("program").slice(0, 200);
  const steps = Number(text("steps"));
  take("steps", Number.isInteger(steps) && steps >= 1 && steps <= 16, () => (state.steps = steps));
  take("tolerance", text("tolerance") !== "" && Number(text("tolerance")) >= 0, () => (state.tolerance = text("tolerance")));
  state.override = overrides(text("override"), model.codes);
  take("override", Object.keys(state.override).length === text("override").split("_").length, () => undefined);
  return { state, problems };
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
