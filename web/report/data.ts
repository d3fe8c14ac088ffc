// What `neo report` puts into the page (src/report/page.cc).

export interface SeedValue {
  seed: number;
  value: number;
  run: string;
}

export interface Estimate {
  seeds: SeedValue[];
  mean: number;
  deviation: number;
  low: number;
  high: number;
}

export interface ResultCell {
  alpha: number;
  method: string;
  title: string;
  split: string;
  self: Estimate | null;
  transfer: Estimate | null;
  paper_self: number | null;
  paper: number | null;
  release: number | null;
  verdict: "ahead" | "equal" | "behind" | null;
}

export interface ResultTable {
  world: string;
  preset: string;
  less_is_better: boolean;
  cells: ResultCell[];
}

export interface PrimitivenessRow {
  world: string;
  preset: string;
  method: string;
  title: string;
  alpha: number;
  primitiveness: Estimate | null;
  purity: Estimate | null;
  shown: number;
}

export interface AblationRow {
  name: string;
  title: string;
  world: string;
  preset: string;
  alpha: number;
  hard_grounding: boolean;
  primitiveness: Estimate | null;
  paper_primitiveness: number | null;
  splits: { split: string; self: Estimate | null; transfer: Estimate | null; paper_self: number | null; paper: number | null }[];
}

export interface CostRow {
  world: string;
  preset: string;
  method: string;
  title: string;
  budget: number;
  train_ms: Estimate | null;
  train_seconds: Estimate | null;
  inference_ms: Estimate | null;
  train_batch: number;
  inference_batch: number;
  machine: string;
  paper_train_ms: number | null;
  paper_train_seconds: number | null;
  paper_inference_ms: number | null;
  paper_machine: string;
}

export interface RecordRow {
  split: string;
  method: string;
  temperature: number;
  budget: number;
  calls: number;
  hard_grounding: boolean;
  self: number;
  transfer: number;
  mean_length: number;
}

export interface Vocabulary {
  primitives: string[];
  alignment: number[][]; // [code][primitive]
  no_op: number[];
  primitiveness: number;
}

export interface Training {
  steps: number[];
  loss: number[];
  solved: number[];
  mean_length: number[];
  perplexity: number[];
  usage: number[][]; // [point][code]
  validation: { step: number; primitiveness?: number; id_transfer?: number }[];
}

export interface Path {
  codes: number[];
  trace: string[];
  count: number;
  solves: boolean;
}

// Observations are texts: digits row by row, or base64 of RGB bytes.
export interface Example {
  split: string;
  index: number;
  program?: string;
  support: { x: string; y: string; trace: string[]; codes?: number[] };
  query: { x: string; y: string; trace: string[] };
  paths?: Path[];
}

export interface RunRecord {
  name: string;
  world: string;
  preset: string;
  method: string;
  ablation: string;
  purpose: string;
  alpha: number;
  seed: number;
  rows: RecordRow[];
  vocabulary?: Vocabulary;
  training?: Training | null;
  examples?: Example[];
  revision?: string;
}

export interface ReportData {
  version: string;
  training_lengths: { world: string; alpha: number; mean_length: number }[];
  results: ResultTable[];
  primitiveness: PrimitivenessRow[];
  ablations: AblationRow[];
  cost: CostRow[];
  records: RunRecord[];
}

export const worldTitle = (world: string): string =>
  ({ gridworld: "GridWorld", arithmetic: "Arithmetic", imaging: "Imaging" })[world] ?? world;

export const splitTitle = (split: string): string =>
  ({ id: "ID", "id-clean": "ID, clean", comp: "compositional OOD", length: "length OOD" })[split] ?? split;

export const methodTitle = (method: string): string =>
  ({
    "neo-best-first": "NEO, best-first",
    neo: "NEO",
    "neo-s": "NEO-S",
    "disc-mono": "Disc-Mono",
    "disc-mono-s": "Disc-Mono, sampled",
    "cont-mono": "Cont-Mono",
    "cont-mono-opt": "Cont-Mono-Opt",
  })[method] ?? method;

export const alphaText = (alpha: number): string => alpha.toFixed(2);

export const unique = <T>(items: T[]): T[] => [...new Set(items)];

// The benchmark's own records: no ablations, no sweeps.
export const isBenchmark = (record: RunRecord): boolean => record.ablation === "" && record.purpose === "";

export function groupBy<T>(items: T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return [...groups.values()];
}
