// The Theory Explorer in Chromium with theories of every layout, served by mock_server.mjs: each is opened, sampled, edited,
// explained, overridden and transferred. No binary of neo is needed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cell, checkContrast, checkWidth, faults, fields, finish, launch, open, paint, png, settled, shoot, shots } from "./browser.mjs";
import { kModels, observations } from "./mock_models.mjs";
import { serveMock } from "./mock_server.mjs";

const { columnsOf, emptyObservation, parse, rowsOf, serialize, sizeOf } = observations;
const ids = Object.keys(kModels);
const kUsual = ["grid", "tokens", "number", "picture", "vector", "planes", "toy"];
const withExamples = ids.filter((id) => kModels[id].hasExamples);

let browser;
let server;
before(async () => {
  server = await serveMock();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
  console.log(`screenshots: ${shots}`);
});

const openModel = (id, options, more = "") => open(browser, `${server.url}#model=${id}${more}`, options);
const spaceOf = (id) => kModels[id].info.space;

// As the page's address has it.
const fromUrl = (space, text) => (space.kind === "pixels" ? text.replaceAll("-", "+").replaceAll("_", "/") + "=".repeat((4 - (text.length % 4)) % 4) : text.replaceAll("_", ","));
async function shown(page, id, field) {
  const text = fields(page).get(field);
  return text === null ? null : fromUrl(spaceOf(id), text);
}
const until = (page, name, before) => page.waitForFunction(([field, old]) => new URLSearchParams(location.hash.slice(1)).get(field) !== old, [name, before]);
// The next answer to come. Asked for before what causes it.
const explained = (page) => page.waitForResponse((response) => response.url().endsWith("/api/explain"));

async function clear(page) {
  const before = fields(page).get("x");
  await page.getByRole("button", { name: "Clear" }).click();
  await until(page, "x", before);
}

for (const id of withExamples) {
  test(`${id}: sampled, explained, overridden and transferred; a permalink brings it back`, async () => {
    const page = await openModel(id);
    const space = spaceOf(id);
    await settled(page);
    await page.waitForFunction(() => location.hash.includes("x="));
    const first = await shown(page, id, "x");
    assert.equal(parse(space, first).length, sizeOf(space));
    const answer = explained(page);
    const before = fields(page).get("x");
    await page.click("#new-sample");
    await until(page, "x", before);
    await answer;
    await settled(page);
    await page.waitForFunction(() => document.querySelector(".theory .verdict")?.classList.contains("good"));

    await page.locator(".theory [data-step='1']").first().click();
    await page.waitForSelector(".picker .slot > .picture");
    const choice = page.locator(".choice[aria-pressed=false]").first();
    const code = await choice.getAttribute("data-code");
    await choice.click();
    await page.waitForSelector(".branch .step.changed");
    assert.equal(await page.locator(".branch .step.changed").first().getAttribute("data-code"), code);

    if (!kModels[id].hasQuery) {
      assert.equal(await page.locator(".result").count(), 0);
      await page.click("#new-input");
    }
    await page.waitForFunction(() => document.querySelectorAll(".result .trace").length === 2);
    if (kModels[id].hasQuery) assert.equal(await page.locator(".result .verdict.good").count() >= 1, true);
    await page.waitForFunction(() => location.hash.includes("override=") && location.hash.includes("query="));
    await settled(page);

    const again = await open(browser, server.url + new URL(page.url()).hash, {}, ".branch .step.changed");
    await settled(again);
    await again.waitForFunction(() => document.querySelectorAll(".result .trace").length === 2);
    const texts = (p) => p.locator(".theory").innerText();
    assert.equal(await texts(again), await texts(page));
    assert.equal(new URL(again.url()).hash, new URL(page.url()).hash);
    await finish(again);
    await finish(page);
  });
}

