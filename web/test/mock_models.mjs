// Theories of every layout, as `neo serve` would list them, with a few plain functions for codes.
import { load } from "./modules.mjs";

export const observations = await load("shared/observations.ts");
const { channelsOf, columnsOf, rowsOf, sizeOf, valuesAt } = observations;

// Cell (row, column) of the result is that of the input which `from` names.
const moved = (space, from) => (values) => {
  const [rows, columns, channels] = [rowsOf(space), columnsOf(space), channelsOf(space)];
  return values.map((_, i) => {
    const cell = Math.floor(i / channels);
    const [row, column] = from(Math.floor(cell / columns), cell % columns, rows, columns);
    return values[(row * columns + column) * channels + (i % channels)];
  });
};
const planar = (space) => ({
  right: moved(space, (r, c, _, columns) => [r, (c + columns - 1) % columns]),
  down: moved(space, (r, c, rows) => [(r + rows - 1) % rows, c]),
  mirror: moved(space, (r, c, _, columns) => [r, columns - 1 - c]),
});
const stepped = (space) => (values) => values.map((value, i) => (value === 0 ? 0 : 1 + (value % (valuesAt(space, i) - 1))));
const linear = { reverse: (v) => [...v].reverse(), rotate: (v) => [...v.slice(1), v[0]] };
const arithmetic = (base, by) => (digits) => {
  let carry = by.plus ?? 0;
  return [...digits].reverse().map((digit) => {
    const sum = digit * (by.times ?? 1) + carry;
    carry = Math.floor(sum / base);
    return sum % base;
  }).reverse();
};

const some = (random, space) => {
  if (space.kind === "pixels") {
    const [a, b, c] = [random(200), random(200), random(200)];
    const channels = channelsOf(space);
    return Array.from({ length: sizeOf(space) }, (_, i) => {
      const [cell, channel] = [Math.floor(i / channels), i % channels];
      const [row, column] = [Math.floor(cell / columnsOf(space)), cell % columnsOf(space)];
      if (channel === 3) return row < 5 ? 90 : 255;
      const inside = row > 0.2 * rowsOf(space) && row < 0.5 * rowsOf(space) && column > 0.1 * columnsOf(space) && column < 0.4 * columnsOf(space);
      return inside ? [240, 160, 60][channel] : Math.min(255, [a, b, c][channel] + Math.round((55 * row) / rowsOf(space)));
    });
  }
  if (space.kind === "real") return Array.from({ length: sizeOf(space) }, (_, i) => Math.fround(Math.round(400 * Math.sin(i / 3 + random(10))) / 100));
  const padding = space.padded ? 1 : 0;
  if (space.layout === "grid") return Array.from({ length: sizeOf(space) }, (_, i) => (random(4) === 0 ? random(valuesAt(space, i) - padding) : 0));
  const empty = space.layout === "number" ? Math.floor(sizeOf(space) / 2) : 0;
  const values = Array.from({ length: sizeOf(space) }, (_, i) => (i < empty ? 0 : random(valuesAt(space, i) - padding)));
  return space.padded ? values.map((value, i) => (i < 6 ? value : valuesAt(space, i) - 1)) : values;
};

const palette = (count) => {
  const chosen = ["#fcfcfa", "#1f77b4", "#d62728", "#2ca02c", "#f7c92e", "#7f7f7f", "#e377c2", "#ff7f0e", "#17becf"];
  return Array.from({ length: count > 256 ? 0 : count }, (_, i) => chosen[i] ?? `#${((i * 2654435) % 0xffffff).toString(16).padStart(6, "0")}`);
};

function model(id, space, codes, extra = {}) {
  const names = Object.keys(codes);
  return {
    info: {
      id,
      title: id,
      benchmark: "",
      space,
      codes: names.length,
      names: [],
      active: names.map((_, i) => i),
      primitives: [],
      longest: 0,
      palette: space.kind === "categorical" ? palette(Math.max(...space.values)) : [],
      most_calls: 1000,
      policy: { steps: 4, tolerance: 0.001 },
      alpha: 1,
      preset: "mock",
      seed: 42,
      step: 1000,
      steps: 4,
      ...extra.info,
    },
    names,
    codes: Object.values(codes),
    example: extra.example ?? ((random) => some(random, space)),
    hasExamples: extra.hasExamples ?? true,
    hasQuery: extra.hasQuery ?? true,
  };
}

