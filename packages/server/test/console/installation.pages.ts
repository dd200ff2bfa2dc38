// The operators' pages about the installation itself: definitions of providers.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { aDefinition } from "../support/provider-example-calls.ts";
import { pasteInto } from "./paste-into.ts";
import type { Scene } from "./scene.ts";

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
  });
}