for (const id of ids.filter((one) => one !== "toy-again")) {
  for (const colorScheme of kUsual.includes(id) ? ["light", "dark"] : ["light"]) {
    test(`${id} is readable in every tab, ${colorScheme}`, async () => {
      const page = await openModel(id, { colorScheme });
      await settled(page);
      const step = page.locator(".theory [data-step='1']").first();
      if (kModels[id].hasExamples) {
        await step.click();
        await page.waitForSelector(".picker .slot > .picture");
      }
      await checkContrast(page);
      await shoot(page, `${id}-explain-${colorScheme}`);
      await page.click("#tab-vocabulary");
      await page.waitForSelector(".card");
      await checkContrast(page);
      await shoot(page, `${id}-vocabulary-${colorScheme}`);
      await page.click("#tab-search");
      await page.waitForSelector(".outcome header");
      await checkContrast(page);
      await shoot(page, `${id}-search-${colorScheme}`);
      if (!kModels[id].hasExamples) page.problems = page.problems.filter((problem) => !problem.includes("404"));
      await finish(page);
    });
  }
}

for (const id of ids) {
  test(`${id} fits a phone`, async () => {
    const page = await openModel(id, { viewport: { width: 360, height: 780 }, hasTouch: true });
    await settled(page);
    for (const tab of ["explain", "vocabulary", "search"]) {
      await page.click(`#tab-${tab}`);
      if (tab === "vocabulary") await page.waitForSelector(".card");
      if (tab === "search") {
        await page.waitForSelector(".outcome header");
      }
      await checkWidth(page, tab);
      await shoot(page, `${id}-${tab}-phone`);
    }
    await checkContrast(page);
    await page.context().close();
  });
}

test("a grid of any shape is painted, by mouse and by keys", async () => {
  const page = await openModel("grid");
  const columns = columnsOf(spaceOf("grid"));
  await clear(page);
  await page.getByRole("radio", { name: "yellow" }).click();
  await paint(page, 0, 2 * columns + 1, 2 * columns + 3);
  await until(page, "x", serialize(spaceOf("grid"), parse(spaceOf("grid"), emptyObservation(spaceOf("grid")))));
  const row = (await shown(page, "grid", "x")).slice(2 * columns, 3 * columns);
  assert.equal(row, "0444000");
  await cell(page, 0, 11 * columns + 6).focus();
  await page.keyboard.press("ArrowRight"); // no further
  await page.keyboard.press("3");
  await page.waitForFunction(() => location.hash.includes("3&y="));
  assert.equal(await cell(page, 0, 11 * columns + 6).getAttribute("aria-label"), "row 12, column 7: green");
  await page.keyboard.press("6"); // there are values 0 to 5
  assert.equal(await cell(page, 0, 11 * columns + 6).getAttribute("aria-label"), "row 12, column 7: green");
  await page.keyboard.press("Control+z");
  assert.equal(await cell(page, 0, 11 * columns + 6).getAttribute("aria-label"), "row 12, column 7: background");
  await finish(page);
});

test("channels of a grid are painted one at a time", async () => {
  const page = await openModel("planes");
  await clear(page);
  await page.getByRole("radio", { name: "key" }).click();
  await cell(page, 0, 0).click();
  await page.selectOption("#channel", "1");
  assert.deepEqual(await page.getByRole("radio").allInnerTexts().then((all) => all.length), 6);
  assert.equal(await cell(page, 0, 0).getAttribute("aria-label"), "row 1, column 1: empty");
  await page.getByRole("radio", { name: "agent" }).click();
  await cell(page, 0, 1).click();
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("x").startsWith("3_0_0_0_5_0_0"));
  await page.selectOption("#channel", "0");
  assert.equal(await cell(page, 0, 0).getAttribute("aria-label"), "row 1, column 1: key");
  await finish(page);
});

test("many values have a palette that scrolls", async () => {
  const page = await openModel("wide");
  await clear(page);
  const swatch = page.getByRole("radio", { name: "value 200" });
  await swatch.click();
  await cell(page, 0, 0).click();
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("x").startsWith("200_0_0"));
  await finish(page);
});

