// The way into the editor: no page offers it before it is installed; then a saved workflow, a job and a picture do.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { removeEditor } from "../../src/capabilities/editor/index.ts";
import { textOf } from "../support/app-client.ts";
import { installTinyEditor, tinyPage } from "../support/tiny-editor.ts";
import { ended, noisyGraph, submit } from "./jobs.pages.ts";
import type { Scene } from "./scene.ts";

export function editorPages(scene: () => Scene): void {
  describe("the way into the editor", () => {
    test("a saved workflow, a job and its picture open in the editor of the workspace, once it is installed", async () => {
      const { server } = scene();
      const job = await ended(scene(), (await submit(scene(), noisyGraph(1))).id);
      const body = { name: "grain", folder: "to edit", document: noisyGraph(1) };
      const saved = await server.call({ method: "POST", path: "/account/workflows", body });
      assert.equal(saved.status, 201, saved.text);
      const addresses = [
        [`/console/workflows/${textOf(saved.json(), "id")}`, "workflow=to+edit%2Fgrain"],
        [`/console/jobs/${job.id}`, `job=${job.id}`],
        [`/console/gallery?asset=${job.outputs?.[0]?.id}`, `job=${job.id}`],
      ] as const;
      const visit = await scene().visit();
      const link = visit.page.getByRole("link", { name: "Open in editor" });
      await visit.open(addresses[1][0]);
      assert.equal(await link.count(), 0);
      await installTinyEditor(server.home);
      try {
        for (const [path, query] of addresses) {
          await visit.open(path);
          assert.equal(await link.getAttribute("href"), `/editor?${query}`, path);
        }
        await visit.open(addresses[1][0]);
        const [opened] = await Promise.all([visit.context.waitForEvent("page"), link.click()]);
        await opened.waitForURL(new RegExp(`/editor/[0-9a-f-]{36}/\\?job=${job.id}$`));
        assert.equal(await opened.evaluate("document.scripts.length"), tinyPage.split("</script>").length - 1);
        await opened.close();
      } finally {
        await removeEditor(server.home);
      }
      await visit.close();
    });
  });
}
