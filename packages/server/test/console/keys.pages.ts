// API keys, credentials, members, usage and webhooks.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until } from "../support/server-process.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

const pages = {
  keys: "/profile/api-keys",
  credentials: "/console/credentials",
  members: "/console/members",
  usage: "/console/usage",
  webhooks: "/console/webhooks",
} as const;

export function keysPages(scene: () => Scene): void {
  describe("the account's pages", () => {
    test("a key made by keyboard alone is shown once, turns green with its first call, and is then nowhere", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(pages.keys);
      const secret = await makeKey(visit, "Ada's laptop <b>");
      await visit.picture("keys-ready");
      await visit.requireAccessible();
      await page.getByText("Waiting for the first call…").waitFor();
      assert.equal(await statusWith(scene(), secret), 200);
      await page.getByText("The first call arrived. It works.").waitFor();
      const bodies = laterBodies(visit);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      assert.ok(!(await page.content()).includes(secret), "it is not in the page any more");
      await visit.open(pages.keys);
      await page.getByRole("heading", { name: "Ada's laptop <b>" }).waitFor();
      assert.ok(!(await page.content()).includes(secret));
      for (const body of await bodies()) assert.ok(!body.includes(secret), "no later answer holds it");
      await visit.close();
    });

    test("revoking asks for the name, and the key stops", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(pages.keys);
      const secret = await makeKey(visit, "Old robot");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Revoke Old robot" }).click();
      const dialog = page.getByRole("dialog", { name: "Revoke this key?" });
      const revoke = dialog.getByRole("button", { name: "Revoke key" });
      assert.equal(await revoke.getAttribute("aria-disabled"), "true");
      await page.keyboard.type("Old robot");
      await visit.picture("keys-revoke");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "hidden" });
      await until("the key stops", async () => (await statusWith(scene(), secret)) === 401);
      await page.getByLabel(/^Show \d+ that ended/).check();
      await page.getByText("Revoked").first().waitFor();
      await visit.close();
    });

    for (const look of ["light", "dark", "phone"] satisfies LookName[])
      test(`${look}: the account's pages are accessible and nothing scrolls sideways`, async () => {
        const visit = await scene().visit(look);
        for (const [name, path] of Object.entries(pages)) {
          await visit.open(path);
          await visit.picture(name);
          await visit.requireAccessible();
          assert.equal(await overflowOf(visit), 0, `${name} scrolls sideways`);
        }
        await visit.close();
      });
  });
}

async function makeKey({ page }: Visit, name: string): Promise<string> {
  await page.getByRole("button", { name: "New key" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name" }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  const secret = (await page.getByRole("region", { name: "The key" }).textContent()) ?? "";
  assert.match(secret, /^service-\w{8}_\w{38}$/);
  return secret;
}

async function statusWith({ baseUrl }: Scene, key: string): Promise<number> {
  return (await fetch(`${baseUrl}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
}

// Everything that the server says from now on, and the addresses it is asked at.
function laterBodies({ page }: Visit): () => Promise<string[]> {
  const coming: Promise<string>[] = [];
  page.on("response", (response) => {
    coming.push(
      response.text().then(
        (text) => `${response.url()} ${text}`,
        () => response.url(),
      ),
    );
  });
  return () => Promise.all(coming);
}

const overflowOf = ({ page }: Visit) =>
  page.evaluate<number>("Math.max(0, document.documentElement.scrollWidth - innerWidth)");