test("sequences are typed as a whole, or token by token", async () => {
  const page = await openModel("tokens");
  await settled(page);
  const counted = Array.from({ length: 20 }, (_, i) => i);
  await page.locator(".editors .whole").nth(0).fill(counted.join(" "));
  await page.locator(".editors .whole").nth(1).fill(counted.map((i) => i + 1).join(", "));
  await page.waitForFunction(() => document.querySelector(".theory .program")?.textContent === "counted up"); // its given name
  const token = page.locator(".editors .token-fields").first().locator("input").first();
  await token.focus();
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("x").startsWith("1_1_2"));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("49");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("x").startsWith("1_49_2"));
  assert.match(await page.locator(".editors .whole").first().inputValue(), /^1 49 2 /);
  await token.fill("50"); // there is no such value
  assert.equal(await token.getAttribute("aria-invalid"), "true");
  await token.blur();
  assert.equal(await token.inputValue(), "1");
  await page.locator(".editors .whole").first().fill("1 2 3");
  assert.equal(await page.locator(".editors .whole").first().getAttribute("aria-invalid"), "true");
  await finish(page);
});

test("strings may be shorter than the longest", async () => {
  const page = await openModel("strings");
  await settled(page);
  await page.locator(".editors .whole").nth(0).fill("theory");
  await page.locator(".editors .whole").nth(1).fill("yroeht");
  await page.waitForFunction(() => document.querySelector(".theory .program")?.textContent === "reverse");
  assert.equal((await shown(page, "strings", "x")).split(",").filter((value) => value === "26").length, 6);
  await finish(page);
});

test("numbers of any length and base are typed", async () => {
  const page = await openModel("hexadecimal");
  await settled(page);
  const [x, y] = [page.locator(".number-editor").nth(0), page.locator(".number-editor").nth(1)];
  await x.fill("FF");
  await y.fill("100");
  await page.waitForFunction(() => document.querySelector(".theory .program")?.textContent === "next");
  await x.fill("xyz");
  assert.equal(await x.getAttribute("aria-invalid"), "true");
  await finish(page);

  const decimal = await openModel("number");
  await settled(decimal);
  await decimal.locator(".number-editor").nth(0).fill("123456789");
  await decimal.locator(".number-editor").nth(1).fill("246913578");
  await decimal.waitForFunction(() => document.querySelector(".theory .program")?.textContent === "double");
  await decimal.locator(".transfer .number-editor").fill("21");
  await decimal.waitForFunction(() => [...document.querySelectorAll(".result .trace .number")].at(-1)?.textContent === "42");
  await finish(decimal);
});

