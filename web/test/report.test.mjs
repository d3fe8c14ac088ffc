// The report in Chromium, made by the binary from the records in fixture/ (small trials: their figures mean nothing).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { faults, launch, shots } from "./browser.mjs";
import { ownData, sweepData } from "./own_data.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const neo = resolve(here, "../..", process.env.NEO ?? "build/neo");
const file = join(shots, "report.html");
const figures = ["primitiveness", "scaling", "temperature", "rollouts", "paths", "alignment", "explanation-length", "codebook"];

let browser;
before(async () => {
  browser = await launch();
  execFileSync(neo, ["report", join(here, "fixture"), "--out", file]);
});
after(async () => {
  await browser?.close();
  console.log(`screenshots: ${shots}`);
});

// A page that fails the test on anything in the console and on any request that leaves the file.
async function open(options = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
  page.problems = [];
  page.on("console", (message) => page.problems.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) page.problems.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  return page;
}

for (const colorScheme of ["light", "dark"]) {
  test(`every table and figure is there, ${colorScheme}`, async () => {
    const page = await open({ colorScheme });
    assert.equal(await page.locator("#table-gridworld-fast tbody tr").count() > 10, true);
    assert.equal(await page.locator("#table-arithmetic-fast, #table-imaging-fast, #ablations, #cost").count(), 4);
    for (const id of figures) {
      const parts = await page.locator(`#${id} svg.drawing *`).count();
      assert.ok(parts > 10, `${id} has only ${parts} parts`);
      assert.match(await page.locator(`#${id} .runs`).innerText(), /^from /, id);
      await page.locator(`#${id}`).screenshot({ path: join(shots, `${colorScheme}-${id}.png`) });
    }
    await page.screenshot({ path: join(shots, `${colorScheme}.png`), fullPage: true });
    const [paper, ink] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color].map((c) => Number(c.match(/\d+/)[0])));
    assert.equal(paper > ink, colorScheme === "light");
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

for (const [size, viewport] of Object.entries({ desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing in a full report, which fits, ${size}, ${colorScheme}`, async () => {
      const page = await open({ viewport, colorScheme });
      assert.deepEqual(await faults(page), []);
      const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= shown, `${wide} pixels wide`);
      await page.screenshot({ path: join(shots, `report-${size}-${colorScheme}.png`), fullPage: true });
      await page.close();
    });
  }
}

test("every choice of every figure can be drawn", async () => {
  const page = await open();
  for (const id of figures) {
    for (let i = 0; i < (await page.locator(`#${id} select`).count()); ++i) {
      const values = await page.locator(`#${id} select`).nth(i).locator("option").evaluateAll((options) => options.map((o) => o.value));
      for (const value of values) {
        await page.locator(`#${id} select`).nth(i).selectOption(value);
        assert.ok((await page.locator(`#${id} svg.drawing`).count()) === 1, `${id}, ${value}`);
      }
    }
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("tables and figures say which of the paper's they correspond to", async () => {
  const page = await open();
  assert.match(await page.locator("#table-gridworld-fast h2").innerText(), /Table 1 of the paper/);
  assert.match(await page.locator("#ablations h2").innerText(), /Table 3 of the paper/);
  assert.match(await page.locator("#cost h2").innerText(), /Table 12, Table 13, Table 14 of the paper/);
  assert.match(await page.locator("#primitiveness h3").innerText(), /Figure 7 of the paper/);
  assert.doesNotMatch(await page.locator("#codebook h3").innerText(), /of the paper/);
  await page.close();
});

test("hovering shows the values", async () => {
  const page = await open();
  for (const id of ["primitiveness", "scaling", "temperature", "alignment", "explanation-length", "codebook"]) {
    const drawing = page.locator(`#${id} svg.drawing`);
    await drawing.scrollIntoViewIfNeeded();
    const box = await drawing.boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.5);
    await page.mouse.move(box.x + box.width * 0.31, box.y + box.height * 0.52);
    const tip = await page.locator(`#${id} svg.drawing [aria-label=tip]`).textContent();
    assert.match(tip, /\d/, id);
  }
  await page.screenshot({ path: join(shots, "tip.png") });
  assert.match(await page.locator("#table-gridworld-fast td span[title]").first().getAttribute("title"), /seed 42/);
  await page.close();
});

test("figures are saved as files that need nothing else", async () => {
  const page = await open({ colorScheme: "dark" });
  for (const id of ["scaling", "rollouts"]) {
    for (const kind of ["SVG", "PNG"]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`#${id} .save button`, { hasText: kind }).click()]);
      const path = join(shots, download.suggestedFilename());
      await download.saveAs(path);
      const content = readFileSync(path);
      if (kind === "PNG") assert.equal(content.subarray(1, 4).toString(), "PNG");
      else assert.doesNotMatch(content.toString(), /var\(--(?!plot)/);
      assert.ok(content.length > 2000, path);
    }
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("the button changes the theme, and paper is always light", async () => {
  const page = await open({ colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.locator("#theme").click();
  assert.notEqual(await background(), dark);
  await page.locator("#theme").click();
  assert.equal(await background(), dark);
  await page.pdf({ path: join(shots, "print.pdf"), format: "A4" });
  await page.emulateMedia({ media: "print" });
  assert.notEqual(await background(), dark);
  assert.equal(await page.locator("nav").isVisible(), false);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("records of own data are drawn in every layout", async () => {
  const names = ["grid", "tokens", "number", "picture", "vector", "planes", "strings"];
  const path = join(shots, "own.html");
  writeFileSync(path, readFileSync(resolve(here, "../dist/report.html"), "utf8").replace('"neo-report-data"', () => JSON.stringify(ownData(names))));
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const problems = [];
  page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(pathToFileURL(path).href);
  assert.match(await page.locator("#table--mine h2").innerText(), /^own data, mine preset/);
  assert.match(await page.locator("#table--mine").innerText(), /NEO, grouped/);
  for (const name of names) {
    const text = await page.locator(`#own-${name}`).innerText();
    assert.match(text, /98\.0 % of 50 pairs that were held out/);
    assert.match(text, /discovered \(chosen\)\s+7\.5/);
    assert.equal(await page.locator(`#own-${name} .pairs svg`).count(), 4);
  }
  for (const [i, name] of names.entries()) {
    await page.locator("#rollouts select").nth(2).selectOption({ index: i });
    assert.ok((await page.locator("#rollouts svg.drawing g > g").count()) >= 3, name);
    await page.locator("#rollouts").screenshot({ path: join(shots, `own-${name}.png`) });
    await page.locator("#paths select").first().selectOption(name);
    assert.ok((await page.locator("#paths svg.drawing path").count()) >= 2, name);
  }
  assert.deepEqual(problems, []);
  await page.close();
});

test("a sweep is a plot of what its setting changes, its values in order", async () => {
  const path = join(shots, "sweep.html");
  writeFileSync(path, readFileSync(resolve(here, "../dist/report.html"), "utf8").replace('"neo-report-data"', () => JSON.stringify(sweepData())));
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  await page.goto(pathToFileURL(path).href);
  assert.equal(await page.locator("#sweeps svg.drawing circle").count(), 6);
  const ticks = await page.locator("#sweeps svg.drawing g[aria-label='x-axis tick label'] text").allTextContents();
  assert.deepEqual(ticks, ["3", "6", "12"]);
  assert.match(await page.locator("#sweeps select").first().innerText(), /model.quantizer.codes/);
  assert.deepEqual(await faults(page), []);
  await page.locator("#sweeps").screenshot({ path: join(shots, "sweep.png") });
  await page.close();
});

test("the page of an empty binary says what fills it", async () => {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(resolve(here, "../dist/report.html")).href);
  assert.match(await page.locator("main").innerText(), /neo report/);
  await page.close();
});
