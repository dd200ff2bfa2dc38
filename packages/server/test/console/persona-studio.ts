// A person in a studio: looks at results, compares two, runs one with changes while watching it, keeps one and passes it
// on.
import assert from "node:assert/strict";
import { listOf } from "../support/app-client.ts";
import { choosePage } from "./choose-page.ts";
import { holds } from "./holds.ts";
import { ended, noisyGraph, submit } from "./jobs.pages.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

// A preview first, which is not a result; then a model that takes its time and costs something; then the saved output.
const graph = (seed: number) => ({
  "1": { class_type: "EmptyImage", inputs: { width: 256, height: 192, batch_size: 1, color: 3103042 } },
  "2": { class_type: "ImageAddNoise", inputs: { image: ["1", 0], seed, strength: 0.4 }, _meta: { title: "Grain" } },
  "3": { class_type: "PreviewImage", inputs: { images: ["2", 0] } },
  "4": {
    class_type: "AtelierModelImage",
    inputs: {
      model: "sandbox/image-1-queued",
      prompt: "a quiet harbour",
      width: 256,
      height: 192,
      seed,
      parameters: JSON.stringify({ simulate_seconds: 6 }),
    },
    _meta: { title: "Harbour" },
  },
  "5": { class_type: "SaveImage", inputs: { images: ["4", 0], filename_prefix: "harbour" } },
});

export async function studioPerson(scene: Scene, look: LookName): Promise<void> {
  const label = `harbour ${look}`;
  const jobs = await Promise.all([1, 2].map((seed) => submit(scene, graph(seed), label)));
  const ids = (await Promise.all(jobs.map(({ id }) => ended(scene, id)))).map(
    ({ outputs, error }) => outputs.find((one) => !one.is_preview)?.id ?? assert.fail(JSON.stringify(error)),
  );
  const visit = await scene.visit(look);
  await looksAndCompares(visit, label, ids);
  const jobId = await runsWithChanges(scene, visit, ids[0] ?? "");
  await starsAndShares(scene, visit, jobId);
  await savesAndSweeps(scene, visit, `harbour ${look} ${Date.now()}`);
  await putsOnBoard(visit, look);
  await visit.close();
}

// The link they got shows the pictures of the last run: the saved outputs, not the previews.
async function looksAndCompares(visit: Visit, label: string, ids: readonly string[]): Promise<void> {
  const { page } = visit;
  await visit.open(`/console/gallery?label=${encodeURIComponent(label)}`);
  await page.locator("[data-tile] img").nth(1).waitFor();
  const shown = await page.locator("[data-tile]").evaluateAll((tiles) => tiles.map((tile) => tile.dataset["tile"]));
  assert.deepEqual(shown.toSorted(), ids.toSorted());
  await visit.requireAccessible();
  await visit.picture("persona-studio");
  for (const id of ids) await page.locator(`li:has([data-tile="${id}"]) button`).click();
  await page.getByText("2 selected").waitFor();
  await page.keyboard.press("c");
  await page.getByRole("dialog", { name: "Compare 2 images" }).waitFor();
  const slider = page.getByRole("slider");
  const before = await slider.inputValue();
  await slider.focus();
  for (let press = 0; press < 5; press++) await page.keyboard.press("ArrowRight");
  assert.ok(Number(await slider.inputValue()) > Number(before));
  await page.getByRole("cell", { name: /seed/ }).first().waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-studio-compare");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
}

async function runsWithChanges(scene: Scene, visit: Visit, id: string): Promise<string> {
  const { page } = visit;
  const now = Date.now();
  await page.locator(`[data-tile="${id}"]`).click();
  await page
    .getByRole("dialog")
    .getByRole("img", { name: /harbour/ })
    .waitFor();
  // Opens on its own if there is room.
  const info = page.getByText("Made by");
  if (!(await page.getByRole("button", { name: "Details (I)", pressed: true }).isVisible()))
    await page.keyboard.press("i");
  await info.waitFor();
  await page.getByText("a quiet harbour").first().waitFor();
  await page.getByRole("link", { name: "Run with changes" }).click();
  await page.getByRole("textbox", { name: "prompt" }).fill(`a loud harbour, ${now}`);
  // With different noise too: what stays the same is not made again, and shows no preview.
  await page.getByRole("textbox", { name: "seed" }).first().fill(String(now));
  await page
    .locator("[data-estimate]")
    .getByText(/credits/)
    .first()
    .waitFor();
  // From the top: a control half covered by the bar counts as too small.
  await page.evaluate("scrollTo(0, 0)");
  await visit.requireAccessible();
  await page.getByRole("button", { name: "Run with changes" }).click();
  await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}/);
  // On a fast machine the job may have ended before the page has loaded.
  await page.locator("img[data-preview], [data-output-picture]").first().waitFor();
  await holds(page, "document.querySelector('img[data-preview], [data-output-picture]')?.naturalWidth > 0");
  await visit.picture("persona-studio-preview");
  await page.locator("[data-output-picture]").waitFor();
  const jobId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  assert.equal((await ended(scene, jobId)).status, "succeeded");
  return jobId;
}