test("pictures of any size are loaded, and what was done to them is told", async () => {
  const page = await openModel("grey");
  await settled(page);
  const file = page.locator(".editors input[type=file]").first();
  await file.setInputFiles(await png(page, 640, 640));
  await page.waitForSelector(".editors .image-editor .hint:not([hidden])");
  assert.equal(await page.locator(".editors .image-editor .hint").first().innerText(), "The picture of 640 × 640 pixels was cut to its middle and scaled to 30 × 20.");
  await page.waitForFunction(() => document.querySelector(".theory .verdict") && location.hash.includes("x=XV1d")); // grey of #3060c0
  await file.setInputFiles({ name: "no.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await page.waitForSelector(".toast");
  assert.match(await page.locator(".toast").innerText(), /not a picture/);
  await finish(page);
});

test("a picture of the right size keeps its pixels", async () => {
  const page = await openModel("picture");
  await settled(page);
  await page.locator(".editors input[type=file]").first().setInputFiles(await png(page, 48, 48));
  await page.waitForFunction(() => location.hash.includes("x=MGDAMGDA"));
  assert.equal(await page.locator(".editors .image-editor .hint").first().isVisible(), false);
  await finish(page);
});

test("images are painted on, by mouse and by keys", async () => {
  const page = await openModel("clear");
  await settled(page);
  await clear(page);
  await page.locator("#paint-colour").fill("#ff0000");
  await page.selectOption("#paint-size", "1");
  const canvas = page.locator(".editors canvas").first();
  const box = await canvas.boundingBox();
  const at = (row, column) => [box.x + ((column + 0.5) / 128) * box.width, box.y + ((row + 0.5) / 128) * box.height];
  const pixel = async (row, column) => parse(spaceOf("clear"), await shown(page, "clear", "x")).slice(4 * (128 * row + column), 4 * (128 * row + column) + 4);
  await page.mouse.move(...at(10, 10));
  await page.mouse.down();
  await page.mouse.move(...at(10, 20));
  await page.mouse.up();
  await until(page, "x", fields(page).get("y"));
  assert.deepEqual(await pixel(10, 15), [255, 0, 0, 255]);
  assert.deepEqual(await pixel(11, 15), [200, 200, 200, 255]);
  await page.getByLabel("transparent").check();
  await canvas.focus();
  const before = fields(page).get("x");
  for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "Space"]) await page.keyboard.press(key);
  await until(page, "x", before);
  assert.deepEqual(await pixel(1, 2), [255, 0, 0, 0]);
  const painted = fields(page).get("x");
  await page.keyboard.press("Control+z");
  await until(page, "x", painted);
  assert.deepEqual(await pixel(1, 2), [200, 200, 200, 255]);
  await finish(page);
});

test("vectors are typed number by number, or as a line", async () => {
  const page = await openModel("vector");
  await settled(page);
  await page.locator(".editors .whole").nth(0).fill("1, 2, 3.5, -4, 0, 1e-3, 7");
  await page.locator(".editors .whole").nth(1).fill("-1 -2 -3.5 4 0 -0.001 -7");
  await page.waitForFunction(() => document.querySelector(".theory .program")?.textContent === "negate");
  assert.match(await page.locator(".theory .verdict").first().innerText(), /^close to y, RMS 0\.000$/);
  const field = page.locator(".editors .number-fields").first().locator("input").nth(2);
  await field.fill("9.25");
  await field.press("Enter");
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("x") === "1_2_9.25_-4_0_0.001_7");
  await page.waitForFunction(() => document.querySelector(".theory .verdict")?.textContent.startsWith("far from y"));
  await page.locator(".transfer .whole").fill("1,1,1,1,1,1,1");
  await page.waitForSelector(".result .trace");
  await finish(page);
});

test("a theory that keeps no examples begins with an empty pair, and long vectors can be edited", async () => {
  const page = await openModel("curve");
  await settled(page);
  assert.equal(await page.locator("#sample-length").count(), 0);
  const place = page.locator(".editors .number-fields").first().locator("input");
  await place.nth(0).fill("300");
  await place.nth(1).fill("-2.5");
  await place.nth(1).press("Enter");
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("x")?.endsWith("0_-2.5"));
  await page.click("#new-sample");
  await page.waitForSelector(".toast");
  assert.match(await page.locator(".toast").innerText(), /no examples are kept/);
  await page.context().close();
});

test("benchmarks have true operations, hidden programs and lengths; own data have none", async () => {
  const page = await openModel("toy");
  await settled(page);
  assert.equal(await page.locator("#sample-length option").count(), 3);
  assert.equal(await page.locator(".result .verdict").first().innerText(), "as the hidden program");
  await page.locator(".hidden-program summary").click();
  await page.getByRole("button", { name: "Copy x to y" }).click();
  await page.getByRole("button", { name: "next colour", exact: true }).click();
  await page.waitForFunction(() => document.querySelector(".theory .program")?.textContent === "next colour");
  await finish(page);

  const own = await openModel("grid");
  await settled(own);
  assert.equal(await own.locator(".operations, #sample-length, .hidden-program").count(), 0);
  assert.equal(await own.locator(".result .verdict").first().innerText(), "as in the data");
  await finish(own);
});

