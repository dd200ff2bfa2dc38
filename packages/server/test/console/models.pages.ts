// Models and their playground.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { holds } from "./holds.ts";
import { looksNow, type Scene } from "./scene.ts";

const model = "/console/models/sandbox/image-1";

export function modelPages(scene: () => Scene): void {
  describe("models", () => {
    for (const look of looksNow)
      test(`${look}: the list and the playground are accessible, and a run ends with a picture`, async () => {
        const visit = await scene().visit(look);
        const { page } = visit;
        await visit.open("/console/models");
        await page.getByRole("link", { name: "Sandbox Image 1", exact: true }).waitFor();
        await visit.requireAccessible();
        await visit.picture("models");
        await page.getByRole("link", { name: "Sandbox Image 1", exact: true }).click();
        await page.getByRole("textbox", { name: "Prompt" }).fill("a red house");
        await page.getByRole("status", { name: "Estimate" }).getByText("Free").waitFor();
        await page.getByRole("button", { name: "Run", exact: true }).click();
        const picture = page.getByRole("img", { name: "Result 1 of sandbox/image-1" });
        await picture.waitFor();
        await holds(page, "document.querySelector('figure img').naturalWidth > 0");
        await page.getByText("Saved to the gallery").waitFor();
        const id = await page.locator("[data-request-id]").getAttribute("data-request-id");
        assert.match(id ?? "", /^[0-9a-f-]{36}$/);
        await visit.requireAccessible();
        await visit.picture("playground");
        await visit.close();
      });

    test("a 64-bit seed typed in the form arrives with every digit, and comes back the same", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(model);
      await page.getByRole("textbox", { name: "Seed" }).fill("18446744073709551615");
      const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("image-1"));
      await page.getByRole("textbox", { name: "Prompt" }).press("Control+Enter");
      assert.match((await sent).postData() ?? "", /"seed":18446744073709551615[,}]/);
      await page.getByText("Raw answer").click();
      await page.getByText("18446744073709551615", { exact: true }).waitFor();
      await visit.close();
    });

    test("a field that the server refuses shows the message, and announces it to screen readers", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(model);
      const width = page.getByRole("textbox", { name: "Width" });
      await width.fill("65");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("Must be a multiple of 8.", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Send anyway" }).click();
      await page.locator('[data-bucket="invalid_input"]').waitFor();
      assert.equal(await width.getAttribute("aria-invalid"), "true");
      const described = (await width.getAttribute("aria-describedby")) ?? "";
      const words = await Promise.all(described.split(" ").map((id) => page.locator(`[id="${id}"]`).textContent()));
      assert.match(words.at(-1) ?? "", /multiple of 8/i);
      await page.getByText("Not charged.").waitFor();
      await visit.close();
    });
  });
}
