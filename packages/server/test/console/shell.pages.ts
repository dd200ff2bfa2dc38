// The frame of every page.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LookName, Scene } from "./scene.ts";

export function shellPages(scene: () => Scene): void {
  describe("the frame", () => {
    for (const look of ["light", "dark", "phone"] satisfies LookName[])
      test(`${look}: the console opens at the root, accessible and without a request elsewhere`, async () => {
        const visit = await scene().visit(look);
        await visit.open("/");
        await visit.requireAccessible();
        await visit.picture("overview");
        await visit.close();
      });

    test("Ctrl K finds a page by its name, by keyboard alone", async () => {
      const visit = await scene().visit();
      await visit.open("/");
      await visit.page.keyboard.press("Control+k");
      await visit.page.getByRole("combobox", { name: "Search, or paste an id" }).fill("gall");
      await visit.page.keyboard.press("Enter");
      await visit.page.waitForURL("**/console/gallery");
      await visit.close();
    });

    test("programs still get the index as JSON", async () => {
      const answer = await fetch(`${scene().baseUrl}/`);
      assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
    });

    test("files are immutable and precompressed, the document is never kept", async () => {
      const document = await fetch(`${scene().baseUrl}/console`, { headers: { accept: "text/html" } });
      assert.equal(document.headers.get("cache-control"), "no-store");
      const [path] = /\/console\/files\/index-[\w-]+\.js/.exec(await document.text()) ?? [];
      const file = await fetch(`${scene().baseUrl}${path}`, { headers: { "accept-encoding": "br" } });
      assert.equal(file.headers.get("content-encoding"), "br");
      assert.match(file.headers.get("cache-control") ?? "", /immutable/);
    });
  });
}
