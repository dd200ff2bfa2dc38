// Jobs, workflows and node classes as people see them: a real graph on the engine, followed live, seen from every side.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Job, JobCharges, JobPage } from "@atelier/contract";
import { openFaultyFront } from "./faulty-front.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

type Graph = Record<string, { class_type: string; inputs: Record<string, unknown>; _meta?: { title: string } }>;

// Uses nodes only: it costs nothing, and each seed makes a different picture.
export function noisyGraph(seed: number): Graph {
  return {
    "1": {
      class_type: "EmptyImage",
      inputs: { width: 256, height: 192, batch_size: 1, color: 3103042 },
      _meta: { title: "Green" },
    },
    "2": { class_type: "ImageAddNoise", inputs: { image: ["1", 0], seed, strength: 0.4 }, _meta: { title: "Grain" } },
    "3": { class_type: "ImageBlur", inputs: { image: ["2", 0], blur_radius: 2, sigma: 1 }, _meta: { title: "Soft" } },
    "4": { class_type: "SaveImage", inputs: { images: ["3", 0], filename_prefix: "grain" }, _meta: { title: "Keep" } },
    "5": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
  };
}

// The last node asks the sandbox for a model that refuses this prompt.
export const failingGraph = (): Graph => ({
  "1": {
    class_type: "AtelierModelImage",
    inputs: { model: "sandbox/image-1", prompt: "x", width: 64, height: 64, seed: 1, parameters: failing },
    _meta: { title: "Refused" },
  },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "never" } },
});

// Its first node runs for this long.
const slowGraph = (seconds: number): Graph => ({
  "1": {
    class_type: "AtelierModelImage",
    inputs: { ...smallModel, parameters: JSON.stringify({ simulate_seconds: seconds }) },
    _meta: { title: "Slow" },
  },
  "2": { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 2, sigma: 1 } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "slow" } },
});
const smallModel = { model: "sandbox/image-1", prompt: "slow", width: 64, height: 64, seed: 1 };
const hostile = '<img src="x" onerror="throw 1"><script>throw 2</script>';
const failing = JSON.stringify({ simulate: "refuse" });

