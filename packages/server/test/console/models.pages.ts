// Models and their playground.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until } from "../support/server-process.ts";
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

    test("a card shows a sample, the price in credits and money, and a model without a key says where to set it", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/models");
      await page.getByText("1 credit = 0.0047 USD").waitFor();
      const card = (name: string) =>
        page.getByRole("article").filter({ has: page.getByRole("heading", { name, exact: true }) });
      await card("Sandbox Video 1").getByText("10.55 credits per second").waitFor();
      await card("Sandbox Video 1").getByText("0.05 USD").waitFor();
      await holds(
        page,
        `[...document.querySelectorAll("article img")].filter((it) => it.naturalWidth === 480).length === 3`,
      );
      const asked: string[] = [];
      page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
      await page.getByRole("searchbox", { name: "Search models" }).fill("flux pro");
      const locked = card("FLUX.2 pro");
      await locked.getByText("Needs a key").waitFor();
      assert.equal(await page.getByRole("article").filter({ hasText: "sandbox/" }).count(), 0, "the search narrows");
      assert.equal(await locked.getByRole("link", { name: "FLUX.2 pro" }).count(), 0, "it cannot be opened yet");
      await visit.requireAccessible();
      await visit.picture("models-locked");
      await locked.getByRole("link", { name: "Set the key" }).click();
      await page.waitForURL("**/console/providers?provider=bfl");
      assert.deepEqual(
        [...new Set(asked)].filter((path) => path.startsWith("/account/models") || path.startsWith("/v1/")),
        ["/account/models/works"],
        "models are searched here and works by the server; nothing is loaded page by page",
      );
      await visit.open("/console/models/bfl/flux-2-pro");
      await page.getByText("Its provider has no key on this server yet.").waitFor();
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

    test("a result has its tools: full size, download, link, its seed into the form, another seed; the history brings it back", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(model);
      await page.getByRole("textbox", { name: "Prompt" }).fill("a lighthouse at dusk");
      await page.getByRole("textbox", { name: "Seed" }).fill("");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      const tools = page.getByRole("toolbar", { name: "Output tools" });
      await tools.getByRole("button", { name: "Copy link" }).waitFor();
      const download = page.waitForEvent("download");
      await tools.getByRole("button", { name: "Download" }).click();
      assert.match((await download).suggestedFilename(), /\.png$/);
      await tools.getByRole("button", { name: "Full size" }).click();
      await page.getByRole("region", { name: "Full size, scrollable" }).waitFor();
      await visit.requireAccessible();
      await tools.getByRole("button", { name: "Fit" }).click();
      await page.getByRole("button", { name: /^Use seed \d+$/ }).click();
      const seedField = page.getByRole("textbox", { name: "Seed" });
      await until("the form has its seed", async () => /^\d+$/.test(await seedField.inputValue()));
      const seed = await seedField.inputValue();
      await page.getByRole("button", { name: "Another seed" }).click();
      await until("the form has another seed", async () => {
        return (await seedField.inputValue()) !== seed;
      });
      const history = page.getByRole("region", { name: "Your runs" });
      const runs = history.getByRole("button", { name: /a lighthouse at dusk/ });
      await runs.nth(1).waitFor();
      await page.getByRole("textbox", { name: "Prompt" }).fill("something else");
      await page.reload();
      await runs.nth(1).click();
      await page.locator("[data-run] img").waitFor();
      assert.equal(await page.getByRole("textbox", { name: "Prompt" }).inputValue(), "a lighthouse at dusk");
      await visit.requireAccessible();
      await visit.picture("playground-history");
      await page.locator("[data-run] [data-request-id]").click();
      await page.getByRole("link", { name: "Run again with this input" }).click();
      await page.waitForURL(/\/console\/models\/sandbox\/image-1#input=/);
      assert.equal(await page.getByRole("textbox", { name: "Prompt" }).inputValue(), "a lighthouse at dusk");
      await runs.nth(1).click();
      await page.getByRole("button", { name: "Remove from history" }).click();
      await runs.nth(1).waitFor({ state: "detached" });
      await visit.close();
    });

    test("an estimate says how it comes about and what the balance is; ×4 makes four, each with its own seed", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/models/sandbox/video-1");
      const estimate = page.getByRole("status", { name: "Estimate" });
      await estimate.getByText(/ s × [\d.]+/).waitFor();
      await estimate.getByText(/^Balance [\d,.]+/).waitFor();
      await visit.picture("playground-estimate");
      await visit.open(model);
      await page.getByRole("textbox", { name: "Prompt" }).fill("four of them");
      await page.getByRole("button", { name: /^×4/ }).click();
      const lanes = page.getByRole("region", { name: /^Result [1-4]$/ });
      for (let at = 0; at < 4; at++)
        await lanes
          .nth(at)
          .getByRole("button", { name: /^Use seed/ })
          .waitFor();
      const seeds = await page.getByRole("button", { name: /^Use seed/ }).allTextContents();
      assert.equal(new Set(seeds).size, 4);
      await visit.requireAccessible();
      await visit.picture("playground-four");
      await visit.close();
    });

    test("what a lane of the comparison made stays when a model is added; one lane alone can be left", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/compare?models=sandbox/image-1");
      await page.getByRole("textbox", { name: "Prompt" }).fill("a quiet lake");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      const first = page.getByRole("region", { name: "sandbox/image-1", exact: true });
      await first.locator("img").waitFor();
      await page.getByRole("combobox", { name: "Add a model" }).selectOption("sandbox/image-1-queued");
      const second = page.getByRole("region", { name: "sandbox/image-1-queued", exact: true });
      await second.waitFor();
      assert.equal(await first.locator("img").count(), 1);
      await page.getByRole("button", { name: "Run all 2" }).click();
      await second.getByRole("button", { name: "Stop waiting" }).click();
      await second.getByText("No longer waiting").waitFor();
      await first.locator("img").waitFor();
      await visit.requireAccessible();
      await visit.picture("compare-lanes");
      await second.getByRole("button", { name: "Get the answer with the same key" }).click();
      await second.locator("img").waitFor();
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
