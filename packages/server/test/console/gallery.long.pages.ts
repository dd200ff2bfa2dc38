// The gallery with ten thousand pictures.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { holds } from "./holds.ts";
import { readGallery, tilesMax, tilesOf } from "./long-lists.ts";
import type { Scene } from "./scene.ts";

export function galleryLongPages(scene: () => Scene): void {
  describe("the gallery with ten thousand pictures", () => {
    test("keeps few of them in the document, scrolls to the end, and returns to the same place", {
      timeout: 900_000,
    }, async () => {
      const visit = await scene().visit();
      const { page } = visit;
      const most = await readGallery(scene(), visit);
      assert.ok(most < tilesMax, `${most} tiles`);
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)");
      await holds(page, "document.querySelectorAll('[data-tile] img').length > 10");
      const before = Number(await page.evaluate("scrollY"));
      // To the viewer and back.
      const seen = await page.evaluate(`[...document.querySelectorAll("[data-tile]")]
        .find((tile) => tile.getBoundingClientRect().top > 200).dataset.tile`);
      await page.locator(`[data-tile="${seen}"]`).click();
      await page.getByRole("dialog").waitFor();
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      assert.ok(Math.abs(Number(await page.evaluate("scrollY")) - before) < 4);
      // To another page and back.
      await page.getByRole("link", { name: "Jobs" }).click();
      await page.waitForURL("**/console/jobs");
      await page.goBack();
      await page.locator(`[data-tile="${seen}"]`).waitFor();
      await holds(page, `Math.abs(scrollY - ${before}) < 4`);
      assert.ok((await tilesOf(visit)) < tilesMax);
      await visit.close();
    });
  });
}