export async function submit(scene: Scene, workflow: object, metadata?: unknown): Promise<Job> {
  const answer = await scene.server.call({
    method: "POST",
    path: "/api/v2/jobs",
    body: { workflow, ...(metadata === undefined ? {} : { metadata }) },
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.json() as Job;
}

export async function read(scene: Scene, id: string): Promise<Job> {
  return (await scene.server.call({ path: `/api/v2/jobs/${id}` })).json() as Job;
}

export async function ended(scene: Scene, id: string): Promise<Job> {
  for (;;) {
    const job = await read(scene, id);
    if (job.completed_at !== null) return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function pauseQueue(scene: Scene, paused: boolean): Promise<void> {
  await scene.server.call({ method: "PUT", path: "/account/queue", body: { paused } });
}

const state = (visit: Visit, name: string) => visit.page.locator("h1 + div").locator(`[data-state="${name}"]`);

export function jobPages(scene: () => Scene): void {
  describe("jobs", () => {
    test("a job is followed live from the queue to its picture, and its nodes match the API", async () => {
      await pauseQueue(scene(), true);
      const job = await submit(scene(), noisyGraph(1), { shot: "7", campaign: "spring" });
      const visit = await scene().visit();
      await visit.page.goto(`/console/jobs/${job.id}`);
      await state(visit, "queued").waitFor();
      await visit.page.getByText("Live", { exact: true }).first().waitFor();
      await pauseQueue(scene(), false);
      await state(visit, "succeeded").waitFor();
      await visit.page.locator("[data-output-picture]").waitFor();
      await requirePicture(visit, "[data-output-picture]");
      // One view: the picture, the graph with it on the node that saved it, and the time of each node.
      await requirePicture(visit, '[data-node="4"] [data-node-picture]');
      assert.equal(await visit.page.locator("[data-timeline-node]").count(), 4);
      await visit.requireAccessible();
      await visit.page.getByRole("tab", { name: "Graph" }).click();
      await visit.page.locator("[data-node]").first().waitFor();
      const { progress } = await read(scene(), job.id);
      assert.equal(progress?.nodes?.length, 4);
      for (const { node_id, state: expected } of progress?.nodes ?? [])
        assert.equal(await visit.page.locator(`[data-node="${node_id}"]`).getAttribute("data-state"), expected);
      assert.equal(await visit.page.locator('[data-node="5"]').getAttribute("data-state"), "skipped");
      await visit.page.getByLabel("Soft node 3, done").focus();
      await visit.page.keyboard.press("Enter");
      await visit.page.getByRole("heading", { name: "Soft · node 3" }).waitFor();
      assert.match(visit.page.url(), /tab=graph.*node=/);
      await visit.page.getByRole("tab", { name: "Timeline" }).click();
      assert.equal(await visit.page.locator("[data-timeline-node]").count(), 4);
      await visit.close();
    });

    test("without a stream the page says that it polls, and still shows the end", async () => {
      await pauseQueue(scene(), true);
      const { id } = await submit(scene(), noisyGraph(2));
      const visit = await scene().visit();
      await visit.page.route("**/events", (route) => route.abort());
      await visit.page.goto(`/console/jobs/${id}`);
      await visit.page.getByText("Polling every 2 s").waitFor();
      await pauseQueue(scene(), false);
      await state(visit, "succeeded").waitFor();
      assert.equal(await visit.page.getByRole("alert").count(), 0);
      await visit.close();
    });

    test("a stream cut in the middle of a run makes the page poll, and nothing is lost", async () => {
      const front = await openFaultyFront(scene().baseUrl);
      await pauseQueue(scene(), true);
      const { id } = await submit(scene(), slowGraph(30));
      const visit = await scene().visit("light", { through: front.baseUrl });
      await visit.page.goto(`/console/jobs/${id}`);
      await state(visit, "queued").waitFor();
      await visit.page.getByText("Live", { exact: true }).first().waitFor();
      await pauseQueue(scene(), false);
      await state(visit, "running").waitFor();
      front.asked();
      front.refuse((_, path) => (path.endsWith("/events") ? "lost" : null));
      front.cut();
      await visit.page.getByText("Polling every 2 s").waitFor();
      assert.equal((await read(scene(), id)).status, "running", "it was cut in the middle");
      await state(visit, "succeeded").waitFor();
      await requirePicture(visit, "[data-output-picture]");
      const asked = front.asked();
      assert.ok(asked.includes(`GET /api/v2/jobs/${id}/events`), "a new stream was tried");
      assert.ok(asked.filter((one) => one === `GET /api/v2/jobs/${id}`).length >= 2, "the job was read meanwhile");
      await visit.page.getByRole("tab", { name: "Graph" }).click();
      await visit.page.locator("[data-node]").first().waitFor();
      for (const { node_id, state: expected } of (await read(scene(), id)).progress?.nodes ?? [])
        assert.equal(await visit.page.locator(`[data-node="${node_id}"]`).getAttribute("data-state"), expected);
      assert.equal(await visit.page.getByRole("alert").count(), 0);
      await visit.close();
      await front.close();
    });

    test("a failed job opens on the node that failed, says why, and leads to its inputs", async () => {
      const { id } = await submit(scene(), failingGraph());
      const job = await ended(scene(), id);
      assert.equal(job.status, "failed");
      const visit = await scene().visit();
      await visit.open(`/console/jobs/${id}`);
      await visit.page.getByRole("heading", { name: "Node 1 (AtelierModelImage) failed" }).waitFor();
      const node = visit.page.locator('[data-node="1"][data-state="failed"]');
      await node.waitFor();
      const at = await node.boundingBox();
      assert.ok(at !== null && at.x >= 0 && at.x < 1280, "the failed node is in sight");
      await visit.page.getByRole("heading", { name: "Refused · node 1" }).waitFor();
      // The node leads to the request that it made.
      const charges = await scene().server.call({ path: `/account/jobs/${id}/charges` });
      const [request = ""] = (charges.json() as JobCharges).nodes[0]?.request_ids ?? [];
      await visit.page.locator(`a[href="/console/requests/${request}"]`).waitFor();
      await visit.requireAccessible();
      await visit.picture("job-failed");
      await visit.close();
    });

    test("comparing two jobs shows what changed: a seed", async () => {
      const [one, other] = [await submit(scene(), noisyGraph(3)), await submit(scene(), noisyGraph(4), hostile)];
      const visit = await scene().visit();
      await visit.open(`/console/jobs/${other.id}?tab=workflow&diff=${one.id}`);
      // Names that people give are text, whatever they look like; a script that runs would show as a complaint of the
      // visit.
      await visit.page.getByRole("heading", { level: 1, name: hostile }).waitFor();
      const change = visit.page.locator("[data-change]");
      await change.waitFor();
      assert.equal(await change.getAttribute("data-change"), "2.seed");
      assert.equal(await change.locator("del").textContent(), "3");
      assert.equal(await change.locator("ins").textContent(), "4");
      await ended(scene(), one.id);
      // A job that is not in the list is identified by its id or address, on the page itself.
      await visit.open(`/console/jobs/${other.id}?tab=workflow`);
      const listed = visit.page.getByLabel("Compare with").locator(`option[value="${one.id}"]`);
      await listed.waitFor({ state: "attached" });
      assert.match((await listed.textContent()) ?? "", / · Succeeded · /);
      await visit.page.getByLabel("Compare with").selectOption("Another job by ID…");
      await visit.page.getByLabel("Job ID or URL").fill(`${scene().baseUrl}/console/jobs/${one.id}?tab=live`);
      await visit.page.waitForURL(new RegExp(`diff=${one.id}`));
      await change.waitFor();
      await visit.close();
    });

    test("the list finds by label and id, cancels and reruns the selection, and keeps its filter on back", async () => {
      await pauseQueue(scene(), true);
      const jobs = await Promise.all([5, 6].map((seed) => submit(scene(), noisyGraph(seed), { batch: "bulk" })));
      const visit = await scene().visit();
      await visit.open("/console/jobs?q=batch%3Dbulk");
      const rows = visit.page.locator("[data-row]");
      await rows.nth(1).waitFor();
      assert.equal(await rows.count(), 2);
      await visit.page.getByLabel("Select all loaded jobs").check();
      await visit.page.getByRole("button", { name: "Cancel 2" }).click();
      await visit.page.getByText("2 jobs canceled.").waitFor();
      await visit.page.locator('[data-row][data-status="canceled"]').nth(1).waitFor();
      await visit.page.getByLabel("Select all loaded jobs").check();
      await visit.page.getByRole("button", { name: "Run again" }).click();
      await visit.page.getByText("2 jobs submitted again.").waitFor();
      await rows.nth(3).waitFor();
      await pauseQueue(scene(), false);
      await visit.page.locator('[data-row][data-status="succeeded"]').nth(1).waitFor();
      await rows.first().getByRole("link").click();
      await visit.page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}/);
      await visit.page.goBack();
      await rows.nth(3).waitFor();
      assert.match(visit.page.url(), /q=batch/);
      await visit.open(`/console/jobs?q=${jobs[0]?.id}`);
      await rows.first().waitFor();
      assert.equal(await rows.count(), 1);
      await visit.close();
    });
  });

  describe("workflows", () => {
    test("a dropped graph becomes a form; a seed above 2^53 is exact, and a value outside its limits is reported at its field", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/workflows");
      await page.getByLabel("Workflow file").setInputFiles({
        name: "grain.json",
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify(noisyGraph(1))),
      });
      await page.getByRole("heading", { level: 1, name: "grain.json" }).waitFor();
      await page.locator("[data-estimate]").getByText("Free").waitFor();
      await page.getByRole("textbox", { name: "strength" }).fill("7");
      await page.getByText("Must be at most 1.").waitFor();
      await page.getByRole("textbox", { name: "strength" }).fill("0.3");
      await page.getByRole("textbox", { name: "seed" }).fill("9007199254740993");
      // The node shows it, and the page says that it is stored.
      await page.locator('[data-node="2"]').getByText("9007199254740993").waitFor();
      await page.getByText("Draft saved").waitFor();
      // A reload loses nothing: the file's name, the input, and the label made from it.
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "grain.json" }).waitFor();
      assert.equal(await page.getByRole("textbox", { name: "seed" }).inputValue(), "9007199254740993");
      assert.equal(await page.getByLabel("Labels").inputValue(), "grain");
      await page.getByRole("button", { name: "Run with changes" }).click();
      await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}/);
      const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      const job = await ended(scene(), id);
      assert.equal(job.metadata, "grain", "the job is called after its file");
      await page.getByRole("heading", { level: 1, name: "grain" }).waitFor();
      const answer = await fetch(`${scene().baseUrl}/api/v2/jobs/${id}/workflow`, {
        headers: { authorization: `Bearer ${scene().server.key}` },
      });
      assert.match(await answer.text(), /"seed":9007199254740993[,}]/);
      // Back at the graph, the node that saved the picture shows it.
      await page.goBack();
      await requirePicture(visit, '[data-node="4"] [data-node-picture]');
      await visit.requireAccessible();
      await visit.close();
    });

    test("a batch over two inputs shows its grid and runs as one group, which is canceled at once; the queue is paused by a person", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      const button = (name: string) => page.getByRole("button", { name, exact: true });
      await visit.open("/console/jobs");
      await button("Pause queue").click();
      await page.getByText(/^The queue was paused/).waitFor();
      await visit.open("/console/workflows");
      await page.getByLabel("Workflow file").setInputFiles({
        name: "sweep.json",
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify(noisyGraph(1))),
      });
      await button("Batch").click();
      await page.getByRole("textbox", { name: "Runs" }).fill("2");
      for (const [add, input, values] of [
        ["Try several values of an input", "Grain · strength", "0.2..0.6..0.2"],
        ["Add a second input", "Soft · blur_radius", "1, 2"],
      ] as const) {
        await button(add).click();
        await page.getByLabel("Input", { exact: true }).last().selectOption(input);
        await page.getByLabel("Values").last().fill(values);
      }
      await page.locator('[data-batch-jobs="12"]').getByText("Free in total").waitFor();
      assert.equal(await page.getByRole("figure", { name: "What will run" }).locator("tbody td").count(), 6);
      await visit.requireAccessible();
      await visit.picture("batch");
      // A reload keeps the batch as well.
      await page.getByText("Draft saved").waitFor();
      await page.reload();
      await button("Run 12 jobs").click();
      await page.waitForURL(/\/console\/jobs\?q=batch/);
      await page.locator("[data-group-state]").getByText("0 of 12 done · 12 waiting").waitFor();
      const id = new URL(page.url()).searchParams.get("q")?.replace("batch=", "") ?? "";
      const list = await scene().server.call({ path: `/api/v2/jobs?metadata[batch]=${id}&limit=50` });
      const graphs = await Promise.all(
        (list.json() as JobPage).data.map(async (job) => {
          const answer = await scene().server.call({ path: `/api/v2/jobs/${job.id}/workflow` });
          return (answer.json() as { workflow: Graph }).workflow;
        }),
      );
      const seen = (...inputs: readonly (readonly [string, string])[]) =>
        new Set(graphs.map((graph) => inputs.map(([node, input]) => graph[node]?.inputs[input]).join())).size;
      assert.equal(seen(["2", "strength"], ["3", "blur_radius"]), 6);
      assert.equal(seen(["2", "seed"]), 2, "one seed for each round");
      await visit.open("/console/jobs");
      const group = page.locator(`[data-group="${id}"]`);
      await group.getByText("sweep · batch of 12").waitFor();
      assert.equal(await page.locator('[data-in-group="true"]').count(), 0);
      await group.getByRole("button", { name: "Show the jobs of sweep" }).click();
      await page.locator('[data-in-group="true"]').nth(5).waitFor();
      await visit.requireAccessible();
      await visit.picture("batch-in-jobs");
      await group.getByRole("button", { name: "Cancel batch" }).click();
      await page.getByText("12 jobs canceled.").waitFor();
      await group.getByText("0 of 12 done · 12 failed or canceled").waitFor();
      // All that match, with the count before.
      await visit.open(`/console/jobs?q=batch%3D${id}&status=canceled`);
      await button("Run all again…").click();
      await page.getByRole("dialog").locator('[data-matching="12"]').waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Run 12 jobs again" }).click();
      await page.getByText("12 jobs submitted again.").waitFor();
      await visit.open(`/console/jobs?q=batch%3D${id}&status=active`);
      await button("Cancel all that match…").click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel 12 jobs" }).click();
      await page.getByText("12 jobs canceled.").waitFor();
      await button("Resume queue").click();
      await page.getByText("The queue runs again.").waitFor();
      await visit.close();
    });

    test("a graph with missing classes is drawn, names them on the node and in a list, and cannot be run", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/workflows");
      const editor = {
        nodes: [
          { id: 1, type: "KSampler", pos: [0, 0], inputs: [], outputs: [{ name: "LATENT", links: [1] }] },
          { id: 2, type: "SaveImage", pos: [400, 0], inputs: [{ name: "images", link: 1 }], widgets_values: ["a"] },
        ],
        links: [[1, 1, 0, 2, 0, "LATENT"]],
        version: 0.4,
      };
      const file = (name: string, value: unknown) =>
        page.getByLabel("Workflow file").setInputFiles({
          name,
          mimeType: "application/json",
          buffer: Buffer.from(JSON.stringify(value)),
        });
      await file("stock.json", editor);
      await page.getByRole("list", { name: "Missing node classes" }).getByText("KSampler", { exact: true }).waitFor();
      await page.locator('[data-node="1"][data-state="missing"]').getByText("not available here").waitFor();
      assert.equal(await page.locator('[data-node="2"]').getAttribute("data-state"), null);
      await page.getByRole("link", { name: "Search the registry" }).waitFor();
      const button = page.getByRole("button", { name: "Run", exact: true });
      assert.equal(await button.getAttribute("title"), "KSampler is not available here");
      assert.equal(await button.getAttribute("aria-disabled"), "true");
      await visit.requireAccessible();
      // API format works too; a name that is almost right leads to the right one.
      await page.getByRole("button", { name: "Open another" }).click();
      await file("typo.json", { "7": { class_type: "EmptyImages", inputs: { width: 64 } } });
      await page.locator('[data-node="7"][data-state="missing"]').waitFor();
      await page.getByRole("link", { name: "EmptyImage", exact: true }).waitFor();
      assert.equal(await button.getAttribute("aria-disabled"), "true");
      // A large graph stays readable, and its map covers neither the graph nor the zoom buttons.
      await page.getByRole("button", { name: "Open another" }).click();
      const many = Array.from({ length: 160 }, (_, at) => [at + 1, noisyGraph(1)["5"]]);
      await file("many.json", Object.fromEntries(many));
      const map = page.locator(".react-flow__minimap");
      await map.waitFor();
      const [flow, under] = [await page.locator(".react-flow").boundingBox(), await map.boundingBox()];
      assert.ok(flow !== null && under !== null && under.y >= flow.y + flow.height - 1, "the map is below the graph");
      const ratio = await page.evaluate<number>(
        `(({ width, height }) => width / height)(document.querySelector(".react-flow__minimap svg").viewBox.baseVal)`,
      );
      assert.ok(ratio > (0.8 * under.width) / under.height, `the map is drawn over its whole width: ${ratio}`);
      const title = await page.locator("[data-node]").first().boundingBox();
      assert.ok((title?.width ?? 0) >= 200, `a node is ${title?.width} pixels wide`);
      await page.getByRole("button", { name: "Zoom in" }).click();
      await visit.close();
    });

    test("a picture saved by a workflow opens the workflow it carries; one without a workflow says so", async () => {
      const list = await scene().server.call({ path: "/api/v2/jobs?status=succeeded&limit=1" });
      const output = (list.json() as JobPage).data[0]?.outputs[0];
      const bytes = await fetch(`${scene().baseUrl}/api/v2/assets/${output?.id}/content`, {
        headers: { authorization: `Bearer ${scene().server.key}` },
      });
      const visit = await scene().visit();
      await visit.open("/console/workflows");
      const file = visit.page.getByLabel("Workflow file");
      await file.setInputFiles({
        name: "none.bin",
        mimeType: "image/png",
        buffer: Buffer.from("no graph here at all"),
      });
      await visit.page.getByRole("heading", { name: "No workflow found" }).waitFor();
      const buffer = Buffer.from(await bytes.arrayBuffer());
      await file.setInputFiles({ name: "grain.png", mimeType: "image/png", buffer });
      await visit.page.getByText("The graph stored in this file.").waitFor();
      await visit.close();
    });
  });

  describe("how they look", () => {
    test("a job's graph and the list are accessible", () =>
      looks(scene(), "light", (name) => name === "jobs" || name === "job-graph"));
  });
}

