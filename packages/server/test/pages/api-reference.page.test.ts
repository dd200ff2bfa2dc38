// GET /docs in a real browser: whole, offline, and every link of it leads somewhere.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type TestApp, testApp } from "../support/test-app.ts";
import { browse, skip } from "./support/browser.ts";
import { namelessControls, overflowOf, unreadableText } from "./support/page-checks.ts";

const pictures = process.env["ATELIER_TEST_PICTURES"];

describe("the API reference", { skip }, () => {
  let app: TestApp;
  before(async () => {
    app = await testApp();
  });
  after(() => app.close());

  for (const look of [
    { name: "wide", width: 1100, height: 800, colourScheme: "light" },
    { name: "narrow-dark", width: 390, height: 844, colourScheme: "dark" },
  ] as const) {
    test(`${look.name}: nothing overflows, all text can be read, nothing foreign is asked for`, async () => {
      const browsing = await browse(app.baseUrl, look);
      const { page, complaints } = browsing;
      try {
        await page.goto(`${app.baseUrl}/docs`);
        if (pictures) await page.screenshot({ path: `${pictures}/docs-${look.name}-closed.png` });
        await page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
        assert.equal(await overflowOf(page), 0);
        assert.deepEqual(await unreadableText(page), []);
        assert.deepEqual(await namelessControls(page), []);
        await page.locator("#getBadges").scrollIntoViewIfNeeded();
        if (pictures) {
          await page.evaluate("document.querySelector('#getBadges').scrollIntoView()");
          await page.screenshot({ path: `${pictures}/docs-${look.name}.png` });
          await page.evaluate("document.querySelector('#createBadgeRow').scrollIntoView()");
          await page.screenshot({ path: `${pictures}/docs-${look.name}-body.png` });
        }
        assert.deepEqual(complaints, []);
      } finally {
        await browsing.close();
      }
    });
  }

  test("every link leads to a part of the page or to an answer of this server", async () => {
    const browsing = await browse(app.baseUrl);
    try {
      await browsing.page.goto(`${app.baseUrl}/docs`);
      const lost = await browsing.page.evaluate<string[]>(`
        [...document.querySelectorAll("a[href^='#']")].map((it) => it.getAttribute("href").slice(1))
          .filter((id) => !document.getElementById(id))`);
      assert.deepEqual([...new Set(lost)], []);
      const twice = await browsing.page.evaluate<string[]>(`
        [...document.querySelectorAll("[id]")].map((it) => it.id).filter((id, at, all) => all.indexOf(id) !== at)`);
      assert.deepEqual(twice, []);
      const paths = await browsing.page.evaluate<string[]>(`
        [...document.querySelectorAll("a:not([href^='#'])")].map((it) => it.getAttribute("href"))`);
      assert.ok(paths.length > 0);
      for (const path of new Set(paths)) assert.equal((await app.call({ path })).status, 200, path);
    } finally {
      await browsing.close();
    }
  });
});
