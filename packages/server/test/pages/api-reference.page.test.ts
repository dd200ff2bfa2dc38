// GET /docs in a real browser: complete, offline, and without broken links.
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
    test(`${look.name}: nothing overflows, all text is readable, nothing foreign is requested`, async () => {
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

  test("/ finds an operation by keyboard, opens it, and marks it in the navigation", async () => {
    const browsing = await browse(app.baseUrl);
    const { page, complaints } = browsing;
    try {
      await page.goto(`${app.baseUrl}/docs`);
      await page.keyboard.press("/");
      await page.keyboard.type("badges platform");
      const first = page.getByRole("option").first();
      assert.match((await first.textContent()) ?? "", /\/nodes\/pricing\/badges/);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/docs#getBadges");
      await page.locator("#getBadges[open]").waitFor();
      await page.locator("#navigation a[href='#getBadges'][aria-current=location]").waitFor();
      await page.locator("#getBadges").getByRole("button", { name: "Copy curl example of getBadges" }).waitFor();
      assert.deepEqual(complaints, []);
    } finally {
      await browsing.close();
    }
  });

  test("it uses the colours chosen in the console", async () => {
    const browsing = await browse(app.baseUrl, { colourScheme: "light" });
    try {
      await browsing.page.goto(`${app.baseUrl}/docs`);
      await browsing.page.evaluate(`document.cookie = "atelier_theme=dark; path=/"`);
      await browsing.page.reload();
      const ground = "getComputedStyle(document.body).backgroundColor";
      assert.equal(await browsing.page.evaluate(ground), "rgb(20, 21, 24)");
      assert.deepEqual(browsing.complaints, []);
    } finally {
      await browsing.close();
    }
  });

  test("without scripts it is complete: every operation, and a deep link shows its part", async () => {
    const browsing = await browse(app.baseUrl, { isScripted: false });
    try {
      await browsing.page.goto(`${app.baseUrl}/docs#getBadges`);
      assert.equal(await browsing.page.getByRole("combobox").count(), 0);
      assert.equal(await browsing.page.getByText("Resolved for the client's version").isVisible(), true);
      assert.ok((await browsing.page.locator("main details").count()) > 100);
    } finally {
      await browsing.close();
    }
  });

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
