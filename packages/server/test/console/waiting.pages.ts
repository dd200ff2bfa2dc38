// A job whose worker has left: the page and the list say what it waits for and what to do.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { builtInClasses, describeClasses } from "@atelier/engine";
import { listOf, textOf } from "../support/app-client.ts";
import { httpWorker, introduce } from "../support/http-worker.ts";
import { until } from "../support/server-process.ts";
import { adminOf } from "./every-page.ts";
import { ended, read, submit } from "./jobs.pages.ts";
import type { Scene } from "./scene.ts";

const far = "PictureFromAfar";

export function waitingPages(scene: () => Scene): void {
  describe("a job that waits for a worker", () => {
    test("says on its page and in the list which worker it waits for, and where to connect workers", async () => {
      const worker = await workerWithFar(scene());
      await introduceFar(worker);
      const graph = {
        "1": { class_type: far, inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
        "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "afar" } },
      };
      await scene().server.call({ method: "PUT", path: "/account/queue", body: { paused: true } });
      const { id } = await submit(scene(), graph, { name: "From afar" });
      await worker.call("DELETE", "");
      await scene().server.call({ method: "PUT", path: "/account/queue", body: { paused: false } });
      await until("its worker is gone", async () => (await read(scene(), id)).waiting_for !== undefined);
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(`/console/jobs/${id}`);
      const note = page.getByRole("note").filter({ hasText: "Waiting for a worker" });
      assert.deepEqual(await note.getByRole("listitem").allTextContents(), [far]);
      await note.getByText(/The last one was connected .*ago|just now/).waitFor();
      await visit.requireAccessible();
      await visit.picture("job-waits");
      await page.getByRole("link", { name: "View workers" }).click();
      await page.getByRole("heading", { level: 1, name: "Workers" }).waitFor();
      await visit.open("/console/jobs?status=active");
      const row = page.locator("[data-row]").filter({ hasText: "From afar" });
      await row.getByText(`Needs a worker with ${far}`).waitFor();
      await visit.picture("jobs-wait");
      // The note disappears when the wait is over.
      await visit.open(`/console/jobs/${id}`);
      await note.waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await note.waitFor({ state: "detached" });
      await ended(scene(), id);
      await visit.close();
    });
  });
}

async function workerWithFar(scene: Scene) {
  const headers = await adminOf(scene);
  const made = (
    await scene.server.call({ method: "POST", path: "/admin/worker-tokens", headers, body: { name: "afar" } })
  ).json();
  return httpWorker(scene.server, textOf(made, "secret"), String(listOf(made, "pool_ids")[0]));
}

// Besides the classes of this server, the worker knows one more.
async function introduceFar(worker: Awaited<ReturnType<typeof workerWithFar>>): Promise<void> {
  const { EmptyImage, SaveImage } = describeClasses(builtInClasses);
  const descriptions = { [far]: { ...EmptyImage, name: far }, SaveImage };
  const environment = { engine: "application", version: "0.1", classes: { [far]: "1", SaveImage: "1" }, descriptions };
  const known = await introduce(worker, environment);
  assert.equal(known.status, 200, known.text);
}
