// The Theory Explorer in Chromium, served by the binary with the shipped weights: what only a learned theory can show.
// layouts.test.mjs tests the page itself.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { checkContrast, checkWidth, fields, finish, launch, open as openPage, paint, png, program, settled, shoot, shots } from "./browser.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const neo = resolve(root, process.env.NEO ?? "build/neo");
const titles = ["GridWorld", "Arithmetic", "Imaging"];

let browser;
let server;
let url;
let models; // by title, the first of each

async function serve() {
  const child = spawn(neo, ["serve", "--port", "0", "--json"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((found, failed) => {
    createInterface({ input: child.stdout }).once("line", found);
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`neo serve ended with ${code}`)));
  });
  return { child, url: JSON.parse(line).url };
}

before(async () => {
  ({ child: server, url } = await serve());
  const answer = await (await fetch(new URL("api/models", url))).json();
  models = Object.fromEntries([...answer.models].reverse().map((model) => [model.title, model.id]));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.kill("SIGTERM");
  console.log(`screenshots: ${shots}`);
});

const open = (hash, options, waitFor) => openPage(browser, url + hash, options, waitFor);
const openTitle = (title, options, more = "") => open(`#model=${models[title]}${more}`, options);

for (const colorScheme of ["light", "dark"]) {
  for (const title of titles) {
    test(`${title} is readable in every tab, ${colorScheme}`, async () => {
      const page = await openTitle(title, { colorScheme });
      await settled(page);
      await page.locator(".theory [data-step='1']").first().click();
      await page.waitForSelector(".picker .slot > *");
      await checkContrast(page);
      await shoot(page, `${title}-explain-${colorScheme}`);
      await page.click("#tab-vocabulary");
      await page.waitForSelector(".card");
      await page.click(".alignment summary");
      await checkContrast(page);
      await shoot(page, `${title}-vocabulary-${colorScheme}`);
      await page.click("#tab-search");
      await page.waitForSelector(".outcome .trace");
      await checkContrast(page);
      await shoot(page, `${title}-search-${colorScheme}`);
      await finish(page);
    });
  }
}

for (const title of titles) {
  test(`${title} fits a phone`, async () => {
    const page = await openTitle(title, { viewport: { width: 360, height: 780 }, hasTouch: true });
    await settled(page);
    for (const tab of ["explain", "vocabulary", "search"]) {
      await page.click(`#tab-${tab}`);
      if (tab === "vocabulary") await page.waitForSelector(".card");
      if (tab === "search") {
          await page.waitForSelector(".outcome .trace");
      }
      await checkWidth(page, tab);
      await shoot(page, `${title}-${tab}-phone`);
    }
    await checkContrast(page);
    await finish(page);
  });
}

test("a drawn pair is explained", async () => {
  const page = await openTitle("GridWorld");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("radio", { name: "red" }).click();
  await paint(page, 0, 32, 35); // a bar of four cells
  await paint(page, 1, 33, 36); // one to the right
  await page.waitForFunction(() => document.querySelector(".theory .program")?.textContent === "move right");
  assert.equal(await page.locator(".theory .verdict").first().innerText(), "explains y exactly");
  assert.equal(fields(page).get("x").slice(30, 40), "0022220000");
  await finish(page);
});

test("an overridden step branches off beside the original, and a permalink brings both back", async () => {
  const page = await openTitle("GridWorld");
  await settled(page);
  const original = await program(page);
  await page.locator(".theory [data-step='1']").first().click();
  const choice = page.locator(".choice[aria-pressed=false]").first();
  const code = await choice.getAttribute("data-code");
  await choice.click();
  await page.waitForSelector(".branch .step.changed");
  assert.equal(await page.locator(".branch .step.changed").first().getAttribute("data-code"), code);
  assert.equal(await program(page), original);
  await page.waitForFunction(() => document.querySelectorAll(".result").length === 2); // transferred as well
  await settled(page);
  await page.waitForFunction(() => location.hash.includes("override="));
  await shoot(page, "override");

  const again = await open(new URL(page.url()).hash, {}, ".branch .step.changed");
  await settled(again);
  const texts = (p) => p.locator(".theory").innerText().then((text) => text.replace(/\d+ ms/, ""));
  const shown = await texts(page);
  // Alternatives come after the program, without a spinner between the two.
  await again.waitForFunction((text) => document.querySelector(".theory").innerText.replace(/\d+ ms/, "") === text, shown).catch(() => {});
  assert.equal(await texts(again), shown);
  assert.equal(new URL(again.url()).hash, new URL(page.url()).hash);
  await finish(again);

  await page.click("#remove-override");
  await page.waitForSelector(".branch", { state: "detached" });
  await page.keyboard.press("Control+z");
  await page.waitForSelector(".branch");
  await finish(page);
});

test("a program transfers to another input", async () => {
  const page = await openTitle("Arithmetic");
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
  const page = await openTitle("GridWorld");
  await settled(page);
  await page.waitForSelector(".result .verdict");
  assert.equal(await page.locator(".result .verdict").innerText(), "as the hidden program");
  const before = new URL(page.url()).hash;
  await page.keyboard.press("n");
  await page.waitForFunction((hash) => location.hash !== hash, before);
  await finish(page);
});

test("pictures are loaded from files and shrunk in the browser", async () => {
  const page = await openTitle("Imaging");
  await page.locator(".editors input[type=file]").first().setInputFiles(await png(page, 640, 480));
  const corner = Buffer.from([0x30, 0x60, 0xc0]).toString("base64");
  await page.waitForFunction((start) => location.hash.includes(`&x=${start}`), corner);
  await page.getByRole("button", { name: "Copy x to y" }).click();
  await page.getByRole("button", { name: "horizontal flip", exact: true }).click();
  await page.waitForFunction(() => document.querySelector(".theory .program")?.textContent.includes("horizontal flip"));
  await finish(page);
});

test("two models are compared on one pair", async () => {
  const page = await open("#model=gridworld-alpha0.33&compare=gridworld-alpha1.00");
  await page.waitForFunction(() => document.querySelectorAll(".theory > header .verdict").length === 2);
  assert.deepEqual(await page.locator(".theory h2").allInnerTexts(), ["gridworld-alpha0.33", "gridworld-alpha1.00"]);
  await settled(page);
  await page.waitForFunction(() => document.querySelectorAll(".result").length === 2);
  await shoot(page, "compare");
  await finish(page);
});