async function starsAndShares(scene: Scene, visit: Visit, jobId: string): Promise<void> {
  const { page } = visit;
  const { outputs } = await ended(scene, jobId);
  const id = outputs.find((one) => !one.is_preview)?.id ?? assert.fail("no output was saved");
  await visit.open(`/console/gallery?asset=${id}`);
  await page
    .getByRole("dialog")
    .getByRole("img", { name: /harbour/ })
    .waitFor();
  const kept = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.keyboard.press("s");
  assert.equal((await kept).status(), 200);
  const tags: unknown = (await scene.server.call({ path: `/api/v2/assets/${id}` })).json();
  assert.ok(JSON.stringify(tags).includes('"starred"'));
  if (!(await page.getByRole("button", { name: "Share" }).isVisible())) await page.keyboard.press("i");
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText(/Valid until \d/).waitFor();
  const url = await page.getByRole("textbox", { name: "Signed link" }).inputValue();
  const answer = await fetch(url);
  assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "image/png"]);
  await visit.requireAccessible();
  await visit.picture("persona-studio-share");
}

// A dropped file is drawn at once, saved under its name, and run as a batch with one input in several values: one group in the
// list of jobs.
async function savesAndSweeps(scene: Scene, visit: Visit, name: string): Promise<void> {
  const { page } = visit;
  const button = (words: string) => page.getByRole("button", { name: words, exact: true });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await choosePage(visit, "Workflows");
  await page.getByLabel("Workflow file").setInputFiles({
    name: `${name}.json`,
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(noisyGraph(5))),
  });
  await page.getByRole("heading", { level: 1, name: `${name}.json` }).waitFor();
  await page.locator('[data-node="2"]').waitFor();
  await page.locator("[data-estimate]").getByText("Free").waitFor();
  await button("Batch").click();
  await page.getByRole("textbox", { name: "Runs" }).fill("1");
  await button("Try several values of an input").click();
  await page.getByLabel("Input", { exact: true }).last().selectOption("Grain · strength");
  await page.getByLabel("Values").last().fill("0.2, 0.4, 0.6");
  await page.locator('[data-batch-jobs="3"]').waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-studio-batch");
  await button("Save workflow").click();
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL(/\/console\/workflows\/[0-9a-f-]{36}$/);
  await choosePage(visit, "Workflows");
  await page.getByRole("searchbox", { name: "Find a saved workflow" }).fill(name);
  await page.getByRole("link", { name }).first().click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await button("Batch").click();
  await page.getByRole("textbox", { name: "Runs" }).fill("3");
  await button("Run 3 jobs").click();
  await page.waitForURL(/\/console\/jobs\?q=batch/);
  const group = page.locator("[data-group-state]");
  await group.getByText("3 of 3 done").waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-studio-group");
  const id = new URL(page.url()).searchParams.get("q")?.replace("batch=", "") ?? "";
  const list = await scene.server.call({ path: `/api/v2/jobs?metadata[batch]=${id}` });
  assert.equal(listOf(list.json(), "data").length, 3);
}

async function putsOnBoard(visit: Visit, look: LookName): Promise<void> {
  const { page } = visit;
  await choosePage(visit, "Gallery");
  await page.locator("[data-tile] img").first().waitFor();
  await page.locator("li:has([data-tile]) button").first().click();
  await page.getByRole("button", { name: "Boards…" }).click();
  await page.getByLabel("New board").fill(`Harbours ${look}`);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: `Harbours ${look} 1` }).waitFor();
  await page.getByRole("button", { name: "Keep" }).click();
  await page.getByText(/^Kept 1 file\./).waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-studio-board");
}
