import { kModels, observations } from "./mock_models.mjs";

// What `neo report` would say of runs on own data, one of each layout: no benchmark, no groups, no transfer.
// What `neo learn` would say of such data.
function learned(name) {
  const { info, codes, example } = kModels[name];
  let state = 5;
  const examples = Array.from({ length: 4 }, () => example((below) => (state = (7 * state + 3) % 1009) % below)).map((x) => ({ x: observations.serialize(info.space, x), y: observations.serialize(info.space, codes[0](x)) }));
  const trials = [{ structure: "none", codes: 0, explained: 0, bits: 80 }, { structure: "discovered", codes: 2, explained: 0.98, bits: 7.5 }];
  return { name, space: info.space, theory: true, structure: "discovered", trials, vocabulary: codes.map((_, code) => ({ code, name: code === 0 ? "turned" : "", usage: 0.5 })), explained: 0.98, error: 0, length: 1.5, pairs: 50, held_out: true, seconds: 12, examples };
}

/** Records of a sweep over a setting, two seeds each. */
export function sweepData() {
  const data = ownData(["grid"]);
  const [record] = data.records;
  for (const value of [3, 12, 6])
    for (const seed of [42, 43]) {
      const rows = [{ ...record.rows[0], split: "id", transfer: 0.5 + 0.02 * value + 0.01 * (seed - 42) }];
      data.records.push({ ...record, name: `codes-${value}-${seed}`, seed, rows, settings: `model.quantizer.codes=${value}`, examples: [] });
    }
  return data;
}

export function ownData(names) {
  const records = names.map((name, index) => {
    const { info, codes, example } = kModels[name];
    let state = index;
    const x = example((below) => (state = (7 * state + 3) % 1009) % below);
    const states = [codes[0](x), codes[1](codes[0](x))].map((state) => observations.serialize(info.space, state));
    const support = { x: observations.serialize(info.space, x), y: states[1], trace: states, codes: [0, 1] };
    const paths = [{ codes: [1], trace: [states[0]], count: 3, solves: false }, { codes: [0, 1], trace: states, count: 5, solves: true }];
    const row = { split: "held-out", method: "neo", temperature: 0, budget: 1, calls: 9, hard_grounding: true, self: 0.9, transfer: null, mean_length: 2 };
    return { name, benchmark: "", preset: "mine", method: "neo", ablation: "", purpose: "", alpha: 1, seed: 1, grouped: false, space: info.space, rows: [row], examples: [{ split: "held-out", index, support, paths }] };
  });
  const estimate = { seeds: [{ seed: 1, value: 0.9, run: "grid" }], mean: 0.9, deviation: 0, low: 0.9, high: 0.9 };
  const cell = { alpha: 1, method: "neo", title: "NEO", split: "held-out", self: estimate, transfer: null, paper_self: null, paper: null, release: null, verdict: null };
  const cells = [cell, { ...cell, grouped: true, title: "NEO, grouped" }];
  return { version: "test", benchmarks: [], training_lengths: [], results: [{ benchmark: "", preset: "mine", less_is_better: true, cells }], primitiveness: [], ablations: [], cost: [], records, learned: names.map(learned) };
}
