// The key site in a real browser: the way in, and links that no longer lead there.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type TestApp, testApp } from "../support/test-app.ts";
import { type Browsing, browse, skip } from "./support/browser.ts";
import { namelessControls, overflowOf, unreadableText } from "./support/page-checks.ts";

// Pictures are kept where this points, for people who want to look.
const pictures = process.env["ATELIER_TEST_PICTURES"];

async function expectSound(browsing: Browsing, name: string): Promise<void> {
  const { page, complaints } = browsing;
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  assert.equal(await overflowOf(page), 0, `${name} scrolls sideways`);
  assert.deepEqual(await unreadableText(page), [], `${name} has text that is hard to read`);
  assert.deepEqual(await namelessControls(page), [], `${name} has controls without a name`);
  assert.deepEqual(complaints, [], name);
}

describe("the key site", { skip }, () => {
  let app: TestApp;
  before(async () => {
    app = await testApp();
  });
  after(() => app.close());

  test("the link of the first start leads to the keys", async () => {
    const browsing = await browse(app.baseUrl);
    const { page } = browsing;
    try {
      await page.goto(`${app.baseUrl}/sign-in/${app.signInToken}`);
      await expectSound(browsing, "1-confirm");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("**/profile/api-keys");
    } finally {
      await browsing.close();
    }
  });

  test("a used link and an unknown link lead to a page that says what to do", async () => {
    const browsing = await browse(app.baseUrl);
    const { page } = browsing;
    try {
      for (const [name, token] of [
        ["8-used-link", app.signInToken],
        ["9-unknown-link", "A".repeat(43)],
      ] as const) {
        const answer = await page.goto(`${app.baseUrl}/sign-in/${token}`);
        assert.equal(answer?.status(), 404);
        assert.match((await page.textContent("main")) ?? "", /This sign-in link (is unknown|was used already)/);
        await expectSound(browsing, name);
      }
      await page.getByRole("link", { name: "How to sign in" }).click();
      await page.waitForURL("**/sign-in");
    } finally {
      await browsing.close();
    }
  });
});