// All job pages in every look.
export function jobLooks(scene: () => Scene): void {
  for (const look of ["light", "dark", "phone", "phone-dark"] satisfies LookName[])
    test(`${look}: jobs, a job's tabs, workflows and classes are accessible`, () => looks(scene(), look, () => true));
}

async function looks(scene: Scene, look: LookName, isWanted: (name: string) => boolean): Promise<void> {
  const { id } = await submit(scene, noisyGraph(11), "a green grain");
  await ended(scene, id);
  const visit = await scene.visit(look);
  const tabs = ["live", "graph", "timeline", "outputs", "workflow", "code"];
  const pages = [
    ["jobs", "/console/jobs"],
    ...tabs.map((tab) => [`job-${tab}`, `/console/jobs/${id}?tab=${tab}`] as const),
    ["workflows", "/console/workflows"],
    ["workflow-form", "/console/workflows?example=first-picture"],
    ["classes", "/console/classes?q=image&class=ImageScale"],
  ] as const;
  for (const [name, path] of pages.filter(([each]) => isWanted(each))) {
    await visit.open(path);
    await visit.requireAccessible();
    await visit.picture(name);
    const width = await visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assert.ok(Number(width) <= 0, `${name} scrolls sideways by ${width}`);
    if (name === "workflow-form") await requireRunInSight(visit);
  }
  await visit.close();
}

// However long the form is, the button that runs it is on the screen.
async function requireRunInSight({ page }: Visit): Promise<void> {
  const button = page.getByRole("button", { name: "Run", exact: true }).filter({ visible: true });
  await button.waitFor();
  const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
  assert.ok(y > 0 && y + height <= (page.viewportSize()?.height ?? 0), `Run is at ${y}`);
}

async function requirePicture(visit: Visit, selector: string): Promise<void> {
  await until(visit, `(document.querySelector(${JSON.stringify(selector)})?.naturalWidth ?? 0) > 0`);
}

// Polled from outside: the page's policy forbids evaluating code inside it.
export async function until(visit: Visit, expression: string): Promise<void> {
  for (let at = 0; at < 600; at++) {
    if ((await visit.page.evaluate(expression)) === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`It never came to be: ${expression}`);
}
