// The gallery with ten thousand pictures.
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openDatabase, startEmbeddedPostgres } from "../../src/foundation/database/index.ts";
import { silentLog } from "../../src/foundation/log.ts";
import { copyAsset } from "../support/asset-records-store.ts";
import { pictureOf } from "./gallery.pages.ts";
import { holds } from "./holds.ts";
import type { Scene } from "./scene.ts";

const count = 10_000;

// Rows in the database of the server that runs: uploading as many would take minutes.
async function fill(scene: Scene): Promise<void> {
  const id = await pictureOf(scene, 0x3c64b1, "blue");
  const postgres = await startEmbeddedPostgres({ dataDir: join(scene.server.home, "postgres") });
  const database = openDatabase({ connection: postgres.connection, poolSize: 1, log: silentLog });
  await copyAsset(database, id, count);
  await database.close();
  await postgres.stop();
}

export function galleryLongPages(scene: () => Scene): void {
  describe("the gallery with ten thousand pictures", () => {
    test("keeps few of them in the document, scrolls to the end, and comes back to where it was", {
      timeout: 900_000,
    }, async () => {
      await fill(scene());
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/gallery?source=upload");
      let most = 0;
      const tiles = page.locator("[data-tile]");
      // To the end, page after page, as fast as they come.
      for (;;) {
        await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
        most = Math.max(most, await tiles.count());
        const isEnd = await page.locator(`[data-tile][aria-label^="copy_${String(count).padStart(6, "0")}"]`).count();
        if (isEnd > 0) break;
      }
      assert.ok(most < 400, `${most} tiles`);
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)");
      await holds(page, "document.querySelectorAll('[data-tile] img').length > 10");
      const before = Number(await page.evaluate("scrollY"));
      // The viewer, and back.
      const seen = await page.evaluate(`[...document.querySelectorAll("[data-tile]")]
        .find((tile) => tile.getBoundingClientRect().top > 200).dataset.tile`);
      await page.locator(`[data-tile="${seen}"]`).click();
      await page.getByRole("dialog").waitFor();
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      assert.ok(Math.abs(Number(await page.evaluate("scrollY")) - before) < 4);
      // Another page, and back.
      await page.getByRole("link", { name: "Jobs" }).click();
      await page.waitForURL("**/console/jobs");
      await page.goBack();
      await page.locator(`[data-tile="${seen}"]`).waitFor();
      assert.ok(Math.abs(Number(await page.evaluate("scrollY")) - before) < 4);
      assert.ok((await tiles.count()) < 400);
      await visit.close();
    });
  });
}
