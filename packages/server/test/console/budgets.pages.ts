// Budgets on the Usage page.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { refusal } from "../../src/capabilities/mail/smtp-sink.fixture.ts";
import { until } from "../support/server-process.ts";
import type { Scene } from "./scene.ts";

const model = "/v1/models/sandbox/voice-1";

export function budgetPages(scene: () => Scene): void {
  describe("budgets", () => {
    test("the page says to whom alerts were mailed, and which of them the mail server refused", async () => {
      const { server, mail } = scene();
      mail.judge = (to) => {
        if (to.startsWith("gone@")) throw refusal(550, "5.1.1 There is nobody of that name");
      };
      const emails = ["money@example.com", "gone@example.com"];
      const budget = { scope: "tag", subject: "page=mails", period: "day", amount: "0.1", at_limit: "warn", emails };
      const made = await server.call({ method: "PUT", path: "/account/budgets/mailed", body: budget });
      assert.equal(made.status, 201, made.text);
      const headers = { "x-service-tags": JSON.stringify({ page: "mails" }) };
      const body = { prompt: "a page of mails" };
      assert.equal((await server.call({ method: "POST", path: model, headers, body })).status, 200);
      await until("both were tried", async () => emails.every((to) => mail.tried.includes(to)));
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/usage");
      const log = page.getByRole("region", { name: "Alerts by email", exact: true });
      const rowOf = (to: string) => log.getByRole("row").filter({ hasText: to }).first();
      await rowOf("money@example.com").getByText("Accepted").waitFor();
      await rowOf("gone@example.com").getByText("Not delivered").waitFor();
      await rowOf("gone@example.com").getByText("There is nobody of that name").waitFor();
      await visit.requireAccessible();
      await log.scrollIntoViewIfNeeded();
      await visit.picture("mail-log");
      await visit.close();
      await server.call({ method: "DELETE", path: "/account/budgets/mailed" });
    });

    test("a budget is set by clicks, shows what counts against it and its alerts, is changed and deleted", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/usage");
      await page.getByRole("button", { name: "New budget" }).click();
      await page.getByLabel("Name").fill("pages");
      await page.getByLabel("Credits", { exact: true }).fill("0.1");
      await page.getByLabel("What counts").selectOption("tag");
      await page.getByLabel("Tag").fill("page=budgets");
      await page.getByLabel("At 100 %").selectOption("warn");
      await page.getByRole("button", { name: "Set budget" }).click();
      const row = page.locator("[data-budget='pages']");
      await row.getByText("Only warns").waitFor();
      const headers = { "x-service-tags": JSON.stringify({ page: "budgets" }) };
      const body = { prompt: "a page of budgets" };
      assert.equal((await scene().server.call({ method: "POST", path: model, headers, body })).status, 200);
      await visit.open("/console/usage");
      await row.getByText(/^\d+ % reached$/).waitFor();
      await row.getByRole("list", { name: "Alerts" }).getByRole("listitem").first().waitFor();
      await visit.requireAccessible();
      await visit.picture("budgets");
      await row.getByRole("button", { name: "Change pages" }).click();
      await page.getByLabel("Credits", { exact: true }).fill("4000");
      await page.getByRole("button", { name: "Set budget" }).click();
      await row.getByText("4,000").waitFor();
      await row.getByRole("button", { name: "Delete pages" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await row.waitFor({ state: "detached" });
      await visit.close();
    });
  });
}
