// The operators' pages about the installation itself: definitions of providers, backups, metrics and settings.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { aDefinition } from "../support/provider-example-calls.ts";
import { pasteInto } from "./paste-into.ts";
import { looksNow, type Scene } from "./scene.ts";

const pages = {
  definition: "/console/providers/definition?provider=luma",
  newDefinition: "/console/providers/definition",
  metrics: "/console/metrics",
  metricsHour: "/console/metrics?span=hour",
  backups: "/console/backups",
  settings: "/console/settings",
} as const;

export function installationPages(scene: () => Scene): void {
  describe("the installation's pages", () => {
    test("a definition is written with its findings at their line, tried against a stand-in, saved and removed", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/providers?provider=luma");
      await page.getByRole("link", { name: "Edit definition" }).click();
      await page.getByRole("heading", { level: 1, name: "Definition of luma" }).waitFor();
      const findings = page.getByRole("region", { name: "Findings" });
      await findings.getByText("No findings").waitFor();
      await page.getByText("Ships with the server.").waitFor();
      await page.getByLabel("Model").selectOption("photon-1");
      await page.getByRole("button", { name: "Try", exact: true }).click();
      await page.getByText("Everything was as documented.").waitFor();
      await page.getByText(/cases tried/).waitFor();
      await visit.requireAccessible();
      await visit.picture("definition");

      const editor = page.getByRole("textbox", { name: "The definition as JSON" });
      const name = `pages-${randomUUID().slice(0, 8)}`;
      const definition = JSON.stringify(aDefinition(name), null, 2);
      const broken = definition.replace('"neither"', '"repeat"');
      await pasteInto(editor, broken);
      const [line] = [broken.slice(0, broken.indexOf('"repeat"')).split("\n").length];
      await findings.getByText("1 finding").waitFor();
      await findings.getByRole("button", { name: `Go to line ${line} of the definition` }).click();
      await page.locator(".cm-activeLine").getByText('"repeat"').waitFor();
      await page.locator(".cm-mistake").first().waitFor();
      await visit.picture("definition-finding");
      const save = page.getByRole("button", { name: `Save as ${name}` });
      assert.equal(await save.getAttribute("title"), "Fix the findings first.");
      // Kept in the browser across a reload.
      await visit.open("/console/providers/definition?provider=luma");
      await page.getByText("These are your unsaved changes").waitFor();
      await pasteInto(editor, definition);
      await findings.getByText("No findings").waitFor();
      await save.click();
      await page.getByRole("heading", { level: 1, name: `Definition of ${name}` }).waitFor();
      await page.getByText("Stored by an operator, version 1.").waitFor();
      await page.getByRole("button", { name: "Remove stored definition" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove stored definition" }).click();
      await page.getByRole("heading", { level: 1, name: "Providers" }).waitFor();
      await page.locator("[data-provider=sandbox]").waitFor();
      assert.equal(await page.locator(`[data-provider="${name}"]`).count(), 0);
      await visit.close();
    });

    test("a backup is made now, verified, and there is a command to restore it", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/system");
      await page.getByRole("link", { name: "All backups" }).click();
      await page.getByRole("heading", { level: 1, name: "Backups" }).waitFor();
      await page.getByText("Not scheduled. Set these, and restart the server:").waitFor();
      await page.getByRole("button", { name: "Back up now" }).click();
      await page.getByRole("cell", { name: "Running" }).waitFor();
      await page.getByRole("cell", { name: "Verified" }).first().waitFor();
      await page
        .getByText(/^atelier restore .*scheduled-/)
        .first()
        .waitFor();
      await page
        .getByRole("button", { name: /^Restore… scheduled-/ })
        .first()
        .click();
      await page.getByRole("dialog").getByText("The key ring is not part of a backup").waitFor();
      await visit.requireAccessible();
      await page.keyboard.press("Escape");
      assert.equal(await page.getByRole("button", { name: "Back up now" }).getAttribute("aria-disabled"), null);
      await visit.picture("backups");
      await visit.close();
    });

    test("metrics count what ran in all workspaces, as charts and as tables", async () => {
      const { server } = scene();
      const call = { method: "POST", path: "/v1/models/sandbox/image-1" };
      for (const prompt of ["counted", 7, "again"]) await server.call({ ...call, body: { prompt, seed: 1 } });
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/metrics");
      await page.getByRole("region", { name: "Calls by kind" }).getByRole("img").waitFor();
      const failures = page.getByRole("region", { name: "Failures by outcome" });
      await failures.getByRole("img").waitFor();
      await failures.getByRole("button", { name: "Show as table" }).click();
      await failures.getByRole("columnheader", { name: "Invalid input" }).waitFor();
      await page.getByRole("region", { name: "Credits by workspace" }).getByRole("img").waitFor();
      await page.getByRole("button", { name: "Hour", exact: true }).click();
      await page.waitForURL("**/console/metrics?span=hour");
      const calls = page.getByRole("region", { name: "Calls by kind" });
      await calls.getByRole("button", { name: "Show as table" }).click();
      await calls.getByRole("row").nth(1).waitFor();
      await visit.requireAccessible();
      await page.locator("canvas").first().waitFor();
      await visit.picture("metrics-table");
      await visit.close();
    });

    test("settings are found by words and by where they come from, and no secret is on the page", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/settings");
      await page.locator("[data-setting=ATELIER_DATABASE_POOL_SIZE]").waitFor();
      await visit.picture("settings");
      await page.getByRole("searchbox", { name: "Search settings" }).fill("connections per process");
      await page
        .getByRole("status")
        .getByText(/^1 of \d+ settings$/)
        .waitFor();
      await page.waitForURL("**/console/settings?q=connections+per+process");
      await page.getByRole("searchbox", { name: "Search settings" }).fill("");
      await page.getByRole("button", { name: /^Environment/ }).click();
      await page.locator("[data-setting=ATELIER_HOME]").waitFor();
      assert.equal(await page.locator("[data-setting=ATELIER_DATABASE_POOL_SIZE]").count(), 0);
      await visit.close();
    });

    for (const look of looksNow)
      test(`${look}: the installation's pages are accessible and nothing scrolls sideways`, async () => {
        const visit = await scene().visit(look);
        for (const [name, path] of Object.entries(pages)) {
          await visit.open(path);
          await visit.picture(`installation-${name}`);
          await visit.requireAccessible();
          const over = await visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
          assert.ok(Number(over) <= 0, `${name} scrolls sideways`);
        }
        await visit.close();
      });
  });
}
