// The playground, at length: copied code runs, a queued call outlives a reload, a key replays, models run side by side.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { holds } from "./holds.ts";
import { pasteInto } from "./paste-into.ts";
import type { LookName, Scene } from "./scene.ts";

const four = ["image-1", "text-1", "image-1-queued", "voice-1"].map((name) => `sandbox/${name}`).join();
const image = "/console/models/sandbox/image-1";
const run = promisify(execFile);

const codeIn = async (page: Page) => (await page.locator("pre code").first().textContent()) ?? "";
const keyOf = (scene: Scene) =>
  /^API key: +(\S+)/m.exec(readFileSync(`${scene.server.home}/first-key.txt`, "utf8"))?.[1] ?? "";

// A shell as a person has it: the key in the environment, and nothing installed.
async function inShell(scene: Scene, code: string): Promise<string> {
  const { stdout } = await run("/bin/bash", ["-c", code], {
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
      ATELIER_API_KEY: keyOf(scene),
      HOME: scene.server.home,
    },
    maxBuffer: 1e8,
  });
  return stdout;
}

export function modelLongPages(scene: () => Scene): void {
  describe("models, at length", () => {
    test("curl and the command line, pasted into a shell, give the page's answer", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/models/sandbox/text-1");
      await page.getByRole("textbox", { name: "Prompt" }).fill('it\'s a "quoted" $HOME `id` \\ day');
      await page.getByRole("textbox", { name: "Seed" }).fill("18446744073709551615");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.locator('section[data-phase="done"]').waitFor();
      const shown = (await page.locator('section[data-phase="done"] p[class*="text"]').textContent()) ?? "";
      assert.ok(shown.length > 20, shown);
      for (const language of ["curl", "cli"]) {
        await visit.open(`/console/models/sandbox/text-1?view=code&lang=${language}`);
        const code = await codeIn(page);
        assert.ok(!code.includes("service-"), "no key is in it");
        const answer = await inShell(scene(), code);
        assert.match(answer, /"seed":\s?18446744073709551615/, code);
        assert.equal(JSON.parse(answer).text, shown, "the same words as on the page");
      }
      await visit.close();
    });

    test("a queued call and its answer are still there after a reload", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/models/sandbox/image-1-queued?how=queued");
      await page.getByRole("textbox", { name: "Prompt" }).fill("a queued fox");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.waitForURL(/request=/);
      await page.reload();
      await page.getByRole("img", { name: "Result 1 of sandbox/image-1-queued" }).waitFor();
      await page.getByText("Queue", { exact: true }).waitFor();
      const shown = await page.locator("[data-request-id]").getAttribute("data-request-id");
      assert.equal(shown, new URL(page.url()).searchParams.get("request"), "the id under which the call is recorded");
      await visit.close();
    });

    test("the same key replays the answer, and the page says that it was not charged", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/models/sandbox/image-1-queued");
      await page.getByRole("textbox", { name: "Prompt" }).fill("a fox, twice");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("button", { name: "Run again with the same key" }).click();
      await page.getByText("Replayed, not charged").waitFor();
      await visit.close();
    });

    test("form and JSON are one input, kept for the next visit and shared by a link", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(image);
      await page.getByRole("textbox", { name: "Prompt" }).fill("from the form");
      await page.getByRole("textbox", { name: "Seed" }).fill("18446744073709551615");
      await page.getByRole("tab", { name: "JSON" }).click();
      const editor = page.getByRole("textbox", { name: "Input as JSON" });
      await editor.getByText("18446744073709551615").waitFor();
      await pasteInto(editor, '{"prompt": "from JSON", "seed": 9007199254740993}');
      await page.getByRole("tab", { name: "Form" }).click();
      assert.equal(await page.getByRole("textbox", { name: "Prompt" }).inputValue(), "from JSON");
      assert.equal(await page.getByRole("textbox", { name: "Seed" }).inputValue(), "9007199254740993");
      await holds(
        page,
        "Object.entries(localStorage).some(([name, text]) => name.endsWith('.input.sandbox/image-1') && text.includes('from JSON'))",
      );
      await page.reload();
      assert.equal(await page.getByRole("textbox", { name: "Prompt" }).inputValue(), "from JSON");
      const shared = Buffer.from('{"prompt":"shared","seed":18446744073709551615}').toString("base64url");
      await page.goto("/console");
      await visit.open(`${image}#input=${shared}`);
      assert.equal(await page.getByRole("textbox", { name: "Seed" }).inputValue(), "18446744073709551615");
      await visit.close();
    });

    test("a refusal and a failure say what happened, what it cost and what to do", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      for (const [word, bucket, charge] of [
        ["refuse", "content_policy_violation", "Not charged: this model does not charge for refusals."],
        ["fail", "provider_error", "Not charged."],
      ]) {
        const input = Buffer.from(JSON.stringify({ prompt: "x", simulate: word })).toString("base64url");
        await page.goto("/console");
        await visit.open(`${image}#input=${input}`);
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await page
          .locator(`[data-bucket="${bucket}"]`)
          .getByText(charge ?? "")
          .waitFor();
        await visit.requireAccessible();
      }
      await visit.close();
    });

    for (const look of ["light", "dark", "phone"] satisfies LookName[])
      test(`${look}: every tab, every view and the comparison are accessible`, async () => {
        const visit = await scene().visit(look);
        const { page } = visit;
        for (const [name, query] of [
          ["json", "view=json"],
          ["code", "view=code&lang=python"],
          ["api", "tab=api"],
          ["requests", "tab=requests"],
          ["health", "tab=health"],
        ]) {
          await visit.open(`${image}?${query}`);
          if (name === "json") await page.getByRole("textbox", { name: "Input as JSON" }).waitFor();
          await visit.requireAccessible();
          await visit.picture(`model-${name}`);
        }
        await visit.open(`/console/compare?models=${four}`);
        await page.getByRole("textbox", { name: "Prompt" }).fill("a quiet harbour");
        await page.getByRole("button", { name: "Run all 4" }).click();
        await page.locator('section[data-phase="done"]').nth(3).waitFor();
        await page.getByRole("img", { name: "Result 1 of sandbox/image-1", exact: true }).waitFor();
        // No model's answer is wider than its lane.
        const over = await page.evaluate<number[]>(
          `[...document.querySelectorAll("section[data-phase]")].map((it) => it.scrollWidth - it.clientWidth)`,
        );
        assert.deepEqual(over, [0, 0, 0, 0]);
        // Where it is scrolled to now, a field can be half behind the bar with the button.
        await page.evaluate("scrollTo(0, 0)");
        await visit.requireAccessible();
        await visit.picture("compare");
        await visit.close();
      });

    test("sound is played as sound, and a model without a schema takes any object", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/models/sandbox/voice-1");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.locator("figure audio").waitFor();
      await page.getByText("Saved to the gallery").waitFor();
      await visit.open("/console/models/sandbox/open-1");
      await page.getByText("Any JSON object is passed on unchanged").waitFor();
      await pasteInto(page.getByRole("textbox", { name: "Input as JSON" }), '{"a": 18446744073709551615}');
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("18446744073709551615").last().waitFor();
      await visit.close();
    });

    test("an unknown model says so, and leads on", async () => {
      const visit = await scene().visit();
      await visit.open("/console/models/sandbox/%3Cimg%20src=x%3E");
      await visit.page.getByText("This model is not available").waitFor();
      await visit.page.getByRole("link", { name: "All models" }).click();
      await visit.page.waitForURL("**/console/models");
      await visit.close();
    });
  });
}
