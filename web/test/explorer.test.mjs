// The Theory Explorer in Chromium, served by the binary with the shipped weights. Screenshots for the eye go to $NEO_SHOTS,
// or to a temporary folder that is named at the end.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { faintTexts } from "../tools/contrast.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const neo = resolve(root, process.env.NEO ?? "build/neo");
const shots = process.env.NEO_SHOTS ?? mkdtempSync(join(tmpdir(), "neo-explorer-"));
const worlds = ["gridworld", "arithmetic", "imaging"];

let browser;
let server;
let url;

async function serve() {
  const child = spawn(neo, ["serve", "--port", "0", "--json"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((found, failed) => {
    createInterface({ input: child.stdout }).once("line", found);
    child.once("exit", (code) => failed(new Error(`neo serve ended with ${code}`)));
  });
  return { child, url: JSON.parse(line).url };
}

before(async () => {
  mkdirSync(shots, { recursive: true });
  ({ child: server, url } = await serve());
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid() === 0 ? ["--no-sandbox"] : [],
  });
});
after(async () => {
  await browser?.close();
  server?.kill("SIGTERM");
  console.log(`screenshots: ${shots}`);
});

// A page that remembers everything in the console. Motion is off unless a test is about it.
async function open(hash = "", options = {}, waitFor = ".theory .verdict") {
  const context = await browser.newContext({ viewport: { width: 1320, height: 900 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(60_000); // also on a busy machine
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (message) => page.problems.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => page.problems.push(error.message));
  await page.goto(url + hash);
  await page.waitForSelector(waitFor, { state: "attached" });
  return page;
}

async function finish(page) {
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

const settled = (page) => page.waitForFunction(() => !document.querySelector("#panel-explain .spinner"));
// Animations end where they end; what is faint in passing does not count.
async function checkContrast(page) {
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState === "finished"));
  assert.deepEqual(await page.evaluate(faintTexts), []);
}
const program = (page) => page.locator(".theory .program").first().innerText();
const cell = (page, editor, row, column) => page.locator(`.editors .editor >> nth=${editor}`).locator(`[data-index="${10 * row + column}"]`);

async function paint(page, editor, [fromRow, fromColumn], [toRow, toColumn]) {
  const start = await cell(page, editor, fromRow, fromColumn).boundingBox();
  const end = await cell(page, editor, toRow, toColumn).boundingBox();
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
  await page.mouse.up();
}

for (const colorScheme of ["light", "dark"]) {
  for (const world of worlds) {
    test(`${world} is readable in every tab, ${colorScheme}`, async () => {
      const page = await open(`#world=${world}`, { colorScheme });
      await settled(page);
      await page.locator(".theory [data-step='1']").first().click();
      await page.waitForSelector(".picker .slot > *");
      await checkContrast(page);
      await page.screenshot({ path: join(shots, `${world}-explain-${colorScheme}.png`), fullPage: true });
      await page.click("#tab-vocabulary");
      await page.waitForSelector(".card");
      await page.click(".alignment summary");
      await checkContrast(page);
      await page.screenshot({ path: join(shots, `${world}-vocabulary-${colorScheme}.png`), fullPage: true });
      await page.click("#tab-search");
      await page.click(".start");
      await page.waitForSelector(".outcome .trace");
      await checkContrast(page);
      await page.screenshot({ path: join(shots, `${world}-search-${colorScheme}.png`), fullPage: true });
      await finish(page);
    });
  }
}

for (const world of worlds) {
  test(`${world} fits a phone`, async () => {
    const page = await open(`#world=${world}`, { viewport: { width: 360, height: 780 }, hasTouch: true });
    await settled(page);
    for (const tab of ["explain", "vocabulary", "search"]) {
      await page.click(`#tab-${tab}`);
      if (tab === "vocabulary") await page.waitForSelector(".card");
      if (tab === "search") {
        await page.click(".start");
        await page.waitForSelector(".outcome .trace");
      }
      const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= shown, `${tab} is ${wide} pixels wide`);
      await page.screenshot({ path: join(shots, `${world}-${tab}-phone.png`), fullPage: true });
    }
    await checkContrast(page);
    await finish(page);
  });
}

