// axe-core finds nothing in explorer and report, at desktop and phone width, in both themes.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { faults, launch, open, settled, shots } from "./browser.mjs";
import { serveMock } from "./mock_server.mjs";
import { ownData } from "./own_data.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const kSizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const kModels = ["toy", "tokens", "number", "picture", "vector"];

let browser;
let server;
before(async () => {
  server = await serveMock();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

for (const [size, viewport] of Object.entries(kSizes)) {
  for (const colorScheme of ["light", "dark"]) {
    for (const model of kModels) {
      test(`axe finds nothing in the explorer with ${model}, ${size}, ${colorScheme}`, async () => {
        const page = await open(browser, `${server.url}#model=${model}`, { viewport, colorScheme });
        await settled(page);
        await page.locator(".theory [data-step='1']").first().click();
        await page.waitForSelector(".picker .slot > .picture");
        await page.locator(".alternatives summary").click();
        await page.locator(".settings summary").click();
        assert.deepEqual(await faults(page), []);
        await page.click("#tab-vocabulary");
        await page.waitForSelector(".card");
        assert.deepEqual(await faults(page), []);
        await page.click("#tab-search");
        await page.waitForSelector(".outcome .trace");
        assert.deepEqual(await faults(page), []);
        await page.context().close();
      });
    }

    test(`axe finds nothing in the report, ${size}, ${colorScheme}`, async () => {
      const path = join(shots, `axe-${size}-${colorScheme}.html`);
      writeFileSync(path, readFileSync(resolve(here, "../dist/report.html"), "utf8").replace('"neo-report-data"', () => JSON.stringify(ownData(["grid", "tokens", "picture"]))));
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      await page.goto(pathToFileURL(path).href);
      assert.deepEqual(await faults(page), []);
      const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= shown, `${wide} pixels wide`);
      await context.close();
    });
  }
}

for (const state of ["tour", "help"]) {
  test(`axe finds nothing in the ${state}`, async () => {
    const page = await open(browser, `${server.url}#model=toy`);
    await settled(page);
    await page.click(state === "tour" ? "#tour" : "[aria-label^=Help]");
    await page.waitForSelector(state === "tour" ? ".touring" : "dialog[open]");
    assert.deepEqual(await faults(page), []);
    await page.context().close();
  });
}
