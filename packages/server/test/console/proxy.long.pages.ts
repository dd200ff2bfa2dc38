// The same console at the root of `atelier proxy`, beside one's own application and without an account.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ProxyWorld, proxyWorld } from "../torture/proxy-world.ts";
import { noisyGraph, until } from "./jobs.pages.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

const pages = ["/", "/console/workflows", "/console/classes", "/console/jobs", "/console/gallery"] as const;

export function proxyPages(scene: () => Scene): void {
  describe("the console of the proxy", () => {
    let world: ProxyWorld;
    before(async () => {
      world = await proxyWorld();
    });
    after(() => world.close());
    const visitIn = (look: LookName) => scene().visit(look, { signedIn: false, through: world.url });

    test("opens at the root without signing in; a workflow is run, watched and found in the gallery", async () => {
      const visit = await visitIn("light");
      const { page } = visit;
      await visit.open("/console/workflows");
      await page.getByLabel("Workflow file").setInputFiles({
        name: "grain.json",
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify(noisyGraph(5))),
      });
      await page.getByRole("textbox", { name: "seed" }).fill("9007199254740993");
      await page.getByRole("button", { name: "Run with changes" }).click();
      await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}/);
      await page.locator("[data-output-picture]").waitFor();
      await until(visit, "(document.querySelector('[data-output-picture]')?.naturalWidth ?? 0) > 0");
      await visit.open("/console/gallery");
      await page.locator("[data-tile] img").first().waitFor();
      await page.locator("[data-tile]").first().click();
      await page.getByRole("dialog").getByRole("img").first().waitFor();
      await visit.close();
    });

    for (const look of ["light", "dark", "phone"] satisfies LookName[])
      test(`${look}: each of its pages is accessible, fits, and requests nothing elsewhere`, async () => {
        const visit = await visitIn(look);
        for (const path of pages) await requireSound(visit, path);
        await visit.close();
      });
  });
}

async function requireSound(visit: Visit, path: string): Promise<void> {
  await visit.open(path);
  await visit.picture(`proxy${path.replaceAll("/", "-")}`);
  await visit.requireAccessible();
  const over = Number(await visit.page.evaluate("document.documentElement.scrollWidth - innerWidth"));
  assert.ok(over <= 0, `${path} is ${over} px too wide`);
  assert.deepEqual(visit.complaints, [], path);
}
