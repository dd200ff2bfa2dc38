// Small things that people who walked through the console stumbled over: each stays mended.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { headerOf, textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { ended, noisyGraph, submit } from "./jobs.pages.ts";
import type { LookName, Scene } from "./scene.ts";

export function walkPages(scene: () => Scene): void {
  describe("what people stumbled over", () => {
    for (const look of ["light", "phone"] satisfies LookName[])
      test(`${look}: a key with a name of 100 letters leaves every column of a request in sight`, async () => {
        await requestOfLongKey(scene());
        const visit = await scene().visit(look);
        await visit.open("/console/requests");
        const row = visit.page.locator("main tbody tr").first();
        await row.waitFor();
        for (const cell of await row.locator("td:visible").all()) await inSight(visit.page, cell);
        await visit.picture("requests-long-key");
        await visit.close();
      });

    test("the overview names jobs by their labels", async () => {
      const job = await submit(scene(), noisyGraph(77), { name: "a named shot" });
      await ended(scene(), job.id);
      const visit = await scene().visit();
      await visit.open("/console");
      await visit.page.getByText("a named shot").first().waitFor();
      await visit.close();
    });

    test("phone: Run is in sight above the form of a workflow", async () => {
      const visit = await scene().visit("phone");
      await visit.open("/console/workflows?example=first-picture");
      const run = visit.page.getByRole("button", { name: /^Run/ }).first();
      await run.waitFor();
      await inSight(visit.page, run);
      await visit.picture("workflow-run");
      await visit.close();
    });

    test("the seed stands in line with its buttons", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/models/sandbox/image-1");
      const seed = page.getByRole("textbox", { name: "Seed" });
      const field = await boxOf(seed);
      const button = await boxOf(seed.locator("xpath=following::button[1]"));
      const middle = ({ y, height }: Box) => y + height / 2;
      assert.ok(Math.abs(middle(field) - middle(button)) <= 2, JSON.stringify([field, button]));
      await visit.close();
    });

    test("a copy button covers no code", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/models/sandbox/image-1?view=code&lang=curl");
      const code = page.getByLabel(/^This call in/);
      await code.waitFor();
      // Where the first line's text ends, not where its box ends.
      const textEnd = await code.evaluate((element) => {
        const range = element.ownerDocument.createRange();
        range.selectNodeContents(element);
        const [first] = range.getClientRects();
        return { right: first?.right ?? 0, top: first?.top ?? 0, bottom: first?.bottom ?? 0 };
      });
      for (const button of await page.getByRole("button", { name: /^Copy/ }).all()) {
        const box = await button.boundingBox();
        if (box === null) continue;
        const isBeside = box.x >= textEnd.right || box.y >= textEnd.bottom || box.y + box.height <= textEnd.top;
        assert.ok(isBeside, JSON.stringify({ box, textEnd }));
      }
      await visit.close();
    });

    test("how long a picture is kept is told once, and no page explains addresses", async () => {
      const job = await ended(scene(), (await submit(scene(), noisyGraph(78))).id);
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(`/console/jobs/${job.id}`);
      await page.locator("main").waitFor();
      const text = (await page.locator("main").textContent()) ?? "";
      assert.ok((text.match(/Kept until|Expires/g) ?? []).length <= 1, text.slice(0, 2_000));
      assert.doesNotMatch(text, /&diff=|named in the address/);
      await visit.close();
    });
  });
}

async function requestOfLongKey(scene: Scene): Promise<void> {
  const name = "k".repeat(100);
  const made = await scene.server.call({ method: "POST", path: "/account/keys", body: { name } });
  assert.equal(made.status, 201, made.text);
  const headers = { "x-api-key": textOf(made.json(), "secret") };
  const ran = await scene.server.call({
    method: "POST",
    path: "/v1/models/sandbox/image-1",
    headers,
    body: { prompt: "a long name" },
  });
  assert.equal(ran.status, 200, ran.text);
  const id = headerOf(ran, "x-service-request-id") ?? "";
  await until("it is written down", async () => {
    return (await scene.server.call({ path: `/account/requests/${id}` })).status === 200;
  });
}

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;

const boxOf = async (locator: Locator): Promise<Box> => (await locator.boundingBox()) ?? assert.fail("it is not shown");

async function inSight(page: Page, locator: Locator): Promise<void> {
  const { x, y, width, height } = await boxOf(locator);
  const view = page.viewportSize() ?? assert.fail("a page has a size");
  const isInside = x >= 0 && y >= 0 && x + width <= view.width + 1 && y + height <= view.height + 1;
  assert.ok(isInside, `${await locator.textContent()}: ${JSON.stringify({ x, y, width, height })}`);
}