test("only models of the same space are compared", async () => {
  const page = await openModel("toy", {}, "&compare=toy-again");
  await page.waitForFunction(() => document.querySelectorAll(".theory > header .verdict").length === 2);
  assert.deepEqual(await page.locator(".theory h2").allInnerTexts(), ["toy", "toy-again"]);
  await settled(page);
  await page.waitForFunction(() => document.querySelectorAll(".result").length === 2);
  assert.deepEqual(await page.locator("#compare option").allInnerTexts(), ["nothing", "toy-again", "toy-lazy"]);
  await page.waitForSelector(".difference:not([hidden])");
  assert.match(await page.locator(".difference").innerText(), /Both make the same of x/);
  await page.locator(".difference tbody tr").nth(1).waitFor();
  assert.deepEqual(await faults(page), []);
  await shoot(page, "mock-compare");
  await page.selectOption("#title", "grid");
  await page.waitForFunction(() => document.querySelector("#model").value === "grid");
  assert.equal(await page.locator("#compare").isDisabled(), true);
  await page.waitForSelector(".theory .verdict.good");
  await finish(page);
});

test("what two theories make of a pair is set against each other", async () => {
  const page = await openModel("toy", {}, "&compare=toy-lazy&x=110000000000000000000000000000000000&y=000330000000000000000000000000000000");
  await page.waitForSelector(".difference .goal figure");
  assert.match(await page.locator(".difference").innerText(), /Their results differ in \d+ of 36 places: row 1, column/);
  assert.equal(await page.locator(".difference .goal figure").count(), 3);
  await shoot(page, "mock-difference");
  await finish(page);
});

test("few titles are buttons, many a list; both open their theories", async () => {
  const few = await serveMock({ ids: ["grid", "toy", "toy-again", "vector"] });
  const page = await open(browser, few.url);
  assert.deepEqual(await page.locator(".segments button").allInnerTexts(), ["grid", "Toy", "vector"]);
  await page.locator(".segments button", { hasText: "vector" }).click();
  await page.waitForSelector(".vector-editor");
  await page.waitForSelector(".trace.vectors");
  await page.locator(".segments button", { hasText: "Toy" }).click();
  await page.waitForSelector(".trace.grids");
  assert.deepEqual(await page.locator("#model option").allInnerTexts(), ["toy", "toy-again"]);
  assert.equal(await page.title(), "Theory Explorer · Toy");
  await finish(page);
  few.close();

  const many = await openModel("grid");
  for (const id of ids) {
    if (!kModels[id].hasExamples) continue;
    await many.selectOption("#title", kModels[id].info.title);
    await many.waitForSelector(`.trace.${spaceOf(id).layout}s`);
  }
  await finish(many);
});

test("a mangled link still opens something sensible", async () => {
  const page = await open(browser, `${server.url}#model=../../etc/passwd&x=<script>&y=99&compare=vector&override=7.99_x&steps=-1&tab=nowhere`);
  await settled(page);
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("model") === "grid");
  assert.equal(parse(spaceOf("grid"), await shown(page, "grid", "y")).length, rowsOf(spaceOf("grid")) * columnsOf(spaceOf("grid")));
  for (const name of ["compare", "override", "steps", "tab"]) assert.equal(fields(page).get(name), null);
  const told = await page.locator(".toast").innerText();
  for (const name of ["../../etc/passwd", "“x”", "“y”", "“compare”", "“override”", "“steps”", "“tab”"]) assert.ok(told.includes(name), `${name} in: ${told}`);
  await finish(page);
});

