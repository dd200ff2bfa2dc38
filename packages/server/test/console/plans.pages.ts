// Plans and invoices: an operator sells a plan, a payment arrives, and the workspace reads its plan and its invoice.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listOf, textOf } from "../support/app-client.ts";
import { paidInvoice, signedEvent } from "../support/payment-events.ts";
import { looksNow, type Scene } from "./scene.ts";

export function planPages(scene: () => Scene): void {
  describe("plans and invoices", () => {
    test("a plan is created, a payment adds its credits, and its invoice is downloaded", async () => {
      const { server } = scene();
      const visit = await scene().visit();
      const { page } = visit;
      const price = `price_${Date.now()}`;
      await visit.open("/console/plans");
      await page.getByRole("heading", { name: "No plan yet" }).waitFor();
      await visit.picture("plans-empty");
      await page.getByRole("tab", { name: "Sales" }).click();
      await page.getByRole("button", { name: "Create a plan" }).first().click();
      await page.getByRole("textbox", { name: "Name" }).fill("Studio");
      await page.getByRole("textbox", { name: "Credits", exact: true }).fill("2000");
      await page.getByRole("textbox", { name: "Price", exact: true }).fill("19.00 EUR");
      await page.getByRole("textbox", { name: "Price at the provider" }).fill(price);
      await page.getByRole("textbox", { name: "Page where it is bought" }).fill("https://payments.example/buy");
      await visit.requireAccessible();
      await visit.picture("plans-form");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Studio is saved.").waitFor();
      const workspace = textOf((await server.call({ path: "/account" })).json(), "workspace", "id");
      const send = async (event: object) => {
        const sent = signedEvent(event);
        const answer = await server.call({ ...sent, headers: { ...sent.headers } });
        assert.equal(answer.status, 200, answer.text);
      };
      await send(paidInvoice(price, workspace));
      await send(paidInvoice(price, null));
      await page.reload();
      await page.getByRole("button", { name: "Assign", exact: true }).first().waitFor();
      await visit.requireAccessible();
      await visit.picture("plans-sales");
      await page.getByRole("button", { name: "Assign", exact: true }).first().click();
      await page.getByRole("textbox", { name: "Workspace ID" }).fill(workspace);
      await page.getByRole("dialog").getByRole("button", { name: "Assign", exact: true }).click();
      await page.getByText("The payment is assigned.").waitFor();
      await page.getByRole("tab", { name: "Your plan" }).click();
      await page.getByText("The next credits arrive when the period ends").first().waitFor();
      const buy = page.getByRole("link", { name: "Buy Studio on the payment provider's page" });
      assert.match((await buy.getAttribute("href")) ?? "", new RegExp(`client_reference_id=${workspace}`));
      const invoices = listOf((await server.call({ path: "/account/invoices" })).json(), "data");
      assert.equal(invoices.length, 2);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page
          .getByRole("button", { name: /^Download invoice T-/ })
          .first()
          .click(),
      ]);
      assert.match(download.suggestedFilename(), /^invoice-T-.*\.pdf$/);
      await visit.close();
    });

    for (const look of looksNow) {
      test(`look right: ${look}`, async () => {
        const visit = await scene().visit(look);
        for (const [name, path] of [
          ["plans", "/console/plans"],
          ["plans-sales", "/console/plans?tab=sales"],
        ] as const) {
          await visit.open(path);
          await visit.requireAccessible();
          await visit.picture(`${name}-${look}`);
        }
        await visit.close();
      });
    }
  });
}
