// The overview: empty, then a sample that ends with a picture, then figures and a chart that lead on.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { textOf } from "../support/app-client.ts";
import { contrastOfText, coverAt } from "./canvas-contrast.ts";
import type { LookName, Scene } from "./scene.ts";

const tiles = ["Requests", "Success rate", "p95 latency", "Credits today"];

export function overviewPages(scene: () => Scene): void {
  describe("the overview", () => {
    test("says that nothing has run, and the sample ends with a real picture", async () => {
      const visit = await scene().visit();
      await visit.open("/");
      await visit.page.getByRole("heading", { name: "Nothing has run yet" }).waitFor();
      await visit.requireAccessible();
      await visit.picture("overview-empty");
      await visit.page.getByRole("button", { name: "Run a sample" }).click();
      await visit.page.getByRole("heading", { name: "Your first image" }).waitFor();
      await visit.page.getByRole("main").locator("img").waitFor();
      const image = `document.querySelector("main img")`;
      assert.ok((await visit.page.evaluate<number>(`${image}.decode().then(() => ${image}.naturalWidth)`)) > 0);
      await visit.requireAccessible();
      await visit.page.getByRole("button", { name: "Show overview" }).click();
      await visit.page.getByRole("region", { name: "Success" }).getByText("100 %").waitFor();
      await visit.close();
    });

    for (const look of ["light", "dark"] satisfies LookName[]) looksWell(scene, look);

    test("the newest bucket is drawn, however recently it began", async () => {
      await made(scene());
      const rows = await scene().server.call({ path: "/account/usage?limit=1" });
      const at = Date.parse(textOf(rows.json(), "data", 0, "at"));
      // The minute, hour or day that had begun most recently, relative to its length, when the call was made.
      const [step, length] = [
        [60_000, 15 * 60_000],
        [3_600_000, 24 * 3_600_000],
        [86_400_000, 30 * 86_400_000],
      ].toSorted(([one = 1], [other = 1]) => (at % one) / one - (at % other) / other)[0] as [number, number];
      const [from, to] = [new Date(at + 1_000 - length), new Date(at + 1_000)];
      const count = Math.ceil((to.getTime() - (from.getTime() - (from.getTime() % step))) / step);
      const visit = await scene().visit();
      await visit.open(`/?from=${from.toISOString()}&to=${to.toISOString()}`);
      await visit.page.locator("canvas").waitFor();
      assert.ok((await coverAt(visit.page, 1 - 0.5 / count)) > 0.9, "the bar of the newest bucket");
      assert.ok((await coverAt(visit.page, 0.5)) < 0.3, "nothing in the middle of the range");
      await visit.close();
    });

    test("the chart redraws with another theme, becomes a table with one click, and its range is in the address", async () => {
      await made(scene());
      const visit = await scene().visit("light");
      const { page } = visit;
      await visit.open("/");
      await page.locator("canvas").waitFor();
      await page.getByRole("button", { name: /^Theme/ }).click();
      await page.getByRole("button", { name: "Theme: light" }).click();
      await page.getByRole("button", { name: "Theme: dark" }).waitFor();
      assert.ok((await contrastOfText(page)) >= 4.5, "dark after light");
      await page.getByRole("button", { name: "Show as table" }).click();
      await page
        .getByRole("region", { name: "Requests by outcome, table" })
        .getByRole("columnheader", { name: "Succeeded" })
        .waitFor();
      await visit.requireAccessible();
      await page.getByRole("button", { name: "1 h" }).click();
      await page.waitForURL(/range=1h/);
      await page.reload();
      await page.getByRole("button", { name: "1 h", pressed: true }).waitFor();
      await visit.close();
    });

    test("while figures load, the page has its final shape: the same tiles and panels, by the same names", async () => {
      await made(scene());
      const visit = await scene().visit();
      const { page } = visit;
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const names = () => page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents();
      await page.route("**/account/usage*/**", async (route) => {
        await released;
        await route.continue();
      });
      await page.route("**/account/usage?**", async (route) => {
        await released;
        await route.continue();
      });
      await page.goto("/");
      await page.getByRole("heading", { level: 2, name: "Latest images" }).waitFor();
      const before = await names();
      assert.deepEqual(before.slice(0, 5), [...tiles, "Requests by outcome"]);
      assert.equal(await page.locator("canvas").count(), 0, "nothing is read yet");
      release();
      await page.locator("canvas").waitFor();
      assert.deepEqual(await names(), before);
      await visit.close();
    });

    test("dragging over the chart zooms, and a click on a bar leads to its requests", async () => {
      await made(scene());
      const visit = await scene().visit("light");
      const { page } = visit;
      await visit.open("/?range=15m");
      const box = (await page.locator(".u-over").boundingBox()) ?? assert.fail("the chart is drawn");
      const middle = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width * 0.5, middle);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.99, middle, { steps: 5 });
      await page.mouse.up();
      await page.waitForURL(/from=.*to=/);
      await page.getByRole("button", { name: "Clear this range" }).click();
      await page.waitForURL((url) => !url.search.includes("from"));
      await page.goto("/");
      const whole = (await page.locator(".u-over").boundingBox()) ?? assert.fail("the chart is drawn");
      await page.mouse.click(whole.x + whole.width - 6, whole.y + whole.height / 2);
      await page.waitForURL(/\/console\/requests\?.*from=/);
      // The last bar may have just begun and be empty; the table names the bars that are not.
      await page.goto("/");
      await page.getByRole("button", { name: "Show as table" }).click();
      await page.getByRole("rowheader").getByRole("button").first().click();
      await page.waitForURL(/\/console\/requests\?.*from=/);
      await page.getByRole("table").getByText("sandbox/image-1").first().waitFor();
      await visit.close();
    });
  });
}

// The other looks, which take their time.
export function overviewLooks(scene: () => Scene): void {
  describe("the overview in other looks", () => {
    for (const look of ["phone", "phone-dark"] satisfies LookName[]) looksWell(scene, look);
  });
}

function looksWell(scene: () => Scene, look: LookName): void {
  test(`${look}: figures and chart are there, accessible, with readable axes`, async () => {
    await made(scene());
    const visit = await scene().visit(look);
    await visit.open("/");
    await visit.page
      .getByRole("img", { name: /^Requests by outcome from/ })
      .locator("canvas")
      .waitFor();
    await visit.requireAccessible();
    await visit.picture("overview");
    const contrast = await contrastOfText(visit.page);
    assert.ok(contrast >= 4.5, `the axes have a contrast of ${contrast.toFixed(2)}`);
    assert.equal(await isSideways(visit.page), false);
    await visit.close();
  });
}

async function isSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.documentElement.scrollWidth > document.documentElement.clientWidth");
}

let isMade = false;

// One success and one refusal.
export async function made(scene: Scene): Promise<void> {
  if (isMade) return;
  const send = (prompt: unknown) =>
    scene.server.call({ method: "POST", path: "/v1/models/sandbox/image-1", body: { prompt } });
  assert.equal((await send("a red fox")).status, 200);
  assert.equal((await send(7)).status, 422);
  isMade = true;
}