test("a drawn pair is explained", async () => {
  const page = await open("#world=gridworld");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("radio", { name: "red" }).click();
  await paint(page, 0, [3, 2], [3, 5]); // a bar of four cells
  await paint(page, 1, [3, 3], [3, 6]); // one to the right
  await page.waitForFunction(() => document.querySelector(".theory .program")?.textContent === "move right");
  assert.equal(await page.locator(".theory .verdict").first().innerText(), "explains y exactly");
  const x = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("x");
  assert.equal(x.slice(30, 40), "0022220000");
  await finish(page);
});

test("the keyboard paints, undoes and redoes", async () => {
  const page = await open("#world=gridworld");
  await page.getByRole("button", { name: "Clear" }).click();
  await cell(page, 0, 0, 0).focus();
  for (const key of ["ArrowDown", "ArrowRight", "4", "ArrowRight", "Space"]) await page.keyboard.press(key);
  const label = (column) => cell(page, 0, 1, column).getAttribute("aria-label");
  assert.equal(await label(1), "row 2, column 2: yellow");
  assert.equal(await label(2), "row 2, column 3: blue");
  await page.keyboard.press("Control+z");
  assert.equal(await label(2), "row 2, column 3: background");
  await page.keyboard.press("Control+Shift+z");
  assert.equal(await label(2), "row 2, column 3: blue");
  await finish(page);
});

test("an overridden step branches off beside the original, and a permalink brings both back", async () => {
  const page = await open("#world=gridworld");
  await settled(page);
  const original = await program(page);
  await page.locator(".theory [data-step='1']").first().click();
  const choice = page.locator(".choice[aria-pressed=false]").first();
  const code = await choice.getAttribute("data-code");
  await choice.click();
  await page.waitForSelector(".branch .step.changed");
  assert.equal(await page.locator(".branch .step.changed .code").first().innerText(), `z${code}`);
  assert.equal(await program(page), original);
  await page.waitForFunction(() => document.querySelectorAll(".result").length === 2); // transferred as well
  await settled(page);
  await page.waitForFunction(() => location.hash.includes("override="));
  await page.screenshot({ path: join(shots, "override.png"), fullPage: true });

  const again = await open(new URL(page.url()).hash, {}, ".branch .step.changed");
  await settled(again);
  const texts = (p) => p.locator(".theory").innerText().then((text) => text.replace(/\d+ ms/, ""));
  assert.equal(await texts(again), await texts(page));
  assert.equal(new URL(again.url()).hash, new URL(page.url()).hash);
  await finish(again);

  await page.click("#remove-override");
  await page.waitForSelector(".branch", { state: "detached" });
  await page.keyboard.press("Control+z");
  await page.waitForSelector(".branch");
  await finish(page);
});

test("a program transfers to another input", async () => {
  const page = await open("#world=arithmetic");
  const [x, y] = [page.locator(".number-editor").nth(0), page.locator(".number-editor").nth(1)];
  await x.fill("12");
  await y.fill("420");
  await page.waitForFunction(() => document.querySelector(".theory .verdict")?.textContent === "explains y exactly" && document.querySelector(".theory .trace .number")?.textContent === "12");
  await settled(page);
  await page.locator(".transfer .number-editor").fill("11");
  const last = page.locator(".result .trace .number").last();
  await page.waitForFunction(() => [...document.querySelectorAll(".result .trace .number")].at(-1)?.textContent === "385");
  assert.equal(await last.innerText(), "385");
  await finish(page);
});

