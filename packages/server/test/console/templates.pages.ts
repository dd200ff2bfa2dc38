// The page of all templates: what runs here, what it costs, and what the others need.
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Scene } from "./scene.ts";

const example = join(import.meta.dirname, "../../../../examples/gallery/duotone.json");
const save = { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } };
const templates = {
  "one-photo": { "1": { class_type: "LoadImage", inputs: { image: "photo.png" } }, "2": save },
  "with-flux": { "1": { class_type: "Flux2ImageNode", inputs: {} }, "2": save },
  "with-weights": { "1": { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "v1.safetensors" } }, "2": save },
};

export function templatePages(scene: () => Scene): void {
  describe("templates", () => {
    test("the gallery is always there, and how an operator gets more; installed ones say what they need and cost, and run", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/");
      await page.getByRole("link", { name: "More templates" }).click();
      await page.getByRole("heading", { level: 1, name: "Templates" }).waitFor();
      await page.getByText("./atelier templates install").waitFor();
      assert.equal(await page.getByRole("button", { name: /^Run this/ }).count(), 12);
      await visit.requireAccessible();
      const folder = join(scene().server.home, "templates");
      await mkdir(folder);
      try {
        await writeFile(join(folder, "two-inks.json"), await readFile(example));
        for (const [name, graph] of Object.entries(templates))
          await writeFile(join(folder, `${name}.json`), JSON.stringify(graph));
        await page.reload();
        const card = (title: string) => page.locator(`[data-template="${title}"]`);
        await card("Two inks").getByText("Runs here").waitFor();
        await card("Two inks").getByText("Free").waitFor();
        await card("One photo").getByText("Runs with your file").waitFor();
        await card("With flux").getByText("Needs a key for bfl").waitFor();
        await card("With weights").getByText("Needs nodes: CheckpointLoaderSimple").waitFor();
        assert.equal(await page.getByRole("button", { name: /^Run this/ }).count(), 13);
        await visit.requireAccessible();
        await visit.picture("templates");
        await page.getByRole("button", { name: /^Needs a key/ }).click();
        await card("Two inks").waitFor({ state: "detached" });
        await card("With flux").waitFor();
        await card("Triptych").waitFor({ state: "detached" });
        await page.getByRole("searchbox", { name: "Search templates" }).fill("nothing like this");
        await page.getByRole("button", { name: "Clear the filters" }).click();
        await page.getByRole("button", { name: "Run this: Two inks" }).click();
        await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}/);
      } finally {
        await rm(folder, { recursive: true });
      }
      await visit.close();
    });
  });
}