test("equal x and y need no program, and an empty pair is said to be one", async () => {
  const page = await openModel("grid");
  await settled(page);
  await page.getByRole("button", { name: "Copy x to y" }).click();
  await page.waitForFunction(() => document.querySelector(".theory").innerText.includes("x and y are the same"));
  assert.equal(await page.locator(".theory .verdict").innerText(), "nothing to explain");
  assert.equal(await page.locator(".theory .trace, .result").count(), 0);
  await clear(page);
  await page.waitForFunction(() => document.querySelector(".theory").innerText.includes("x and y are both empty"));
  await shoot(page, "state-empty");
  await finish(page);
});

test("what cannot be read is told, and no older result is shown for it", async () => {
  for (const [id, field, text] of [
    ["tokens", ".whole", "1 2 3"],
    ["number", ".number-editor", "12x"],
    ["vector", ".whole", "1, two, 3"],
  ]) {
    const page = await openModel(id);
    await settled(page);
    const input = page.locator(`.editors ${field}`).first();
    const before = await input.inputValue();
    await input.fill(text);
    await page.waitForFunction(() => document.querySelector(".theory .failure")?.textContent.startsWith("x cannot be read"));
    assert.match(await page.locator(".editors .problem").innerText(), /^This is not .*number|^This is not .*tokens/);
    assert.equal(await page.locator(".theory .trace, .result").count(), 0);
    assert.equal(await input.getAttribute("aria-describedby"), await page.locator(".editors .problem").getAttribute("id"));
    await shoot(page, `state-unreadable-${id}`);
    await input.fill(before);
    await page.waitForSelector(".theory .trace");
    assert.equal(await page.locator(".problem").count(), 0);
    await page.locator(`.transfer ${field}`).fill(text);
    await page.waitForFunction(() => document.querySelector(".results").textContent === "The other input cannot be read.");
    await finish(page);
  }
});

test("where no program is found, the closest is shown with what to do next", async () => {
  const page = await openModel("grid");
  await settled(page);
  await clear(page);
  await page.getByRole("radio", { name: "red" }).click();
  await cell(page, 0, 8).click();
  await cell(page, 1, 5).click();
  await cell(page, 1, 40).click();
  await page.waitForFunction(() => document.querySelector(".theory .verdict")?.textContent === "no program found");
  assert.match(await page.locator(".theory .notice").innerText(), /at most 4 steps.*comes closest/);
  await page.waitForFunction(() => document.querySelector(".results").innerText.includes("did not explain its own pair"));
  await shoot(page, "state-no-program");
  await page.getByRole("button", { name: "Allow 8 steps" }).click();
  await page.waitForFunction(() => location.hash.includes("steps=8"));
  await page.getByRole("button", { name: "Search further" }).click();
  await page.waitForSelector("#panel-search:not([hidden])");
  await finish(page);
});

test("codes go by their names, and namesakes are told apart", async () => {
  const page = await openModel("tokens");
  await settled(page);
  await page.waitForSelector(".card, .theory .step");
  assert.doesNotMatch(await page.locator("#page").innerText(), /\bz\d/);
  await page.click("#tab-vocabulary");
  await page.waitForSelector(".card");
  assert.deepEqual(await page.locator(".card h3").allInnerTexts(), ["turned round", "rotate", "counted up"]);
  assert.doesNotMatch(await page.locator("#page").innerText(), /\bz\d/);
  await finish(page);

  const twins = await openModel("twins", {}, "&tab=vocabulary");
  await twins.waitForSelector(".card");
  assert.deepEqual(await twins.locator(".card h3").allInnerTexts(), ["up (code 0)", "up (code 1)"]);
  await finish(twins);
});

test("the tour hides the answer, shows it, and then lets a step be changed", async () => {
  const page = await openModel("toy");
  await settled(page);
  await page.click("#tour");
  await page.waitForSelector(".touring");
  assert.match(await page.locator(".intro").innerText(), /hidden rule. Guess it/);
  assert.equal(await page.locator(".theory .program").isVisible(), false);
  await page.getByRole("button", { name: "Now watch the machine" }).click();
  await page.locator(".theory .program").first().waitFor({ state: "visible" });
  await settled(page);
  await page.getByRole("button", { name: "Now change a step" }).click();
  await page.waitForSelector(".picker");
  await page.getByRole("button", { name: "Done" }).click();
  assert.match(await page.locator(".intro").innerText(), /without labels, rules or names/);
  await finish(page);
});

