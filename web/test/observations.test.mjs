// How observations travel; src/serve/api_test.cc reads the same list.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { difference, emptyObservation, numberText, parse, realText, serialize } = await load("shared/observations.ts");
const { notationOf, readSequence, writeSequence } = await load("explorer/sequence_editor.ts");
const list = JSON.parse(readFileSync(new URL("observations.json", import.meta.url), "utf8"));

test("texts are what the server reads", () => {
  for (const { space, values, text } of list) {
    assert.equal(serialize(space, values), text);
    assert.deepEqual(parse(space, text).map(Math.fround), values.map(Math.fround), text);
    assert.deepEqual(parse(space, emptyObservation(space)).length, values.length);
  }
});

test("what is no observation is refused", () => {
  const grid = { kind: "categorical", layout: "grid", shape: [2, 2], values: [5] };
  for (const text of ["", "000", "00000", "0005", "0 0 0 0", "0,0,0,0", "000a"]) assert.equal(parse(grid, text), null, text);
  const tokens = { kind: "categorical", layout: "sequence", shape: [2], values: [20] };
  for (const text of ["", "3", "3,20", "3,-1", "3,1.5", "3,,4", "3,4,", "3,x", "3,4,5"]) assert.equal(parse(tokens, text), null, text);
  const channels = { kind: "categorical", layout: "grid", shape: [1, 2, 2], values: [3, 2] };
  assert.equal(parse(channels, "2,1,0,2"), null);
  const image = { kind: "pixels", layout: "image", shape: [1, 1, 3] };
  for (const text of ["", "MGD", "MGDAMGDA", "MG=A", "MG A"]) assert.equal(parse(image, text), null, text);
  const vector = { kind: "real", layout: "vector", shape: [2] };
  for (const text of ["1", "1,NaN", "1,Infinity", "1,1e39", "1,0x10", "1, 2"]) assert.equal(parse(vector, text), null, text);
  assert.deepEqual(parse(vector, "1e-07,-2.5E+3"), [1e-7, -2500]);
});

test("real numbers are written shortest, and lose nothing", () => {
  for (const [value, text] of [[0.1, "0.1"], [-0, "0"], [1 / 3, "0.33333334"], [1e22, "1e22"], [1.5e-7, "1.5e-7"], [123456789, "123456790"]]) {
    assert.equal(realText(value), text);
    assert.equal(Math.fround(Number(text)), Math.fround(value) + 0);
  }
});

test("distances are those of the theory", () => {
  const space = (kind, layout, shape, values) => ({ kind, layout, shape, values });
  assert.equal(difference(space("categorical", "grid", [2, 2], [3]), "0012", "0110"), 0.5);
  assert.equal(difference(space("pixels", "image", [1, 1, 1]), "AA==", "/w=="), 1);
  assert.equal(difference(space("real", "vector", [2]), "0,0", "3,4"), Math.sqrt(12.5));
});

test("numbers are written without leading zeros, in any base", () => {
  assert.equal(numberText({ kind: "categorical", layout: "number", shape: [4], values: [16] }, "0,3,15,10"), "3fa");
  assert.equal(numberText({ kind: "categorical", layout: "number", shape: [3], values: [10] }, "000"), "0");
});

test("sequences are typed as characters, words or numbers", () => {
  const space = (values, more = {}) => ({ kind: "categorical", layout: "sequence", shape: [3], values: [values], ...more });
  const cases = [
    [space(10), "characters", "012", "012"],
    [space(50), "numbers", "49 0 7", "49,0,7"],
    [space(3, { symbols: ["a", "b", " "] }), "characters", "b a", "120"],
    [space(12, { symbols: [..."abcdefghijkl"] }), "characters", "lab", "11,0,1"],
    [space(2, { symbols: ["up", "down"] }), "words", "up up down", "001"],
    [space(2, { symbols: ["go up", "down"] }), "numbers", "0 1 1", "011"],
  ];
  for (const [of, notation, written, text] of cases) {
    assert.equal(notationOf(of), notation);
    assert.equal(readSequence(of, written), text, written);
    assert.equal(writeSequence(of, parse(of, text)), written);
  }
  assert.equal(readSequence(space(50), "1, 2, 3"), "1,2,3");
  for (const written of ["1 2", "1 2 3 4", "1 2 50", "1 x 3", ""]) assert.equal(readSequence(space(50), written), null, written);
});

test("short strings are padded where the space says so", () => {
  const space = { kind: "categorical", layout: "sequence", shape: [5], values: [3], padded: true, symbols: ["a", "b", ""] };
  assert.equal(readSequence(space, "ab"), "01222");
  assert.equal(writeSequence(space, [0, 1, 2, 2, 2]), "ab");
  assert.equal(readSequence(space, ""), "22222");
  assert.equal(readSequence(space, "ababab"), null);
});
