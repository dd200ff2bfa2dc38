// Endpoints on the Webhooks page.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listOf, textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { looks, looksNow, type Scene } from "./scene.ts";

const path = "/account/webhooks/endpoints";

export function endpointPages(scene: () => Scene): void {
  describe("webhook endpoints", () => {
    test("one is added by clicks, its secret is shown once, tested, paused, resumed, changed and deleted", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      const { server, sink } = scene();
      await visit.open("/console/webhooks?tab=endpoints");
      await visit.picture("endpoints-none");
      await page.getByRole("button", { name: "Add an endpoint" }).click();
      await page.getByRole("button", { name: "Add endpoint" }).click();
      await page.getByText("Enter the address that is called.").waitFor();
      await page.getByLabel("Address").fill(`${sink.url}/endpoint`);
      await page.getByLabel("Description").fill("The shop's picture service");
      await page.getByLabel("model_request.completed").check();
      await visit.picture("endpoints-add");
      await page.getByText("Only about…").click();
      await page.getByLabel("Model", { exact: true }).fill("sandbox");
      await page.getByText("Does not apply to: Jobs. Add another endpoint for those.").waitFor();
      await visit.requireAccessible();
      await visit.picture("endpoints-wrong");
      await page.getByLabel("Model", { exact: true }).fill("");
      await page.getByRole("button", { name: "Add endpoint" }).click();
      await page.getByText("Copy it now.").waitFor();
      const shown = await page.getByRole("dialog").textContent();
      await visit.picture("endpoints-secret");
      assert.match(shown ?? "", /whsec_/);
      await page.getByRole("button", { name: "Done" }).click();
      assert.doesNotMatch(await page.content(), /whsec_[A-Za-z0-9+/]{20}/);
      const [made] = listOf((await server.call({ path })).json(), "data");
      const row = page.locator(`[data-endpoint='${textOf(made, "id")}']`);
      await row.getByText("Active").waitFor();
      await row.getByRole("button", { name: /^Send a test event to/ }).click();
      await page.getByRole("heading", { name: "webhook.test" }).waitFor();
      await until("the test arrived", () => sink.at("/endpoint").length === 1);
      await visit.open("/console/webhooks?tab=endpoints");
      await row.getByRole("button", { name: "Pause" }).click();
      await row.getByText("A person paused it.").waitFor();
      for (const look of looksNow.length > 1 ? looksNow : (Object.keys(looks) as (typeof looksNow)[number][])) {
        const other = await scene().visit(look);
        await other.open("/console/webhooks?tab=endpoints");
        await other.page.locator("[data-endpoint]").first().waitFor();
        await other.requireAccessible();
        await other.picture("endpoints");
        await other.page.getByRole("button", { name: "Add an endpoint" }).click();
        await other.page.getByLabel("job.running").check();
        await other.picture("endpoints-form");
        await other.close();
      }
      await row.getByRole("button", { name: "Resume" }).click();
      await row.getByText("Active").waitFor();
      await row.getByRole("button", { name: /^More for/ }).click();
      await page.getByRole("menuitem", { name: "Edit…" }).click();
      await page.getByLabel("job.failed").uncheck();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The endpoint is changed.").waitFor();
      await row.getByText("job.failed").waitFor({ state: "detached" });
      await row.getByRole("link", { name: /^Deliveries to/ }).click();
      await page.locator("[data-delivery]").waitFor();
      assert.match(page.url(), /endpoint_id=/);
      await visit.open("/console/webhooks?tab=endpoints");
      await row.getByRole("button", { name: /^More for/ }).click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      await page.getByRole("button", { name: "Delete endpoint" }).click();
      await page.getByText("No endpoints yet").waitFor();
      await visit.close();
    });
  });
}
