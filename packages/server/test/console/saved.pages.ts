// Saved workflows as people use them: saved from a file, changed, changed by two at once, restored, run and found again.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Job, SavedWorkflow } from "@atelier/contract";
import { textOf } from "../support/app-client.ts";
import { ended, noisyGraph, submit, until } from "./jobs.pages.ts";
import { looksNow, type Scene, type Visit } from "./scene.ts";

const buttonOf = ({ page }: Visit, name: string) => page.getByRole("button", { name, exact: true });
const field = ({ page }: Visit, name: string) => page.getByRole("textbox", { name, exact: true });
const row = ({ page }: Visit, version: number) => page.locator(`[data-version="${version}"]`);
const workflowAt = ({ page }: Visit) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

async function saveVersion(visit: Visit, strength: string, note: string): Promise<void> {
  await field(visit, "strength").fill(strength);
  await buttonOf(visit, "Save new version").click();
  await visit.page.getByRole("dialog").getByLabel("Note").fill(note);
  await visit.page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
}

export function savedPages(scene: () => Scene): void {
  describe("saved workflows", () => {
    test("a file is saved, changed, changed by two at once, compared, restored, run and found by its prompt", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/workflows");
      await page.getByLabel("Workflow file").setInputFiles({
        name: "grain.json",
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify(noisyGraph(2))),
      });
      await buttonOf(visit, "Save workflow").click();
      await page.getByRole("dialog").getByLabel("Folder").fill("posters/sea");
      await page.getByRole("dialog").getByLabel("Tags").fill("Night");
      await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
      await page.waitForURL(/\/console\/workflows\/[0-9a-f-]{36}$/);
      await page.getByRole("heading", { level: 1, name: "grain", exact: true }).waitFor();
      const id = workflowAt(visit);

      await saveVersion(visit, "0.3", "less grain");
      await page.getByText("Saved version 2.").waitFor();

      // Another person saves while this page is open.
      const other = { document: { ...noisyGraph(2), "6": noisyGraph(2)["5"] }, note: "another ground" };
      const answer = await scene().server.call({
        method: "POST",
        path: `/account/workflows/${id}/versions`,
        body: other,
      });
      assert.equal(answer.status, 201, answer.text);
      await saveVersion(visit, "0.2", "even less");
      const dialog = page.getByRole("dialog", { name: /^Changed by .+ meanwhile$/ });
      await dialog.getByText("Version 3 was saved while you worked on version 2.").waitFor();
      await dialog.locator('[data-change="6"]').getByText("Added", { exact: true }).waitFor();
      await visit.requireAccessible();
      await visit.picture("saved-conflict");
      assert.equal(await versionOf(scene(), id), 3, "nothing was overwritten");
      await dialog.getByRole("button", { name: "Save on top" }).click();
      await page.getByText("Saved version 4.").waitFor();

      await page.getByRole("tab", { name: "History" }).click();
      await row(visit, 4).getByText("even less").waitFor();
      await row(visit, 2).getByRole("button", { name: "What changed" }).click();
      await page.locator('[data-change="2"]').getByText("strength changed from 0.4 to 0.3.").waitFor();
      assert.match(page.url(), /from=1&to=2/);
      await row(visit, 1).getByRole("button", { name: "Restore" }).click();
      await row(visit, 5).getByText("Restored from version 1").waitFor();

      await page.getByRole("tab", { name: "Run" }).click();
      await page.getByRole("button", { name: "Open version 5" }).click();
      assert.equal(await field(visit, "strength").inputValue(), "0.4");
      await buttonOf(visit, "Run").click();
      await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}/);
      const { metadata } = await ended(scene(), workflowAt(visit));
      assert.deepEqual(metadata, { name: "grain", workflow: id });

      await visit.open("/console/workflows?q=imageaddn&folder=posters");
      const card = page.locator(`[data-saved="${id}"]`);
      await card.getByText("Version 5").waitFor();
      await until(visit, `(document.querySelector('[data-saved="${id}"] img')?.naturalWidth ?? 0) > 0`);
      await page.getByRole("searchbox", { name: "Find a saved workflow" }).fill("nothing-is-called-this");
      await page.getByRole("heading", { name: "No workflow matches" }).waitFor();
      await buttonOf(visit, "Show all").click();
      await card.waitFor();
      assert.equal(new URL(page.url()).search, "");
      await visit.close();
    });

    test("a job is saved from its page; archived it leaves the library, comes back, and can be deleted", async () => {
      const job = await ended(scene(), (await submit(scene(), noisyGraph(3), "A shot")).id);
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(`/console/jobs/${job.id}`);
      await buttonOf(visit, "Save workflow").click();
      await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
      await page.waitForURL(/\/console\/workflows\/[0-9a-f-]{36}$/);
      await page.getByRole("heading", { level: 1, name: "A shot" }).waitFor();
      const id = workflowAt(visit);
      const pick = async (name: string) => {
        await buttonOf(visit, "More actions").click();
        await page.getByRole("menuitem", { name }).click();
      };
      await pick("Archive");
      await buttonOf(visit, "Bring back").waitFor();
      await visit.open("/console/workflows?archived=true");
      await page.locator(`[data-saved="${id}"]`).getByRole("link", { name: "A shot" }).click();
      await buttonOf(visit, "Bring back").click();
      await buttonOf(visit, "Bring back").waitFor({ state: "detached" });
      await pick("Archive");
      await buttonOf(visit, "Bring back").waitFor();
      await pick("Delete for good");
      await page.getByRole("dialog").getByRole("button", { name: "Delete for good" }).click();
      await page.waitForURL(/\/console\/workflows$/);
      assert.equal((await scene().server.call({ path: `/account/workflows/${id}` })).status, 404);
      await visit.close();
    });

    test("a workflow opened right after typing its name stays open: the search that follows does not bring the list back", async () => {
      const id = await makeSaved(scene(), `Typed ${Date.now()}`);
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/workflows");
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
      await page.route(/\/saved-page-[\w-]+\.js$/, async (route) => {
        await isReleased;
        await route.continue();
      });
      const link = page.locator(`[data-saved="${id}"]`).getByRole("link").first();
      await link.waitFor();
      await page.getByRole("searchbox", { name: "Find a saved workflow" }).fill("Typed");
      await link.click();
      await page.waitForURL(`**/console/workflows/${id}`);
      // The pause after which a search is made has passed when this later timer fires, and so has the frame before a page changes.
      await page.evaluate("new Promise((resolve) => setTimeout(resolve, 500))");
      release();
      await buttonOf(visit, "Batch").click();
      assert.equal(new URL(page.url()).pathname, `/console/workflows/${id}`);
      await visit.close();
    });

    for (const look of looksNow)
      test(`${look}: the library, a workflow and its history are accessible and fit`, async () => {
        const id = await makeSaved(scene(), `Lighthouse ${look}`);
        const visit = await scene().visit(look);
        for (const [name, path] of [
          ["saved-library", "/console/workflows"],
          ["saved-workflow", `/console/workflows/${id}`],
          ["saved-history", `/console/workflows/${id}?tab=history`],
        ] as const) {
          await visit.open(path);
          await visit.requireAccessible();
          await visit.picture(name);
          const over = Number(await visit.page.evaluate("document.documentElement.scrollWidth - innerWidth"));
          assert.ok(over <= 0, `${name} scrolls sideways by ${over}`);
        }
        await visit.close();
      });
  });
}

// With two versions and a run.
export async function makeSaved(scene: Scene, name: string): Promise<string> {
  const post = async (path: string, body: object) => {
    const answer = await scene.server.call({ method: "POST", path: `/account/workflows${path}`, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.json();
  };
  const first = await post("", { name, folder: "posters/sea", tags: ["sea", "night"], document: noisyGraph(7) });
  const id = textOf(first, "id");
  await post(`/${id}/versions`, { document: noisyGraph(8), note: "Another grain, as the client asked." });
  const job: Job = await submit(scene, noisyGraph(8), { name, workflow: id });
  await ended(scene, job.id);
  return id;
}

async function versionOf({ server }: Scene, id: string): Promise<number> {
  return ((await server.call({ path: `/account/workflows/${id}` })).json() as SavedWorkflow).version;
}
