// The key site in a real browser: from the link of the first start to a key that works and is then revoked.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { until } from "../support/server-process.ts";
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

  const statusOf = async (key: string) =>
    (await app.call({ path: "/account/keys", headers: { authorization: `Bearer ${key}` } })).status;

  test("link, confirm, create, use, revoke, sign out", async () => {
    const browsing = await browse(app.baseUrl);
    const { page } = browsing;
    try {
      await page.goto(`${app.baseUrl}/sign-in/${app.signInToken}`);
      await expectSound(browsing, "1-confirm");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("**/profile/api-keys");
      await expectSound(browsing, "2-keys");

      await page.getByLabel("Name").fill("studio laptop");
      await page.getByRole("checkbox", { name: "account" }).check();
      await page.getByLabel("Expires").selectOption("90");
      await page.getByRole("button", { name: "Create key" }).click();
      const key = (await page.locator("code.secret").first().textContent()) ?? "";
      assert.match(key, /^service-/);
      assert.equal(await statusOf(key), 200, "the key works over HTTP");
      await expectSound(browsing, "3-created");

      await page.goto(`${app.baseUrl}/profile/api-keys`);
      assert.ok(!(await page.content()).includes(key), "the key is shown once");
      const entry = page.getByRole("listitem").filter({ hasText: "studio laptop" });
      await entry.getByText("Revoke…").click();
      await expectSound(browsing, "4-revoke");
      await entry.getByRole("button", { name: "Revoke this key" }).click();
      await page.getByText(/^revoked /).waitFor();
      await until("the key stops", async () => (await statusOf(key)) === 401);
      await expectSound(browsing, "5-revoked");

      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL("**/sign-in");
      await expectSound(browsing, "6-signed-out");
      const answer = await page.goto(`${app.baseUrl}/profile/api-keys`);
      assert.equal(answer?.status(), 401);
      await expectSound(browsing, "7-please-sign-in");
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

  test("the whole way with the keyboard alone, on a narrow dark screen", async () => {
    const second = await testApp();
    const browsing = await browse(second.baseUrl, { width: 390, height: 844, colourScheme: "dark" });
    const { page } = browsing;
    try {
      await page.goto(`${second.baseUrl}/sign-in/${second.signInToken}`);
      await expectSound(browsing, "n1-confirm");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/profile/api-keys");
      await expectSound(browsing, "n2-keys");
      await page.getByLabel("Name").focus();
      await page.keyboard.type("a key with a rather long name, so that we see how a narrow page breaks it");
      await page.keyboard.press("Enter");
      await page.locator("code.secret").first().waitFor();
      await expectSound(browsing, "n3-created");
      await page.getByText("Revoke…").first().focus();
      await page.keyboard.press("Enter");
      await expectSound(browsing, "n4-revoke");
    } finally {
      await browsing.close();
      await second.close();
    }
  });
});
