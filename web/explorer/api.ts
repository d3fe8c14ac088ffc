// The JSON API of `neo serve`; /api/openapi.json describes it.
import type { Space } from "../shared/observations";
import type { DataLimits, ReceivedData } from "./learning";

export interface Model {
  id: string;
  title: string; // what it is a theory of
  benchmark: string; // "": a user's own data
  space: Space;
  codes: number;
  names: string[]; // of the codes, or none
  active: number[];
  primitives: string[]; // true ones, where they are known
  longest: number; // hidden program of a sample; 0: samples are pairs kept with the model
  palette: string[];
  most_calls: number; // of a search
  policy: Record<string, unknown>;
  alpha: number;
  preset: string;
  seed: number;
  step: number;
  steps: number;
}
export interface Sample {
  x: string;
  y: string;
  query_x?: string;
  query_y?: string;
  program?: string[];
  seed: number;
}
/** A program at work on one input. */
export interface Run {
  codes: number[];
  trace: string[];
  losses: number[];
  exact: boolean;
  explained: boolean;
  log_probability?: number;
}
export interface Explanation {
  run: Run;
  mass: number;
  reason: string;
  explained: boolean;
  lengths: { length: number; loss: number; weighted: number; exact: boolean; explained?: boolean }[];
  alternatives: { run: Run; mass: number }[];
}
export interface ExplainAnswer {
  explanation: Explanation;
  counterfactual?: Run;
  floor: number; // how far from y the theory's own drawing of y is
  milliseconds: number;
}
export interface SearchNode {
  parent: number;
  code: number;
  depth: number;
  observation: string;
  loss?: number;
  exact: boolean;
  explained?: boolean;
  log_probability: number;
}
export interface SearchAnswer {
  nodes: SearchNode[];
  edges: [number, number, number][];
  found: boolean;
  best?: Run;
  calls: number;
  milliseconds: number;
}
export interface CodeReport {
  code: number;
  name: string;
  primitive: string;
  agreement: number;
  unchanged: number;
  usage: number;
  programs: number;
  examples: { before: string; after: string }[];
}
export interface Relation {
  code: number;
  others: number[];
  share: number;
}
export interface Vocabulary {
  codes: CodeReport[];
  relations: {
    no_ops: number[];
    duplicates: Relation[];
    inverses: Relation[];
    commuting: Relation[];
    composites: Relation[];
  };
  primitives: string[];
  alignment: number[][];
  primitiveness: number;
  purity: number;
}

async function request<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const options: RequestInit =
    body === undefined
      ? { signal }
      : { method: "POST", signal, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error("The server does not answer. Is `neo serve` still running?");
  }
  const answer = await response.json().catch((error) => {
    if (signal?.aborted) throw error;
    throw new Error(`The server's answer (${response.status}) cannot be read.`);
  });
  if (!response.ok) throw new Error(answer.error);
  return answer as T;
}

export const api = {
  models: () => request<{ models: Model[] }>("/api/models").then((answer) => answer.models),
  sample: (model: string, length?: number) => request<Sample>("/api/sample", { model, length }),
  apply: (model: string, primitive: string, input: string) =>
    request<{ output: string }>("/api/apply", { model, program: [primitive], input }).then((a) => a.output),
  explain: (body: ExplainRequest, signal?: AbortSignal) => request<ExplainAnswer>("/api/explain", body, signal),
  transfer: (model: string, program: number[], inputs: string[], signal?: AbortSignal) =>
    request<{ runs: Run[] }>("/api/transfer", { model, program, inputs }, signal).then((a) => a.runs),
  search: (body: { model: string; x: string; y: string; calls: number; steps?: number; exhaust_calls: boolean }) =>
    request<SearchAnswer>("/api/search", body),
  training: (model: string) => request<{ points: [number, number, number][] }>("/api/training", { model }).then((a) => a.points),
  dataLimits: () => request<DataLimits>("/api/data"),
  sendData: (name: string, content: string) => request<ReceivedData>("/api/data/receive", { name, content }),
  learn: (data: string, minutes: number) => request<unknown>("/api/data/learn", { data, minutes }),
  stopLearning: (data: string) => request<unknown>("/api/data/stop", { data }),
  saveLearned: (data: string, name: string) => request<{ run: string }>("/api/data/save", { data, name }),
  /** Also while the page is being closed. */
  forgetData: (data: string): void =>
    void fetch("/api/data/forget", { method: "POST", keepalive: true, body: JSON.stringify({ data }), headers: { "Content-Type": "application/json" } }).catch(() => undefined),
  vocabulary: (model: string) => request<Vocabulary>("/api/vocabulary", { model }),
};

export interface ExplainRequest {
  model: string;
  x: string;
  y: string;
  steps?: number;
  tolerance?: number;
  override?: { step: number; code: number }[];
  alternatives?: number;
}