const cells = { kind: "categorical", layout: "grid", shape: [12, 7], values: [6] };
const wide = { kind: "categorical", layout: "grid", shape: [64, 64], values: [256] };
const planes = { kind: "categorical", layout: "grid", shape: [5, 5, 3], values: [4, 6, 3], symbols: ["empty", "wall", "door", "key", "goal", "agent"] };
const tokens = { kind: "categorical", layout: "sequence", shape: [20], values: [50] };
const strings = { kind: "categorical", layout: "sequence", shape: [12], values: [27], padded: true, symbols: [..."abcdefghijklmnopqrstuvwxyz", ""] };
const number = { kind: "categorical", layout: "number", shape: [9], values: [10] };
const hexadecimal = { kind: "categorical", layout: "number", shape: [40], values: [16] };
const picture = { kind: "pixels", layout: "image", shape: [48, 48, 3] };
const grey = { kind: "pixels", layout: "image", shape: [20, 30, 1] };
const clear = { kind: "pixels", layout: "image", shape: [128, 128, 4] };
const vector = { kind: "real", layout: "vector", shape: [7] };
const curve = { kind: "real", layout: "vector", shape: [300] };

const colour = (space, change) => (values) => values.map((value, i) => (channelsOf(space) === 4 && i % 4 === 3 ? value : change(value)));
const painted = (space) => ({ mirror: planar(space).mirror, invert: colour(space, (v) => 255 - v), darker: colour(space, (v) => Math.round(0.6 * v)) });
const scaled = { double: (v) => v.map((x) => Math.fround(2 * x)), negate: (v) => v.map((x) => -x), lift: (v) => v.map((x) => Math.fround(x + 1)), rotate: linear.rotate };
const reversedString = (values) => {
  const length = values.filter((value) => value !== 26).length;
  return [...values.slice(0, length).reverse(), ...values.slice(length)];
};
const nextLetter = (values) => values.map((value) => (value === 26 ? 26 : (value + 1) % 26));

const toy = (id) =>
  model(id, { ...cells, shape: [6, 6], values: [4] }, { ...planar({ ...cells, shape: [6, 6] }), next_colour: stepped({ ...cells, values: [4] }) }, {
    info: { title: "Toy", benchmark: "toy", primitives: ["right", "down", "mirror", "next_colour"], longest: 3 },
  });

/** By id. The first six are those of the issue; "toy" stands for a benchmark. */
export const kModels = Object.fromEntries(
  [
    model("grid", cells, { ...planar(cells), next: stepped(cells) }),
    model("tokens", tokens, { ...linear, next: (v) => v.map((x) => (x + 1) % 50) }, { info: { names: ["turned round", "", "counted up"] } }),
    model("number", number, { double: arithmetic(10, { times: 2 }), treble: arithmetic(10, { times: 3 }), next: arithmetic(10, { plus: 1 }) }),
    model("picture", picture, painted(picture)),
    model("vector", vector, scaled, { hasQuery: false }),
    model("planes", planes, { ...planar(planes), next: stepped(planes) }),
    model("twins", number, { next: arithmetic(10, { plus: 1 }), also: arithmetic(10, { plus: 1 }) }, { info: { names: ["up", "up"] } }),
    toy("toy"),
    toy("toy-again"),
    { ...toy("toy-lazy"), codes: Array(4).fill(moved({ ...cells, shape: [6, 6] }, (r, c) => [r, (c + 5) % 6])) },
    model("wide", wide, { ...planar(wide), next: stepped(wide) }, { info: { most_calls: 100 } }),
    model("strings", strings, { reverse: reversedString, next: nextLetter }),
    model("hexadecimal", hexadecimal, { double: arithmetic(16, { times: 2 }), next: arithmetic(16, { plus: 1 }) }),
    model("grey", grey, painted(grey)),
    model("clear", clear, painted(clear), { info: { most_calls: 60 } }),
    model("curve", curve, scaled, { hasExamples: false }),
  ].map((entry) => [entry.info.id, entry]),
);
