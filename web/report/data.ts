// What `neo report` puts into the page (src/report/page.cc).
import type { Space } from "../shared/observations";

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
  grouped?: boolean; // training knew which pairs share a program
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
  benchmark: string;
  preset: string;
  less_is_better: boolean;
  cells: ResultCell[];
}

export interface PrimitivenessRow {
  grouped?: boolean; // training knew which pairs share a program
  benchmark: string;
  preset: string;
  method: string;
  title: string;
  alpha: number;
  primitiveness: Estimate | null;
  purity: Estimate | null;
  shown: number | null; // share of the primitives that training shows alone
}

export interface AblationRow {
  grouped?: boolean; // training knew which pairs share a program
  name: string;
  title: string;
  benchmark: string;
  preset: string;
  alpha: number;
  hard_grounding: boolean;
  primitiveness: Estimate | null;
  paper_primitiveness: number | null;
  splits: { split: string; self: Estimate | null; transfer: Estimate | null; paper_self: number | null; paper: number | null }[];
}

export interface CostRow {
  grouped?: boolean; // training knew which pairs share a program
  benchmark: string;
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
  self: number | null;
  transfer: number | null; // of pairs without a group: unknown
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

// Observations are texts, see shared/observations.ts.
export interface Example {
  split: string;
  index: number;
  program?: string;
  support: { x: string; y: string; trace: string[]; codes?: number[] };
  query?: { x: string; y: string; trace: string[] }; // where a second pair shares the program
  paths?: Path[];
}

export interface RunRecord {
  grouped?: boolean; // training knew which pairs share a program
  name: string;
  benchmark: string;
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
  space?: Space;
  settings?: string; // "key=value, ...": what differs from the preset
}

// What `neo learn` found in a user's own data.
export interface Learned {
  name: string;
  space: Space;
  theory?: boolean;
  structure: string;
  trials: { structure: string; codes: number; explained: number; bits: number }[];
  vocabulary: { code: number; name: string; usage: number }[];
  explained: number;
  error?: number;
  length?: number;
  pairs: number;
  held_out?: boolean;
  seconds?: number;
  examples: { x: string; y: string }[];
}

// What a benchmark is called, and what its observations are.
export interface BenchmarkInfo {
  name: string;
  title: string;
  space: Space;
  palette?: string[];
  less_is_better: boolean;
  hard_grounding: boolean;
  paper?: { results?: string; ablations?: string; cost?: string }; // which of its tables and figures ours correspond to
  notes: string[];
}

export interface ReportData {
  version: string;
  benchmarks?: BenchmarkInfo[];
  training_lengths: { benchmark: string; alpha: number; mean_length: number }[];
  results: ResultTable[];
  primitiveness: PrimitivenessRow[];
  ablations: AblationRow[];
  cost: CostRow[];
  records: RunRecord[];
  learned?: Learned[];
}

const benchmarks = new Map<string, BenchmarkInfo>();

/** To be called before anything is drawn. */
export function learnBenchmarks(data: ReportData): void {
  for (const benchmark of data.benchmarks ?? []) benchmarks.set(benchmark.name, benchmark);
}

/** Of a benchmark; own data have none. */
export const benchmarkOf = (benchmark: string): BenchmarkInfo | undefined => benchmarks.get(benchmark);

// In the order of the tables; own data last.
const rank = (benchmark: string): number => (benchmarks.has(benchmark) ? [...benchmarks.keys()].indexOf(benchmark) : benchmarks.size);
export const inOrder = (names: string[]): string[] => [...names].sort((a, b) => rank(a) - rank(b));

export const benchmarkTitle = (benchmark: string): string => benchmarkOf(benchmark)?.title ?? (benchmark || "own data");

/** What the observations of a record are, where that is known. */
export const spaceOf = (record: { benchmark: string; space?: Space }): Space | undefined => record.space ?? benchmarkOf(record.benchmark)?.space;

export const splitTitle = (split: string): string =>
  ({ id: "ID", "id-clean": "ID, clean", comp: "compositional OOD", length: "length OOD" })[split] ?? split;

// Runs that knew which pairs share a program are told apart everywhere.
const kGrouped = ", grouped";
export const methodName = (method: string, grouped?: boolean): string => (grouped ? method + kGrouped : method);
export const baseMethod = (method: string): string => method.replace(kGrouped, "");

const kMethods: Record<string, string> = {
  "neo-best-first": "NEO, best-first",
  neo: "NEO",
  "neo-s": "NEO-S",
  "disc-mono": "Disc-Mono",
  "disc-mono-s": "Disc-Mono, sampled",
  "cont-mono": "Cont-Mono",
  "cont-mono-opt": "Cont-Mono-Opt",
};
export const methodTitle = (method: string): string => {
  const base = baseMethod(method);
  return (kMethods[base] ?? base) + method.slice(base.length);
};

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
