// What the tests of the pages share: Chromium, and pages that remember what goes wrong.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { faintTexts } from "../tools/contrast.mjs";

/** Screenshots for the eye go to $NEO_SHOTS, or to a temporary folder that is named at the end. */
export const shots = process.env.NEO_SHOTS ?? mkdtempSync(join(tmpdir(), "neo-pages-"));

export async function launch() {
  mkdirSync(shots, { recursive: true });
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid() === 0 ? ["--no-sandbox"] : [],
  });
}

export const shoot = (page, name) => page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });

/** A page that remembers everything in the console. Motion is off unless a test is about it. */
export async function open(browser, url, options = {}, waitFor = ".theory .verdict") {
  const context = await browser.newContext({ viewport: { width: 1320, height: 900 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(60_000); // also on a busy machine
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (message) => page.problems.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => page.problems.push(error.message));
  await page.goto(url);
  await page.waitForSelector(waitFor, { state: "attached" });
  return page;
}

export async function finish(page) {
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

export const settled = (page) => page.waitForFunction(() => !document.querySelector("#panel-explain .spinner"));

// Animations end where they end; what is faint in passing does not count.
export async function checkContrast(page) {
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState === "finished"));
  assert.deepEqual(await page.evaluate(faintTexts), []);
}

export async function checkWidth(page, what) {
  const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= shown, `${what} is ${wide} pixels wide`);
}

/** What the address says. */
export const fields = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

export const program = (page) => page.locator(".theory .program").first().innerText();
export const cell = (page, editor, index) => page.locator(".editors .editor").nth(editor).locator(`[data-index="${index}"]`);

/** From the middle of one cell of a grid to the middle of another. */
export async function paint(page, editor, from, to) {
  const start = await cell(page, editor, from).boundingBox();
  const end = await cell(page, editor, to).boundingBox();
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
  await page.mouse.up();
}

/** A PNG of one colour with a square of another. */
export async function png(page, width, height) {
  const bytes = await page.evaluate(
    async ([w, h]) => {
      const canvas = new OffscreenCanvas(w, h);
      const context = canvas.getContext("2d");
      context.fillStyle = "#3060c0";
      context.fillRect(0, 0, w, h);
      context.fillStyle = "#e0a030";
      context.fillRect(0.2 * w, 0.2 * h, 0.3 * w, 0.4 * h);
      return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
    },
    [width, height],
  );
  return { name: "picture.png", mimeType: "image/png", buffer: Buffer.from(bytes) };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core finds wrong, in words. */
export async function faults(page) {
  // As a debugger evaluates it: the page's own policy admits no further script.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe });
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`));
}
