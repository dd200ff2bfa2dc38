// The first five minutes of each kind of person, from one page to the next, as they would go; and the promise that ties
// everything together: what was made is found wherever it belongs.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { headerOf, textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { ended, submit } from "./jobs.pages.ts";
import type { LookName, Scene } from "./scene.ts";

const root = join(import.meta.dirname, "../../../..");
const run = promisify(execFile);

export function personaPages(scene: () => Scene): void {
  for (const look of ["light", "dark", "phone"] satisfies LookName[])
    describe(`first five minutes, ${look}`, () => {
      test("developer: a call from a terminal is in the console, is changed in the playground, and an error has one id", () =>
        developer(scene(), look));
      test("operator: looks at the checks, tests a provider, and makes a key", () => operator(scene(), look));
      test("studio person: compares two pictures, runs one with changes, watches it and shares one", () =>
        studioPerson(scene(), look));
    });
  describe("what was made", () => {
    test("in the playground is in the gallery, in requests and in usage", () => foundEverywhere(scene()));
    test("by a job comes again, byte for byte, from its code in a shell", () => sameFromShell(scene()));
  });
}

async function developer(scene: Scene, look: LookName): Promise<void> {
  const first = await scene.server.call({
    method: "POST",
    path: "/v1/models/sandbox/image-1",
    body: { prompt: "a lighthouse at dusk", seed: 42 },
  });
  assert.equal(first.status, 200, first.text);
  const id = headerOf(first, "x-service-request-id") ?? "";
  await until("it is in the list", async () => {
    return (await scene.server.call({ path: `/account/requests/${id}` })).status === 200;
  });
  const visit = await scene.visit(look);
  const { page } = visit;
  await visit.open("/console/requests");
  await page.getByRole("table").getByText("sandbox/image-1").first().waitFor();
  await visit.open(`/console/requests/${id}`);
  await page.getByRole("link", { name: "Open in playground" }).click();
  await page.waitForURL("**/console/models/sandbox/image-1**");
  await page.getByRole("textbox", { name: "Prompt" }).fill("the same, by night");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("img", { name: "Result 1 of sandbox/image-1" }).waitFor();
  await page.waitForFunction("document.querySelector('figure img').naturalWidth > 0");
  await page.getByRole("tab", { name: "Code" }).click();
  await page.getByText("$ATELIER_API_KEY").first().waitFor();
  const refused = await scene.server.call({
    method: "POST",
    path: "/v1/models/sandbox/image-1",
    body: { prompt: "x", simulate: "refuse" },
  });
  const wrong = headerOf(refused, "x-service-request-id") ?? "";
  await until("it is in the list", async () => {
    return (await scene.server.call({ path: `/account/requests/${wrong}` })).status === 200;
  });
  await visit.open(`/console/requests/${wrong}`);
  await page.getByText("Refused by policy").first().waitFor();
  await visit.close();
}

async function operator(scene: Scene, look: LookName): Promise<void> {
  const visit = await scene.visit(look);
  const { page } = visit;
  await visit.open("/console/system");
  await page.locator("[data-check=database][data-status=ok]").waitFor();
  await visit.open("/console/providers?provider=sandbox");
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.locator("[data-check-status=ok]").waitFor();
  await visit.open("/profile/api-keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: /name/i }).fill(`render farm ${look}`);
  await page.keyboard.press("Enter");
  await page.getByText(/waiting for the first call/i).waitFor();
  await visit.close();
}

const graph = (seed: number) => ({
  "1": { class_type: "EmptyImage", inputs: { width: 256, height: 192, batch_size: 1, color: 3103042 } },
  "2": { class_type: "ImageAddNoise", inputs: { image: ["1", 0], seed, strength: 0.4 }, _meta: { title: "Grain" } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "studio" } },
});

async function studioPerson(scene: Scene, look: LookName): Promise<void> {
  const jobs = await Promise.all([1, 2].map((seed) => submit(scene, graph(seed), "studio")));
  const [one, other] = await Promise.all(jobs.map(({ id }) => ended(scene, id)));
  const ids = [one, other].map((job) => job?.outputs?.[0]?.id ?? assert.fail("a job without a picture"));
  const visit = await scene.visit(look);
  const { page } = visit;
  await visit.open(`/console/gallery?compare=${ids.join(",")}`);
  await page.getByRole("cell", { name: /seed/ }).waitFor();
  await visit.open(`/console/gallery?asset=${ids[0]}`);
  await page.getByText("What made this").waitFor();
  await page
    .getByRole("link", { name: "Run with changes" })
    .or(page.getByRole("button", { name: "Run with changes" }))
    .click();
  await page.getByRole("textbox", { name: "seed" }).fill("7");
  await page.getByRole("button", { name: "Run with changes" }).click();
  await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}/);
  await page.locator("[data-output-picture]").waitFor();
  await visit.open(`/console/gallery?asset=${ids[1]}`);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText(/Valid until/).waitFor();
  await visit.close();
}

async function foundEverywhere(scene: Scene): Promise<void> {
  const visit = await scene.visit();
  const { page } = visit;
  await visit.open("/console/models/sandbox/image-1-queued");
  const prompt = `found everywhere ${Date.now()}`;
  await page.getByRole("textbox", { name: "Prompt" }).fill(prompt);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("Kept in the gallery").waitFor();
  const id = (await page.locator("[data-request-id]").getAttribute("data-request-id")) ?? "";
  await visit.open("/console/gallery");
  await page.locator("[data-tile]").first().waitFor();
  await visit.open(`/console/requests/${id}`);
  await page.getByText("Succeeded").first().waitFor();
  const request = await scene.server.call({ path: `/account/requests/${id}` });
  const charged = textOf(request.json(), "credits");
  assert.ok(Number(charged) > 0, request.text);
  await visit.open("/console/usage");
  const today = await scene.server.call({ path: "/account/usage/series?by=none&step=day" });
  await page
    .getByRole("main")
    .getByText(/credits/i)
    .first()
    .waitFor();
  assert.ok(Number(textOf(today.json(), "total", "credits")) >= Number(charged), today.text);
  await visit.close();
}

async function sameFromShell(scene: Scene): Promise<void> {
  const job = await ended(scene, (await submit(scene, graph(11))).id);
  const output = job.outputs?.[0] ?? assert.fail("a job without a picture");
  const visit = await scene.visit();
  await visit.open(`/console/jobs/${job.id}?tab=code&lang=cli`);
  const code = (await visit.page.locator("pre code").first().textContent()) ?? "";
  await visit.close();
  const folder = mkdtempSync(join(tmpdir(), "atelier-shell-"));
  try {
    const command = `atelier() { node ${root}/packages/cli/bin/atelier.mjs "$@"; }\n${code}`;
    const key = /^API key: +(\S+)/m.exec(readFileSync(`${scene.server.home}/first-key.txt`, "utf8"))?.[1] ?? "";
    await run("/bin/bash", ["-c", command], {
      cwd: folder,
      env: { ...process.env, ATELIER_API_KEY: key, ATELIER_URL: scene.baseUrl, HOME: folder },
    });
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".png"));
    assert.ok(files.length > 0, code);
    const original = await originalOf(scene, output.id);
    const hashes = files.map((name) => hashOf(readFileSync(join(folder, name))));
    assert.ok(hashes.includes(original), code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function originalOf(scene: Scene, id: string): Promise<string> {
  const asset = await scene.server.call({ path: `/api/v2/assets/${id}` });
  return hashOf(new Uint8Array(await (await fetch(textOf(asset.json(), "url"))).arrayBuffer()));
}