test("hard words are explained where they occur, also by keys", async () => {
  const page = await openModel("toy");
  await settled(page);
  for (const word of ["ŷ", "loss", "MDL"]) {
    await page.locator(".theory .term", { hasText: word }).first().focus();
    await page.waitForSelector("#tip");
    assert.ok((await page.locator("#tip").innerText()).length > 20);
  }
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#tip").count(), 0);
  await finish(page);
});

test("the search runs when it is opened, and no two of its nodes overlap", async () => {
  for (const [id, calls] of [["toy", 60], ["toy", 300], ["tokens", 60], ["number", 200], ["wide", 100]]) {
    const page = await openModel(id, {}, "&tab=search");
    await page.waitForSelector(".outcome header");
    await page.locator("#panel-search input[type=number]").fill(String(calls));
    const again = page.waitForResponse((response) => response.url().endsWith("/api/search"));
    await page.click(".start");
    const visited = (await (await again).json()).nodes.length;
    await page.waitForFunction((count) => document.querySelectorAll(".tree .node").length === count, visited);
    const overlaps = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll(".tree .node")].map((node) => node.querySelector(".frame, .pill, circle").getBoundingClientRect());
      const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
      return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => !apart(a, b))).length;
    });
    assert.equal(overlaps, 0, `${id}, ${calls} calls`);
    assert.equal(await page.locator(".legend li").count(), 4);
    await shoot(page, `search-${id}-${calls}`);
    await finish(page);
  }
  const page = await openModel("tokens", {}, "&tab=search");
  await page.waitForSelector(".tree .edge text");
  await page.waitForFunction(() => [...document.querySelectorAll(".tree .edge text")].every((label) => ["turned round", "rotate", "counted up"].includes(label.textContent)));
  await finish(page);
});

test("own data are dropped, understood, learned from, stopped, resumed, saved and forgotten", async () => {
  const page = await openModel("toy", {}, "&tab=data");
  await page.waitForSelector("#example-data");
  await page.locator("#data-file").setInputFiles({ name: "no.jsonl", mimeType: "text/plain", buffer: Buffer.from("nothing") });
  await page.waitForSelector(".status .failure");
  assert.match(await page.locator(".status").innerText(), /this is no JSON/);
  page.problems = page.problems.filter((problem) => !problem.includes("400"));
  await page.locator("#data-file").setInputFiles({ name: "big.npz", mimeType: "text/plain", buffer: Buffer.alloc(2 << 20) });
  await page.waitForFunction(() => document.querySelector(".status").innerText.includes("larger than 1 MB"));

  await page.click("#example-data");
  await page.waitForSelector("#learn");
  assert.match(await page.locator(".data h2").allInnerTexts().then((all) => all.join("|")), /example.jsonl: grids of 6 × 6 cells/);
  assert.equal(await page.locator(".pairing").count(), 12);
  assert.deepEqual(await faults(page), []);
  await page.click("#learn");
  await page.waitForSelector(".live .card");
  assert.equal(await page.locator(".chart").count(), 2);
  await page.click("#stop-learning");
  await page.waitForFunction(() => document.querySelector("#learn")?.textContent === "Resume");
  assert.deepEqual(await faults(page), []);
  await shoot(page, "own-data-stopped");
  await page.click("#learn");
  await page.waitForFunction(() => document.querySelector(".live").innerText.includes("explains 97.0 % of 10 pairs that it was never shown"));
  assert.deepEqual(await page.locator(".live .card h3").allInnerTexts(), ["right", "down", "mirror", "next colour"]);
  await page.fill("#run-name", "kept");
  await page.click("#save-run");
  await page.waitForFunction(() => document.querySelector(".status").innerText.includes("neo serve runs/kept"));
  await shoot(page, "own-data-finished");
  const forgotten = page.waitForRequest((request) => request.url().endsWith("/api/data/forget"));
  await page.click("#example-data");
  await forgotten;
  await finish(page);
});

