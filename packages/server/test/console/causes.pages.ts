// What goes wrong, in short: a refusal, a lost connection, a thing that ended behind an open tab. Each is reported where
// the person is, and the page works again once the cause is over. Every page and every refusal: `faults.long.pages.ts`.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Fault } from "../../src/foundation/fault.ts";
import { textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { openFaultyFront, type Refusal } from "./faulty-front.ts";
import type { Scene } from "./scene.ts";

export function causePages(scene: () => Scene): void {
  describe("errors", () => {
    test("a list that cannot be read says so with the request's id, and recovers; so does a lost connection", async () => {
      const front = await openFaultyFront(scene().baseUrl);
      const visit = await scene().visit("light", { through: front.baseUrl });
      const { page } = visit;
      const secrets = (refusal: Refusal) =>
        front.refuse((_, path) => (path === "/account/webhooks/secrets" ? refusal : null));
      secrets(new Fault("internal_error", "Something went wrong on our side."));
      await page.goto("/console/webhooks?tab=secrets");
      const alert = page.getByRole("alert");
      await alert.getByText("Something went wrong on our side.").waitFor();
      assert.ok(front.requestIds.has((await alert.locator("code").getAttribute("title")) ?? ""));
      secrets("lost");
      await alert.getByRole("button", { name: "Try again" }).click();
      await alert.getByText("Cannot reach the server.").first().waitFor();
      // One banner for the whole page; a list that was read before is marked as out of date until the server is back.
      front.refuse(null);
      await page.getByRole("alert").first().waitFor({ state: "detached" });
      await page
        .locator("nav a")
        .filter({ hasText: /^API keys$/ })
        .click();
      const row = page.locator("[data-key]").first();
      const filterOf = () => page.evaluate<string>("getComputedStyle(document.querySelector('[data-key]')).filter");
      await row.waitFor();
      assert.equal(await filterOf(), "none");
      front.refuse(() => "lost");
      await page.evaluate("dispatchEvent(new Event('focus'))");
      await until("the page has noticed", async () => (await page.getByRole("alert").count()) > 0);
      assert.equal(await page.getByRole("alert").count(), 1);
      assert.equal(await filterOf(), "grayscale(1)");
      // The page notices on its own that the server is back.
      front.refuse(null);
      await page.getByRole("alert").first().waitFor({ state: "detached" });
      await visit.close();
      await front.close();
    });

    test("something deleted behind an open tab is shown as gone, with a way back", async () => {
      const { server } = scene();
      const made = await server.call({
        method: "POST",
        path: "/account/keys",
        body: { name: "deleted behind the tab" },
      });
      const id = textOf(made.json(), "id");
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/profile/api-keys");
      const row = page.locator(`[data-key="${id}"]`);
      await row.getByRole("button", { name: /^Rotate/ }).click();
      await server.call({ method: "DELETE", path: `/account/keys/${id}` });
      await page.getByRole("button", { name: "Create new key" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("This key has expired or was revoked. Create a new one.").waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await visit.close();
    });
  });
}
