// The promise that ties everything together: what was made is found everywhere it belongs, and its code, pasted into a
// shell, makes it again, byte for byte.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { textOf } from "../support/app-client.ts";
import { hashAt, hashOfAsset, type Language, type Ran, type ShellFolder, shellFolder } from "./in-shell.ts";
import { ended, noisyGraph } from "./jobs.pages.ts";
import type { Scene, Visit } from "./scene.ts";

const model = "sandbox/image-1-queued";
const languages = { curl: "shell", typescript: "typescript", python: "python", cli: "shell" } as const satisfies Record<
  string,
  Language
>;

export function foundAgainPages(scene: () => Scene): void {
  describe("a result", () => {
    test("made in the playground is in the gallery, in requests and in the usage chart, and its code makes it again", () =>
      playgroundPicture(scene()));
    test("of a job started in the console is reproduced by its code in each language", () => jobPicture(scene()));
  });
}

export async function playgroundPicture(scene: Scene): Promise<void> {
  const visit = await scene.visit();
  const { page } = visit;
  const spent = await creditsShown(visit);
  await visit.open(`/console/models/${model}`);
  await page.getByRole("textbox", { name: "Prompt" }).fill(`found "everywhere" it's $HOME`);
  await page.getByRole("textbox", { name: "Seed" }).fill("9007199254740993");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("Saved to the gallery").waitFor();
  const requestId = (await page.locator("[data-request-id]").getAttribute("data-request-id")) ?? "";
  const hash = await foundInGallery(scene, visit);
  await visit.open(`/console/requests/${requestId}`);
  await page.getByText("Succeeded").first().waitFor();
  const request = await scene.server.call({ path: `/account/requests/${requestId}` });
  const charged = Number(textOf(request.json(), "credits"));
  assert.ok(charged > 0, request.text);
  assert.ok(Math.abs((await creditsShown(visit)) - spent - charged) < 0.011, "its charge is in the chart's totals");
  await page.getByRole("button", { name: "Show as table" }).click();
  await page.getByRole("columnheader", { name: "Credits" }).first().waitFor();
  const shell = shellFolder(scene);
  try {
    for (const [name, language] of Object.entries(languages)) {
      await visit.open(`/console/models/${model}?view=code&lang=${name}`);
      if (name === "typescript") await installed(page, shell);
      const code = (await page.getByLabel(/^This call in/).textContent()) ?? "";
      const ran = await shell.run(code, language);
      assert.equal(ran.code, 0, `${name}: ${ran.err}`);
      assert.equal(await hashAt(urlIn(ran)), hash, `${name} gives the same picture`);
    }
  } finally {
    shell.close();
  }
  await visit.close();
}

// Runs the install line shown above the code.
async function installed(page: Page, shell: ShellFolder): Promise<void> {
  const ran = await shell.run((await page.getByLabel("Install the SDK").textContent()) ?? "");
  assert.equal(ran.code, 0, ran.err);
}

// Finds the tile in the gallery; returns the hash of its bytes.
async function foundInGallery(scene: Scene, { page }: Visit): Promise<string> {
  await page.getByRole("link", { name: "Open in gallery" }).click();
  await page.waitForURL(/asset=/);
  const id = new URL(page.url()).searchParams.get("asset") ?? "";
  await page.getByRole("dialog").getByRole("img").first().waitFor();
  await page.keyboard.press("Escape");
  await page.locator(`[data-tile="${id}"]`).waitFor();
  return hashOfAsset(scene, id);
}

async function creditsShown(visit: Visit): Promise<number> {
  await visit.open(`/console/usage?range=1h&metric=credits&subject=${encodeURIComponent(`model:${model}`)}`);
  const total = visit.page.locator('[data-total="credits"]');
  await total.waitFor();
  return Number(((await total.textContent()) ?? "").replaceAll(/[^\d.]/g, ""));
}

function urlIn({ out }: Ran): string {
  return /https?:\/\/[^\s"']+\.png/.exec(out)?.[0] ?? assert.fail(out.slice(0, 500));
}

export async function jobPicture(scene: Scene): Promise<void> {
  const visit = await scene.visit();
  const { page } = visit;
  await visit.open("/console/workflows");
  await page.getByLabel("Workflow file").setInputFiles({
    name: "again.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(noisyGraph(1))),
  });
  await page.getByRole("textbox", { name: "seed" }).fill("9007199254740993");
  await page.getByLabel("Labels").fill("shot=it's again");
  await page.getByRole("button", { name: "Run with changes" }).click();
  await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}/);
  const job = await ended(scene, new URL(page.url()).pathname.split("/").at(-1) ?? "");
  const hash = await hashOfAsset(scene, job.outputs[0]?.id ?? assert.fail("a job without a picture"));
  await visit.open(`/console/jobs/${job.id}?tab=code`);
  const shell = shellFolder(scene);
  try {
    for (const [label, language] of [
      ["curl", "shell"],
      ["TypeScript", "typescript"],
      ["Python", "python"],
      ["CLI", "shell"],
    ] as const) {
      await page.getByRole("tab", { name: label, exact: true }).click();
      if (language === "typescript") await installed(page, shell);
      const code = await page.getByLabel(`This job with ${label}`).textContent();
      const ran = await shell.run(code ?? "", language);
      assert.equal(ran.code, 0, `${label}: ${ran.err}`);
      assert.deepEqual(ran.pictures, [hash], `${label} gives the same picture`);
    }
  } finally {
    shell.close();
  }
  await visit.close();
}
