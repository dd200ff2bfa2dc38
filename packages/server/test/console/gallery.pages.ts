// The gallery, with pictures of real jobs and real uploads on a server as it is shipped.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { listOf, textOf } from "../support/app-client.ts";
import { holds } from "./holds.ts";
import { looksNow, type Scene } from "./scene.ts";

const graph = (color: number, prefix: string) => ({
  1: { class_type: "EmptyImage", inputs: { width: 96, height: 64, batch_size: 1, color } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: prefix }, _meta: { title: "Keep it" } },
});

// The ids of a job's outputs, once it has ended.
export async function pictureOf(scene: Scene, color: number, prefix: string): Promise<string> {
  const made = await scene.server.call({
    method: "POST",
    path: "/api/v2/jobs",
    body: { workflow: graph(color, prefix), metadata: "gallery test" },
  });
  assert.equal(made.status, 201, made.text);
  for (;;) {
    const job = await scene.server.call({ path: `/api/v2/jobs/${textOf(made.json(), "id")}` });
    const state = textOf(job.json(), "status");
    if (state === "succeeded") return textOf(listOf(job.json(), "outputs")[0], "id");
    assert.ok(state === "queued" || state === "running", job.text);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const tile = (page: Page, id: string) => page.locator(`[data-tile="${id}"]`);

// Files dropped onto the page, as a browser reports it.
async function drop(page: Page, files: readonly { name: string; text: string; type: string }[]): Promise<void> {
  await page.evaluate(`{
    const data = new DataTransfer();
    for (const { name, text, type } of ${JSON.stringify(files)}) data.items.add(new File([text], name, { type }));
    document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
  }`);
}

export function galleryPages(scene: () => Scene): void {
  describe("the gallery", () => {
    let ids: Promise<readonly [string, string]> | null = null;
    const pictures = () => {
      ids ??= Promise.all([pictureOf(scene(), 0x2f5d50, "green"), pictureOf(scene(), 0xe9b44c, "gold")]);
      return ids;
    };

    for (const look of looksNow)
      test(`${look}: pictures of jobs are there, and grid, table, viewer and compare are accessible`, async () => {
        const [green, gold] = await pictures();
        const visit = await scene().visit(look);
        const { page } = visit;
        await visit.open("/console/gallery");
        await tile(page, green).locator("img").waitFor();
        await visit.requireAccessible();
        await visit.picture("gallery");
        await visit.open("/console/gallery?view=table");
        await page.getByRole("link", { name: /green/ }).first().waitFor();
        await visit.requireAccessible();
        await visit.open(`/console/gallery?asset=${green}`);
        await page.getByRole("dialog").getByRole("img", { name: /green/ }).waitFor();
        await visit.requireAccessible();
        await visit.picture("viewer");
        await visit.open(`/console/gallery?compare=${green},${gold}`);
        await page.getByRole("cell", { name: /color/ }).waitFor();
        await visit.requireAccessible();
        await visit.picture("compare");
        assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
        await visit.close();
      });

    test("by keyboard alone: open the viewer, zoom to single pixels, compare two, close, and return to the same place", async () => {
      const [green] = await pictures();
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/gallery?source=output");
      await tile(page, green).focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: /green/ });
      const picture = dialog.getByRole("img", { name: /green/ });
      await picture.waitFor();
      await page.locator("[data-zoom='2.00']").waitFor();
      for (let press = 0; press < 3; press++) await page.keyboard.press("+");
      await page.locator("[data-zoom='6.75']").waitFor();
      assert.equal(await page.locator("[data-pixel-grid]").count(), 0, "no lines veil the picture");
      for (let press = 0; press < 4; press++) await page.keyboard.press("+");
      await page.locator("[data-zoom='16.00'] [data-pixel-grid]").waitFor();
      const style = `getComputedStyle(document.querySelector("[data-zoom] img[alt]:not([alt=''])")).imageRendering`;
      assert.equal(await page.evaluate(style), "pixelated");
      await page.keyboard.press("i");
      await page.getByText("Made by").waitFor({ state: "detached" });
      await page.keyboard.press("i");
      await page.getByRole("link", { name: /…/ }).first().waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await holds(page, `document.activeElement.getAttribute('data-tile') === '${green}'`);
      // Selects two with the space key and compares them.
      await page.keyboard.press("Home");
      await page.keyboard.press(" ");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press(" ");
      await page.getByText("2 selected").waitFor();
      await page.getByRole("button", { name: "Compare" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("slider").focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("4");
      await page.getByText(/% of the pixels differ, by up to/).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await holds(page, "document.activeElement.textContent.trim() === 'Compare'");
      // The viewer is gone by then, so the focus goes to its picture.
      await page.keyboard.press("Escape");
      await tile(page, green).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByRole("img").first().waitFor();
      await page.keyboard.press("c");
      await page.getByRole("slider").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await holds(page, `document.activeElement.getAttribute('data-tile') === '${green}'`);
      await visit.close();
    });

    test("a file dropped twice is uploaded once, and hostile names are shown as text", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/gallery?source=upload");
      const name = `<img src=x onerror=alert(1)> ${Date.now()}.txt`;
      const file = { name, text: `hello ${Date.now()}`, type: "text/plain" };
      await drop(page, [file]);
      await page.getByText("Uploaded,").waitFor();
      await drop(page, [file]);
      await page.getByText("Already stored, nothing to upload").waitFor();
      await page.getByRole("link", { name: `${name}, TXT` }).click();
      await page.getByRole("dialog").getByText(file.text).waitFor();
      await page.getByRole("heading", { name }).waitFor();
      assert.equal(await page.locator("img[src='x']").count(), 0);
      await visit.close();
    });

    test("a picture is rated by key, noted, put on a board and kept beyond its job, and found again by each", async () => {
      const [, gold] = await pictures();
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/gallery?source=output");
      await tile(page, gold).focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: /gold/ });
      await dialog.getByRole("img", { name: /gold/ }).waitFor();
      await page.keyboard.press("4");
      await dialog.getByText("Rated 4 of 5.").waitFor();
      await dialog.getByLabel("Note").fill("sand, dusk, 5 more");
      await page.keyboard.press("Control+Enter");
      await dialog.getByText("Note saved.").waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("link", { name: /gold.*rated 4/ }).waitFor();
      await page.keyboard.press(" ");
      await page.getByRole("button", { name: "Boards…" }).click();
      await page.getByLabel("New board").fill("Été");
      await page.keyboard.press("Enter");
      const board = page.getByRole("button", { name: "Été 1" });
      await board.waitFor();
      await page.getByRole("button", { name: "Keep" }).click();
      await page.getByText("Kept 1 file.").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.getByRole("button", { name: "Été 2" }).click();
      await page.getByRole("combobox", { name: "Rating" }).selectOption("4 stars");
      await holds(page, "document.querySelectorAll('[data-tile]').length === 2");
      await visit.requireAccessible();
      await visit.picture("boards");
      await visit.open(`/console/gallery?asset=${gold}`);
      await holds(
        page,
        "[...document.querySelectorAll('textarea')].some((each) => each.value === 'sand, dusk, 5 more')",
      );
      await visit.close();
    });

    test("sharing shows a signed link that works for anyone, with its expiry", async () => {
      const [green] = await pictures();
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(`/console/gallery?asset=${green}`);
      await page.getByRole("button", { name: "Share" }).click();
      const url = await page.getByRole("textbox", { name: "Signed link" }).inputValue();
      await page.getByText(/Valid until .*, for another \d:\d\d:\d\d/).waitFor();
      // This server has a loopback address, so the link opens on no other computer.
      await page.getByText("it only opens on the computer that runs the server").waitFor();
      assert.equal(await page.getByText(/Anyone with this link/).count(), 0);
      const answer = await fetch(url);
      assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "image/png"]);
      await visit.close();
    });

    test("a picture moves from its tile into the viewer and back, and not where people want less motion", async () => {
      const [green] = await pictures();
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/gallery?source=output");
      await page.evaluate(`{
        window.moved = [];
        const start = document.startViewTransition.bind(document);
        document.startViewTransition = (change) => {
          const named = document.querySelector("[style*=view-transition-name]");
          window.moved.push(named?.dataset.entry ?? "nothing");
          return start(change);
        };
      }`);
      const openAndClose = async () => {
        await tile(page, green).click();
        await page.getByRole("dialog").getByRole("img", { name: /green/ }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      };
      await openAndClose();
      await holds(page, "window.moved.length === 2");
      assert.deepEqual(await page.evaluate("window.moved"), [green, green]);
      await page.emulateMedia({ reducedMotion: "reduce" });
      await openAndClose();
      assert.equal(await page.evaluate("window.moved.length"), 2);
      await visit.close();
    });

    test("a favourite stays, and leads back to the picture", async () => {
      const [, gold] = await pictures();
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(`/console/gallery?asset=${gold}`);
      await page.getByRole("dialog").getByRole("img", { name: /gold/ }).waitFor();
      const kept = page.waitForResponse((response) => response.request().method() === "PATCH");
      await page.keyboard.press("s");
      assert.equal((await kept).status(), 200);
      await visit.open("/console/gallery?starred=true");
      await tile(page, gold).waitFor();
      assert.equal(await page.locator("[data-tile]").count(), 1);
      await visit.close();
    });

    test("a deletion can be undone for ten seconds, and leaving the page deletes nothing", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/gallery?source=upload");
      await drop(page, [{ name: "undo.txt", text: `undo ${Date.now()}`, type: "text/plain" }]);
      const link = page.getByRole("link", { name: /^undo.txt, TXT/ }).first();
      await link.click({ modifiers: ["Control"] });
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await link.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Undo", exact: true }).click();
      await link.waitFor();
      await link.click({ modifiers: ["Control"] });
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await link.waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Jobs" }).click();
      await page.getByText("Nothing was deleted, because you left the gallery").waitFor();
      await page.goBack();
      await link.waitFor();
      await visit.close();
    });

    test("a missing picture says so, with a way back", async () => {
      const visit = await scene().visit();
      await visit.open("/console/gallery?asset=01a1e457-0000-7000-8000-000000000000");
      await visit.page.getByText("This file no longer exists").waitFor();
      await visit.page.keyboard.press("Escape");
      await visit.page.getByRole("dialog").waitFor({ state: "detached" });
      await visit.close();
    });
  });
}
