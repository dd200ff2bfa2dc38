// The frame of every page.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { weighConsole } from "./bundle-budget.ts";
import { holds } from "./holds.ts";
import type { LookName, Scene } from "./scene.ts";

export function shellPages(scene: () => Scene): void {
  describe("the frame", () => {
    for (const look of ["light", "dark", "phone"] satisfies LookName[])
      test(`${look}: the console opens at the root, accessible and without a request elsewhere`, async () => {
        const visit = await scene().visit(look);
        await visit.open("/");
        await visit.requireAccessible();
        await visit.picture("overview");
        await visit.close();
      });

    test("the console's bare address leads to the overview", async () => {
      const visit = await scene().visit();
      await visit.open("/console");
      await visit.page.waitForURL((url) => url.pathname === "/");
      await visit.page.getByRole("heading", { level: 1 }).waitFor();
      await visit.close();
    });

    test("every operator page is visible at 900 pixels, and the name stays in place when a lower window scrolls", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await page.setViewportSize({ width: 1440, height: 900 });
      await visit.open("/console/workspaces");
      const last = await page.locator("nav a").last().boundingBox();
      assert.ok(
        last !== null && last.y + last.height <= 900,
        `the last entry ends at ${last && last.y + last.height} pixels`,
      );
      await page.setViewportSize({ width: 1440, height: 480 });
      const scrollTo = (top: number) =>
        page.evaluate<number>(
          `(() => { const list = document.querySelector("nav > div"); list.scrollTo(0, ${top}); return list.scrollTop; })()`,
        );
      assert.ok((await scrollTo(9999)) > 0, "it scrolls");
      assert.equal((await page.getByRole("link", { name: "Atelier", exact: true }).boundingBox())?.y, 0);
      // The first entry is half out of sight, but not behind the name.
      await scrollTo(20);
      await visit.requireAccessible();
      await visit.close();
    });

    test("Ctrl K finds a page by its name, by keyboard alone", async () => {
      const visit = await scene().visit();
      await visit.open("/");
      await visit.page.keyboard.press("Control+k");
      await visit.page.getByRole("combobox", { name: "Search or paste an ID" }).fill("gall");
      await visit.page.keyboard.press("Enter");
      await visit.page.waitForURL("**/console/gallery");
      await visit.close();
    });

    test("? shows the keys, but not while something is typed, and the guides and errors are served here", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/");
      await page.getByRole("textbox", { name: "Prompt" }).pressSequentially("why?");
      assert.equal(await page.getByRole("dialog").count(), 0);
      await page.getByRole("heading", { level: 1 }).click();
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Ctrl").first().waitFor();
      await visit.requireAccessible();
      await visit.picture("keys-help");
      await page.keyboard.press("Escape");
      await visit.open("/console/jobs/00000000-0000-4000-8000-000000000000");
      await page.getByRole("link", { name: "What this means" }).first().click();
      await page.waitForURL("**/docs/guides/errors#*");
      assert.ok(await page.evaluate<boolean>(`document.querySelector(":target") !== null`), "the row of the code");
      await visit.requireAccessible();
      await page.getByRole("link", { name: "All guides" }).click();
      await page.getByRole("link", { name: /^Call/ }).first().waitFor();
      await visit.close();
    });

    for (const look of ["light", "phone"] satisfies LookName[])
      test(`${look}: the frame is painted before any script runs, and does not move when the live one replaces it`, async () => {
        const visit = await scene().visit(look);
        const release = await holdScripts(visit.page);
        await visit.page.goto("/console/jobs", { waitUntil: "commit" });
        await visit.page.getByText("Search or paste an ID").waitFor({ state: "attached" });
        const current = visit.page.locator('nav a[aria-current="page"]');
        assert.equal(await current.textContent(), "Jobs");
        assert.equal(await visit.page.getByRole("heading", { level: 1 }).count(), 0, "nothing live yet");
        const before = await boxesOf(visit.page);
        await visit.picture("first-paint");
        release();
        await visit.page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
        const after = await boxesOf(visit.page);
        for (const [name, box] of before) assert.equal(after.get(name), box, name);
        assert.ok(before.size > (look === "phone" ? 0 : 15), `${before.size} things to compare`);
        await visit.close();
      });

    test("the chosen colours apply before any script runs, and are kept", async () => {
      const visit = await scene().visit("light");
      await visit.open("/");
      for (const theme of ["system", "light"])
        await visit.page.getByRole("button", { name: `Theme: ${theme}` }).click();
      await visit.page.getByRole("button", { name: "Theme: dark" }).waitFor();
      const release = await holdScripts(visit.page);
      await visit.page.goto("/console/jobs", { waitUntil: "commit" });
      await visit.page.getByText("Search or paste an ID").waitFor();
      assert.equal(await visit.page.locator("html").getAttribute("data-theme"), "dark");
      assert.equal(await visit.page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(20, 21, 24)");
      release();
      await visit.page.getByRole("button", { name: "Theme: dark" }).click();
      await visit.open("/console/jobs");
      assert.equal(await visit.page.locator("html").getAttribute("data-theme"), null);
      await visit.close();
    });

    test("someone who is not signed in sees no navigation, not even before the scripts run", async () => {
      const visit = await scene().visit("light", { signedIn: false });
      const release = await holdScripts(visit.page);
      await visit.page.goto("/console/jobs", { waitUntil: "commit" });
      await visit.page.getByText("Atelier", { exact: true }).filter({ visible: true }).waitFor();
      assert.equal(await visit.page.getByRole("navigation").count(), 0);
      release();
      await visit.page.waitForURL(/\/sign-in\?return_to=%2Fconsole%2Fjobs/);
      await visit.close();
    });

    // Graph, editor and charts are loaded by the pages that draw them. The editor with its linter, which badges need, is
    // 110 as gzip and 97 as Brotli, which browsers accept.
    test("the first load is at most 160 kB with its typeface, the charts 25, the editor 115, and any other lazy part 100", (context) => {
      const most: Readonly<Record<string, number>> = { plot: 25, dist: 115 };
      const { first, files } = weighConsole();
      assert.ok(first > 50 && first <= 160, `${first.toFixed(1)} kB`);
      const sorted = Object.entries(files).sort(([, one], [, other]) => other - one);
      for (const [name, weight] of sorted)
        assert.ok(weight <= (most[name] ?? 100), `${name} has ${weight.toFixed(1)} kB`);
      context.diagnostic(
        `first load ${first.toFixed(1)} kB; ${sorted.map(([name, kB]) => `${name} ${kB.toFixed(1)}`)}`,
      );
    });

    test("the pages are set in their own typeface, from this server, in three weights", async () => {
      const visit = await scene().visit();
      await visit.open("/console/jobs");
      await holds(
        visit.page,
        `document.fonts.check("1rem Figtree") && [...document.fonts].every((it) => it.status === "loaded")`,
      );
      const loaded = await visit.page.evaluate<{ name: string; size: number }[]>(
        `performance.getEntriesByType("resource").filter((it) => it.name.endsWith(".woff2")).map((it) => ({ name: it.name, size: it.decodedBodySize }))`,
      );
      assert.equal(loaded.length, 1, "one file, asked for once");
      assert.ok(loaded[0]?.name.startsWith(scene().baseUrl) && loaded[0].size <= 35_000, JSON.stringify(loaded));
      const weights = await visit.page.evaluate<string[]>(
        `[...new Set([...document.querySelectorAll("body *")].map((it) => getComputedStyle(it).fontWeight))]`,
      );
      assert.deepEqual(
        weights.filter((weight) => !["400", "500", "650"].includes(weight)),
        [],
      );
      const licence = await fetch(`${scene().baseUrl}/console/files/figtree-licence.txt`);
      assert.match(await licence.text(), /SIL OPEN FONT LICENSE Version 1\.1/);
      await visit.close();
    });

    test("the icon of the browser's tab is there", async () => {
      const document = await fetch(`${scene().baseUrl}/console`, { headers: { accept: "text/html" } });
      const [, path] = /<link rel="icon" href="([^"]+)"/.exec(await document.text()) ?? [];
      const icon = await fetch(`${scene().baseUrl}${path}`);
      assert.deepEqual([icon.status, icon.headers.get("content-type")], [200, "image/svg+xml"]);
    });

    test("programs still get the index as JSON", async () => {
      const answer = await fetch(`${scene().baseUrl}/`);
      assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
    });

    test("files are immutable and precompressed, and the document is never cached", async () => {
      const document = await fetch(`${scene().baseUrl}/console`, { headers: { accept: "text/html" } });
      assert.equal(document.headers.get("cache-control"), "no-store");
      const [path] = /\/console\/files\/index-[\w-]+\.js/.exec(await document.text()) ?? [];
      const file = await fetch(`${scene().baseUrl}${path}`, { headers: { "accept-encoding": "br" } });
      assert.equal(file.headers.get("content-encoding"), "br");
      assert.match(file.headers.get("cache-control") ?? "", /immutable/);
    });
  });
}

// Holds back the document's scripts until released.
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/index-[\w-]+\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

// The positions of the navigation's entries and of the search field's text, as far as they are visible.
async function boxesOf(page: Page): Promise<Map<string, string>> {
  const found = await page.evaluate<[string, string][]>(`
    [...document.querySelectorAll("nav a, nav a svg"), document.querySelector("kbd").parentElement].flatMap((it) => {
      const { x, y, width, height } = it.getBoundingClientRect();
      const name = it.tagName + " " + (it.closest("a") ?? it).textContent;
      return width * height > 1 ? [[name.replace(/^(SPAN|BUTTON)/, ""), [x, y, width, height].map(Math.round).join(" ")]] : [];
    })`);
  return new Map(found);
}
