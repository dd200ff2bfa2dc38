// What is long, crowded or out of date keeps its shape, and values have the field that people expect.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { memberOf, textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { adminOf } from "./every-page.ts";
import { openFaultyFront } from "./faulty-front.ts";
import { holds } from "./holds.ts";
import { ended, noisyGraph, submit } from "./jobs.pages.ts";
import { largeGraph } from "./large-graph.ts";
import type { Scene, Visit } from "./scene.ts";

export function crowdedPages(scene: () => Scene): void {
  describe("what is long or crowded", () => {
    test("four lanes of a comparison hold what they show", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await page.setViewportSize({ width: 1440, height: 900 });
      const models = ["image-1", "image-1-queued", "video-1", "voice-1"].map((name) => `sandbox/${name}`);
      await visit.open(`/console/compare?models=${models.join(",")}`);
      await page.getByRole("textbox", { name: "Prompt" }).fill("a quiet lake");
      for (const model of models) await page.getByRole("region", { name: model, exact: true }).waitFor();
      await page.getByRole("button", { name: /^Run all/ }).click();
      await page.getByRole("region", { name: "sandbox/image-1", exact: true }).locator("img").waitFor();
      await holds(
        page,
        `[...document.querySelectorAll("main section")].every((it) => it.scrollWidth <= it.clientWidth + 1)`,
      );
      await visit.picture("compare-four");
      await visit.close();
    });

    test("a workspace with a name of 100 letters leaves the other columns of one's own page in sight", async () => {
      const { server } = scene();
      const owner = textOf((await server.call({ path: "/account" })).json(), "key", "created_by");
      const headers = await adminOf(scene());
      const body = { name: "w".repeat(100), owner_id: owner };
      const made = await server.call({ method: "POST", path: "/admin/workspaces", headers, body });
      assert.equal(made.status, 201, made.text);
      const visit = await scene().visit();
      await visit.open("/console/you");
      const row = visit.page.getByRole("row").filter({ hasText: body.name });
      await row.waitFor();
      for (const cell of await row.locator("td").all()) {
        const box = (await cell.boundingBox()) ?? assert.fail("it is not shown");
        assert.ok(box.x >= 0 && box.x + box.width <= 1280, JSON.stringify(box));
      }
      await visit.close();
    });

    test("the map of a large graph lies below the graph and covers neither it nor its buttons", async () => {
      const visit = await scene().visit();
      await openFile(visit, "large.json", largeGraph());
      const boxOf = async (selector: string) =>
        (await visit.page.locator(selector).first().boundingBox()) ?? assert.fail(`${selector} is not shown`);
      await visit.page.locator("[data-node]").first().waitFor();
      const map = await boxOf(".react-flow__minimap");
      for (const selector of [".react-flow__pane", ".react-flow__controls"]) {
        const other = await boxOf(selector);
        const isBelow = map.y >= other.y + other.height;
        assert.ok(isBelow && map.height <= other.height, JSON.stringify({ selector, map, other }));
      }
      await visit.picture("large-graph");
      await visit.close();
    });

    test("in an outage one banner says since when, and the rows that were read before are marked", async () => {
      await ended(scene(), (await submit(scene(), noisyGraph(79))).id);
      const front = await openFaultyFront(scene().baseUrl);
      const visit = await scene().visit("light", { through: front.baseUrl });
      const { page } = visit;
      await visit.open("/console/jobs");
      const row = page.locator("[data-row]").first();
      await row.waitFor();
      const grey = () => page.evaluate<string>(`getComputedStyle(document.querySelector("[data-row]")).filter`);
      assert.equal(await grey(), "none");
      front.refuse(() => "lost");
      front.cut();
      await page.getByRole("alert").getByText("Cannot reach the server").waitFor();
      assert.equal(await page.getByRole("alert").count(), 1);
      assert.match(await grey(), /grayscale/);
      await page.getByRole("link", { name: "Not ready" }).waitFor();
      await visit.picture("outage");
      front.refuse(null);
      await page.getByRole("alert").waitFor({ state: "detached" });
      assert.equal(await grey(), "none");
      await visit.context.close();
      await front.close();
    });

    test("the gallery counts what is there, not what is loaded", async () => {
      const counts = (await scene().server.call({ path: "/account/gallery" })).json();
      const visit = await scene().visit();
      await visit.open("/console/gallery");
      const all = Number(memberOf(counts, "assets")).toLocaleString("en");
      await visit.page.getByText(new RegExp(`^${all} files?, `)).waitFor();
      const tops = await visit.page
        .getByRole("search")
        .locator("> *")
        .evaluateAll((found) => found.map((it) => it.getBoundingClientRect().bottom));
      assert.ok(Math.max(...tops) - Math.min(...tops) < 8, "the filters are in one row");
      await visit.picture("gallery-filters");
      await visit.close();
    });
  });

  describe("fields", () => {
    test("a colour is picked or typed as people write it; all changes are taken back at once, and again", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await openFile(visit, "colour.json", colouredGraph());
      const color = page.getByRole("textbox", { name: "color", exact: true });
      await until("its field is open", async () => {
        await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true");
        return color.isVisible();
      });
      assert.equal(await color.inputValue(), "#b9b497");
      await page.locator('[data-node="1"]').getByText("#b9b497").waitFor();
      await color.fill("teal");
      await page.getByText("Enter a colour such as").waitFor();
      await page.getByLabel("color, colour picker").fill("#102030");
      assert.equal(await color.inputValue(), "#102030");
      await page.getByRole("textbox", { name: "width" }).fill("96");
      await page.getByText("2 values changed").waitFor();
      await visit.requireAccessible();
      await visit.picture("colour");
      await page.getByRole("button", { name: "Reset all" }).click();
      assert.equal(await color.inputValue(), "#b9b497");
      await page.getByRole("button", { name: "Undo" }).click();
      assert.equal(await color.inputValue(), "#102030");
      await page.getByRole("button", { name: "Run with changes" }).click();
      await page.waitForURL(/\/console\/jobs\/[0-9a-f-]{36}/);
      const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      assert.equal((await ended(scene(), id)).status, "succeeded");
      const ran = (await scene().server.call({ path: `/api/v2/jobs/${id}/workflow` })).json();
      assert.equal(memberOf(ran, "workflow", "1", "inputs", "color"), 0x10_20_30);
      await visit.close();
    });

    test("a node that calls a model offers the models of this server", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/workflows?example=first-picture");
      const model = page.getByRole("combobox", { name: "model" });
      await model.waitFor();
      const list = await model.getAttribute("list");
      await page.locator(`[id="${list}"] option[value="sandbox/image-1"]`).waitFor({ state: "attached" });
      await visit.close();
    });

    test("texts of schemas show code as code, and an invitation lasts three days if nothing else is chosen", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/models/sandbox/image-1?tab=api");
      await page.locator("main code").first().waitFor();
      const words = await page
        .locator("main :not(pre):not(pre *)")
        .evaluateAll((found) =>
          found.flatMap((each) =>
            [...each.childNodes].filter(({ nodeType }) => nodeType === 3).map((it) => it.nodeValue),
          ),
        );
      assert.deepEqual(
        words.filter((text) => text?.includes("`")),
        [],
      );
      await visit.open("/console/members");
      await page.getByRole("button", { name: "Add member" }).click();
      await page.getByRole("dialog").getByText("3 days").first().waitFor({ state: "attached" });
      assert.equal(await page.getByRole("dialog").getByRole("combobox").last().inputValue(), "72");
      await visit.close();
    });

    test("a badge's list offers what the node's class offers, and an empty table says how it is filled", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/badges?tab=preview&node=ImageQuantize");
      for (;;) {
        const remove = page.getByRole("button", { name: /^Remove case 1$/ });
        if ((await remove.count()) === 0) break;
        await remove.click();
      }
      await page.getByText(/^No test cases yet/).waitFor();
      await visit.requireAccessible();
      await visit.picture("badge-no-cases");
      await visit.close();
    });
  });
}

const colouredGraph = () => ({
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 0xb9_b4_97 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "coloured" } },
});

async function openFile({ open, page }: Visit, name: string, graph: unknown): Promise<void> {
  await open("/console/workflows");
  const buffer = Buffer.from(JSON.stringify(graph));
  await page.getByLabel("Workflow file").setInputFiles({ name, mimeType: "application/json", buffer });
  await page.getByRole("heading", { level: 1, name }).waitFor();
}
