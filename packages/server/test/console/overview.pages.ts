// The overview: a prompt that becomes a picture, templates to start from, then figures and a chart that lead on.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { contrastOfText, coverAt } from "./canvas-contrast.ts";
import { holds } from "./holds.ts";
import type { LookName, Scene } from "./scene.ts";

const tiles = ["Requests", "Success rate", "p95 latency", "Credits today"];

export function overviewPages(scene: () => Scene): void {
  describe("the overview", () => {
    test("a newcomer types a prompt and the picture appears right there, with its price before and its tools after", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/");
      await page.getByRole("heading", { level: 1, name: "What do you want to make?" }).waitFor();
      // There are no figures yet. Until the page knows that, it keeps their place.
      await page.getByRole("heading", { name: "Activity" }).waitFor({ state: "detached" });
      await visit.requireAccessible();
      await visit.picture("overview-empty");
      const cost = page.getByRole("status", { name: "Cost" });
      await page.getByRole("combobox", { name: "Model" }).selectOption({ label: "Sandbox Video 1" });
      await cost.getByText("10.55 credits per second").waitFor();
      await cost.getByText(/^of [\d,.]+ credits$/).waitFor();
      await page.getByRole("combobox", { name: "Model" }).selectOption({ label: "Sandbox Image 1" });
      await page.getByRole("textbox", { name: "Prompt" }).fill("a red house by the sea");
      await cost.getByText("Free").waitFor();
      await page.getByRole("textbox", { name: "Prompt" }).press("Enter");
      const result = page.getByRole("region", { name: "Result" });
      const picture = result.getByRole("img", { name: "a red house by the sea" });
      await picture.waitFor();
      assert.ok(await isDrawn(page), "it is a real picture");
      // It comes into focus.
      await holds(
        page,
        `getComputedStyle(document.querySelector("[data-phase=done] img")).animationName.includes("into-focus")`,
      );
      const seed = await result.getByText(/^seed \d+$/).textContent();
      await visit.requireAccessible();
      await visit.picture("overview-made");
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        result.getByRole("button", { name: "Download" }).click(),
      ]);
      assert.match(file.suggestedFilename(), /\.png$/);
      await result.getByRole("button", { name: "Another seed" }).click();
      await result
        .getByText(/^seed \d+$/)
        .filter({ hasNotText: new RegExp(`^${seed}$`) })
        .waitFor();
      await picture.waitFor();
      await result.getByRole("link", { name: "Open in playground" }).click();
      await page.waitForURL("**/console/models/sandbox/image-1#input=*");
      await page.getByText("a red house by the sea").first().waitFor();
      await visit.close();
    });

    test("a refused prompt says what to do, and the box keeps it", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/");
      await page.route("**/v1/models/sandbox/image-1", (route) =>
        route.continue({ postData: JSON.stringify({ prompt: "a house", simulate: "refuse" }) }),
      );
      await page.getByRole("textbox", { name: "Prompt" }).fill("something refused");
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("alert").getByText("Say it differently").waitFor();
      assert.equal(await page.getByRole("textbox", { name: "Prompt" }).inputValue(), "something refused");
      await visit.requireAccessible();
      await visit.close();
    });

    test("every template has its picture, opens as a workflow, and runs with one click", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/");
      const all = page.getByRole("button", { name: "Show all 12" });
      if (await all.isVisible()) await all.click();
      const cards = page.getByRole("list", { name: "From the gallery" }).getByRole("listitem");
      assert.equal(await cards.count(), 12);
      for (const card of await cards.all()) await card.scrollIntoViewIfNeeded();
      await holds(
        page,
        `[...document.querySelectorAll("[data-template] img")].every((it) => it.complete && it.naturalWidth === 480)`,
      );
      await page.getByRole("link", { name: "Open Night glow" }).click();
      await page.getByRole("heading", { level: 1, name: "Night glow" }).waitFor();
      await page.getByText("AtelierModelImage").first().waitFor();
      await page.goBack();
      await page.getByRole("button", { name: "Run this: Triptych" }).click();
      await page.waitForURL("**/console/jobs/*");
      await page.getByRole("heading", { level: 1, name: "Triptych" }).waitFor();
      await page.getByText("Succeeded").first().waitFor();
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
      const from = before.indexOf("Activity");
      assert.deepEqual(before.slice(from + 1, from + 6), [...tiles, "Requests by outcome"]);
      assert.equal(await page.locator("canvas").count(), 0, "nothing is read yet");
      release();
      await page.locator("canvas").waitFor();
      assert.deepEqual(await names(), before);
      await visit.close();
    });

    test("what is below the prompt box does not move when its models arrive", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await page.route(/\/account\/models(\?|$)/, async (route) => {
        await released;
        await route.continue();
      });
      await page.goto("/");
      const wall = page.getByRole("heading", { level: 2, name: "Start from a template" });
      // It is drawn again when the page knows whether anything has run; meanwhile it is nowhere.
      const positionOf = () => until("it is drawn", async () => (await wall.boundingBox())?.y ?? null);
      const before = await positionOf();
      assert.equal(await page.getByRole("textbox", { name: "Prompt" }).count(), 0, "no model is known yet");
      release();
      await page.getByRole("textbox", { name: "Prompt" }).waitFor();
      const after = await positionOf();
      assert.ok(Math.abs(after - before) < 4, `it was at ${before} and is at ${after}`);
      await visit.close();
    });

    test("dragging over the chart zooms, and a click on a bar leads to its requests", async () => {
      await made(scene());
      const visit = await scene().visit("light");
      const { page } = visit;
      await visit.open("/?range=15m");
      await page.locator(".u-over").scrollIntoViewIfNeeded();
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
      await page.locator(".u-over").scrollIntoViewIfNeeded();
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

// Whether the picture in the result has been decoded.
async function isDrawn(page: Page): Promise<boolean> {
  const image = `document.querySelector("figure img")`;
  return (await page.evaluate<number>(`${image}.decode().then(() => ${image}.naturalWidth)`)) > 0;
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