test("own data fit a phone, in the dark", async () => {
  const page = await openModel("toy", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }, "&tab=data");
  await page.click("#example-data");
  await page.waitForSelector("#learn");
  await page.click("#learn");
  await page.waitForSelector(".live .card");
  await checkWidth(page, "own data");
  assert.deepEqual(await faults(page), []);
  await shoot(page, "own-data-phone");
  await finish(page);
});

test("the curves of a run folder are shown, and a weights file is said to have none", async () => {
  const page = await openModel("toy", {}, "&tab=training");
  await page.waitForSelector(".training .chart");
  assert.equal(await page.locator(".training .chart b").first().innerText(), "100 %");
  assert.deepEqual(await faults(page), []);
  await finish(page);
  const other = await openModel("grid", {}, "&tab=training");
  await other.waitForFunction(() => document.querySelector(".training").innerText.includes("A weights file alone tells nothing"));
  await finish(other);
});

test("a server without theories is told kindly", async () => {
  const none = await serveMock({ ids: [] });
  const page = await open(browser, none.url, {}, ".failure");
  assert.match(await page.locator(".failure").innerText(), /opened no theory/);
  await finish(page);
  none.close();
});

test("the search can be watched, and walked along by keys", async () => {
  const page = await openModel("toy", { reducedMotion: "no-preference" }, "&tab=search");
  await page.locator("#panel-search input[type=checkbox]").check();
  await page.locator("#panel-search input[type=number]").fill("120");
  await page.click(".start");
  await page.waitForSelector(".tree");
  assert.ok((await page.locator(".tree .node.hidden").count()) > 0, "it grows");
  await page.waitForSelector(".tree.done");
  assert.equal(await page.locator(".tree .node.hidden").count(), 0);
  assert.ok((await page.locator(".tree .node").count()) > 10);
  await page.locator(".tree").focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator(".detail").innerText(), /Distance from y|This is y/);
  await finish(page);
});

test("examples of the vocabulary stand side by side, and take turns when asked", async () => {
  const page = await openModel("toy", { reducedMotion: "no-preference" }, "&tab=vocabulary");
  await page.waitForSelector(".card");
  const moving = () => page.locator(".example .after").first().evaluate((after) => getComputedStyle(after).animationName);
  assert.equal(await moving(), "none");
  const [before, after] = [await page.locator(".example .before").first().boundingBox(), await page.locator(".example .after").first().boundingBox()];
  assert.ok(after.x >= before.x + before.width && Math.abs(after.y - before.y) < 2);
  await page.click("#play");
  assert.equal(await moving(), "take-turns");
  await page.click("#play");
  assert.equal(await moving(), "none");
  await finish(page);
});

test("the theme is chosen, and remembered", async () => {
  const page = await openModel("toy");
  const dark = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await dark();
  const button = page.getByRole("button", { name: /^Theme/ });
  await button.click();
  await button.click();
  assert.notEqual(await dark(), before);
  const chosen = await dark();
  await page.reload();
  await page.waitForSelector(".theory .verdict");
  assert.equal(await dark(), chosen);
  await finish(page);
});

test("help opens and closes by keys", async () => {
  const page = await openModel("toy");
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await finish(page);
});

test("a server that has gone is told kindly", async () => {
  const own = await serveMock();
  const page = await open(browser, own.url);
  await settled(page);
  own.close();
  await page.getByRole("button", { name: "Swap" }).click();
  await page.waitForSelector(".theory .failure");
  assert.match(await page.locator(".theory .failure").innerText(), /Is `neo serve` still running\?/);
  await page.context().close();
});
