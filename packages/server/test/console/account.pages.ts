// What the account pages open: dialogs, tabs, files and zooms, in every look.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { contrastOfText } from "./canvas-contrast.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

const model = "/v1/models/sandbox/image-1";

export function accountLooks(scene: () => Scene): void {
  describe("dialogs of the account's pages", () => {
    for (const look of ["light", "dark", "phone", "phone-dark"] satisfies LookName[])
      test(`${look}: each dialog and tab is accessible`, async () => {
        const visit = await scene().visit(look);
        const { page } = visit;
        const see = async (name: string) => {
          await visit.picture(name);
          await visit.requireAccessible();
        };
        await visit.open("/profile/api-keys?new=true");
        await see("keys-new");
        await visit.open("/profile/api-keys");
        await page.getByRole("button", { name: "Caps" }).first().click();
        await page.getByLabel("Credits a month").waitFor();
        await see("keys-caps");
        await visit.open("/console/credentials");
        await page.getByRole("button", { name: "Add credential" }).click();
        await see("credentials-add");
        await visit.open("/console/usage");
        await page.getByRole("button", { name: "New budget" }).click();
        await page.getByLabel("What counts").selectOption("tag");
        await page.getByRole("button", { name: "Set budget" }).click();
        await page.getByText("Write it as key=value.").waitFor();
        await see("budgets-new");
        await visit.open("/console/members");
        await page.getByRole("button", { name: "Add member" }).click();
        await see("members-add");
        for (const tab of ["endpoints", "receivers", "secrets"]) {
          await visit.open(`/console/webhooks?tab=${tab}`);
          await see(`webhooks-${tab}`);
        }
        await page.getByRole("button", { name: "Send a test" }).click();
        await see("webhooks-test");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Redeliver failed…" }).click();
        await page.getByText("No deliveries failed in this time.").waitFor();
        await see("webhooks-failed");
        await visit.open("/console/webhooks?delivery=01a1e468-0000-7000-8000-000000000000");
        await page.getByRole("alert").getByText("There is no such delivery.").waitFor();
        await see("webhooks-none");
        await visit.close();
      });

    test("a webhook secret is shown once and never again", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/webhooks?tab=secrets");
      await page.getByRole("button", { name: /^(Rotate|Create a secret)$/ }).click();
      await page.getByRole("button", { name: "Create secret" }).click();
      const secret = (await page.getByRole("region", { name: "Secret", exact: true }).textContent()) ?? "";
      assert.match(secret, /^whsec_/);
      await page.getByRole("button", { name: "Copy secret" }).and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Escape");
      await page.getByText("Current").waitFor();
      assert.ok(!(await page.content()).includes(secret));
      await visit.close();
    });

    test("names that people wrote are shown as text everywhere", async () => {
      const { server } = scene();
      const name = `<img src=x onerror="alert(1)">`;
      const made = await server.call({ method: "POST", path: "/account/keys", body: { name } });
      assert.equal(made.status, 201, made.text);
      const used = { authorization: `Bearer ${textOf(made.json(), "secret")}` };
      const ran = await server.call({ method: "POST", path: model, headers: used, body: { prompt: name } });
      assert.equal(ran.status, 200, ran.text);
      const visit = await scene().visit();
      await visit.open("/profile/api-keys");
      await visit.page.getByRole("heading", { name }).waitFor();
      await visit.open("/console/usage?by=api_key_id&range=24h");
      await visit.page.getByRole("button", { name, exact: true }).first().waitFor();
      assert.equal(await visit.page.locator("img[src=x]").count(), 0);
      await visit.close();
    });

    test("usage downloads as the server writes it, zooms by dragging, and is also shown as a table", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await used(scene());
      await visit.open("/console/usage?range=1h&metric=credits");
      await page.getByRole("button", { name: "Export" }).click();
      const coming = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: /^CSV/ }).click();
      const text = await readFile(await (await coming).path(), "utf8");
      assert.match(text, /^id,|^at,|,subject,/);
      assert.ok(text.includes("model:sandbox/image-1"));
      await drag(visit);
      await page.waitForURL(/from=.*to=/);
      await page.getByRole("button", { name: "Clear this range" }).click();
      await page.getByRole("button", { name: "Show as table" }).click();
      await page.getByRole("columnheader", { name: "Credits" }).first().waitFor();
      await visit.close();
    });

    for (const look of ["light", "dark"] satisfies LookName[])
      test(`${look}: the chart's text is readable`, async () => {
        await used(scene());
        const visit = await scene().visit(look);
        await visit.open("/console/usage?range=1h");
        await visit.page.locator("canvas").first().waitFor();
        assert.ok((await contrastOfText(visit.page)) >= 4.5);
        await visit.close();
      });
  });
}

async function used({ server }: Scene): Promise<void> {
  const seen = async () => (await server.call({ path: "/account/usage?limit=1" })).text.includes("sandbox/image-1");
  if (await seen()) return;
  await server.call({ method: "POST", path: model, body: { prompt: "a chart" } });
  await until("it is counted", seen);
}

async function drag({ page }: Visit): Promise<void> {
  const box = await page.locator(".u-over").first().boundingBox();
  assert.ok(box);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 });
  await page.mouse.up();
}