test("samples transfer as their hidden program does", async () => {
  const page = await open("#world=gridworld");
  await settled(page);
  await page.waitForSelector(".result .verdict");
  assert.equal(await page.locator(".result .verdict").innerText(), "as the hidden program");
  const before = new URL(page.url()).hash;
  await page.keyboard.press("n");
  await page.waitForFunction((hash) => location.hash !== hash, before);
  await finish(page);
});

test("pictures are loaded from files and shrunk in the browser", async () => {
  const page = await open("#world=imaging");
  const buffer = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(640, 480);
    const context = canvas.getContext("2d");
    context.fillStyle = "#3060c0";
    context.fillRect(0, 0, 640, 480);
    context.fillStyle = "#e0a030";
    context.fillRect(120, 100, 200, 200);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  await page.locator(".editors input[type=file]").first().setInputFiles({ name: "picture.png", mimeType: "image/png", buffer: Buffer.from(buffer) });
  const corner = Buffer.from([0x30, 0x60, 0xc0]).toString("base64");
  await page.waitForFunction((start) => location.hash.includes(`&x=${start}`), corner);
  await page.getByRole("button", { name: "Copy x to y" }).click();
  await page.getByRole("button", { name: "horizontal flip", exact: true }).click();
  await page.waitForFunction(() => document.querySelector(".theory .program")?.textContent.includes("horizontal flip"));
  await page.locator(".editors input[type=file]").first().setInputFiles({ name: "no.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await page.waitForSelector(".toast");
  assert.match(await page.locator(".toast").innerText(), /not a picture/);
  await finish(page);
});

test("two models are compared on one pair", async () => {
  const page = await open("#world=gridworld&compare=gridworld-alpha1.00");
  await page.waitForFunction(() => document.querySelectorAll(".theory > header .verdict").length === 2);
  assert.deepEqual(await page.locator(".theory h2").allInnerTexts(), ["gridworld-alpha0.33", "gridworld-alpha1.00"]);
  await settled(page);
  await page.waitForFunction(() => document.querySelectorAll(".result").length === 2);
  await page.screenshot({ path: join(shots, "compare.png"), fullPage: true });
  await finish(page);
});

test("the search can be watched, and walked along by keys", async () => {
  const page = await open("#world=gridworld&tab=search", { reducedMotion: "no-preference" });
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
  await page.screenshot({ path: join(shots, "search.png"), fullPage: true });
  await finish(page);
});

test("examples of the vocabulary move, and can be stopped", async () => {
  const page = await open("#world=gridworld&tab=vocabulary", { reducedMotion: "no-preference" });
  await page.waitForSelector(".card");
  const moving = () => page.locator(".example .after").first().evaluate((after) => getComputedStyle(after).animationName);
  assert.equal(await moving(), "take-turns");
  await page.click("#play");
  assert.equal(await moving(), "none");
  await finish(page);
});

test("a mangled link still opens something sensible", async () => {
  const page = await open("#world=moon&model=../../etc/passwd&x=<script>&y=99&override=7.99_x&steps=-1&tab=nowhere");
  await settled(page);
  const fields = new URLSearchParams(new URL(page.url()).hash.slice(1));
  assert.equal(fields.get("world"), "gridworld");
  assert.match(fields.get("model"), /^gridworld-/);
  assert.match(fields.get("x"), /^[0-8]{100}$/);
  assert.equal(fields.get("override"), null);
  await finish(page);
});

test("the theme is chosen, and remembered", async () => {
  const page = await open("");
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
  const page = await open("");
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await finish(page);
});

test("a server that has gone is told kindly", async () => {
  const own = await serve();
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(own.url);
  await page.waitForSelector(".theory .verdict");
  await settled(page);
  own.child.kill("SIGTERM");
  await new Promise((ended) => own.child.once("exit", ended));
  await page.getByRole("button", { name: "Swap" }).click();
  await page.waitForSelector(".theory .failure");
  assert.match(await page.locator(".theory .failure").innerText(), /Is `neo serve` still running\?/);
  await context.close();
});
