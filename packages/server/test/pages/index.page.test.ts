// GET / in a real browser: readable in light and dark, on a phone too, and alone.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type TestApp, testApp } from "../support/test-app.ts";
import { browse, skip } from "./support/browser.ts";
import { namelessControls, overflowOf, unreadableText } from "./support/page-checks.ts";

const pictures = process.env["ATELIER_TEST_PICTURES"];

describe("the page at /", { skip }, () => {
  let app: TestApp;
  before(async () => {
    app = await testApp();
  });
  after(() => app.close());

  for (const look of [
    { name: "wide", width: 1100, height: 900, colourScheme: "light" },
    { name: "wide-dark", width: 1100, height: 900, colourScheme: "dark" },
    { name: "narrow", width: 390, height: 844, colourScheme: "light" },
    { name: "narrow-dark", width: 360, height: 740, colourScheme: "dark" },
  ] as const) {
    test(`${look.name}: nothing overflows, all text can be read, nothing is asked for besides, every link leads somewhere`, async () => {
      const { page, complaints, close } = await browse(app.baseUrl, look);
      try {
        await page.goto(app.baseUrl);
        if (pictures) await page.screenshot({ path: `${pictures}/index-${look.name}.png`, fullPage: true });
        assert.equal(await overflowOf(page), 0);
        assert.deepEqual(await unreadableText(page), []);
        assert.deepEqual(await namelessControls(page), []);
        assert.equal(await page.evaluate<number>("performance.getEntriesByType('resource').length"), 0);
        const paths = await page.evaluate<string[]>("[...document.links].map((it) => it.getAttribute('href'))");
        // Keys are for those who have signed in; how to do that is what the page says then.
        for (const path of paths.filter((each) => each !== "/profile/api-keys"))
          assert.equal((await app.call({ path })).status, 200, path);
        assert.deepEqual(complaints, []);
      } finally {
        await close();
      }
    });
  }
});
