// The publisher's pages: a publisher created in place, a node, a token, a version seen to become active; and badges,
// written and tried in the browser.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { overflowOf } from "../pages/support/page-checks.ts";
import { craftZip, manifestText } from "../support/craft-zip.ts";
import { pasteInto } from "./paste-into.ts";
import { looksNow, type Scene, type Visit } from "./scene.ts";

const studio = "ada-studio";

export function publishPages(scene: () => Scene): void {
  nodePages(scene);
  badgePages(scene);
  referencePages(scene);
}

function nodePages(scene: () => Scene): void {
  describe("nodes", () => {
    test("a publisher, a node and a token are created in place, and a published version becomes active live", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/nodes?tab=yours");
      await page.getByRole("textbox", { name: "Name" }).fill("Ada Studio");
      await page.getByText("Available. You can't change it later.").waitFor();
      await page.getByRole("button", { name: "Create publisher" }).click();
      await page.getByRole("heading", { name: "Ada Studio" }).waitFor();
      assert.match(
        (await page.locator("main").textContent()) ?? "",
        /atelier nodes init my-node --publisher ada-studio/,
      );
      const token = await makeToken(visit);
      await page.getByRole("button", { name: "New node" }).click();
      const dialog = page.getByRole("dialog", { name: "New node" });
      await dialog.getByRole("textbox", { name: "Id" }).fill("light-tools");
      await dialog.getByRole("textbox", { name: "Name" }).fill("Light <b>tools</b>");
      await dialog.getByRole("textbox", { name: "Description" }).fill("Measures and mends light.");
      await dialog.getByRole("button", { name: "Create node" }).click();
      await page.waitForURL("**/console/nodes/light-tools");
      await page.getByRole("heading", { level: 1, name: "Light <b>tools</b>" }).waitFor();
      await page.getByText("No versions yet").waitFor();

      const uploadUrl = await announce(scene(), token, "light-tools", "0.1.0");
      await page.reload();
      await page.getByText("Waiting for its archive").waitFor();
      await upload(uploadUrl, "light-tools", "0.1.0", "NODE_CLASS_MAPPINGS = {}\n");
      await page.locator("[data-state=NodeVersionStatusActive]").waitFor();
      await upload(
        await announce(scene(), token, "light-tools", "0.2.0"),
        "light-tools",
        "0.2.0",
        "eval(input())\nNODE_CLASS_MAPPINGS = {}\n",
      );
      await page.reload();
      await page.locator("[data-state=NodeVersionStatusFlagged]").waitFor();
      await page.getByText("python_eval", { exact: true }).waitFor();
      await visit.picture("node");
      await page.getByRole("button", { name: "Deprecate" }).last().click();
      await page.getByText("Deprecated", { exact: true }).waitFor();
      await page.getByRole("tab", { name: "Classes" }).click();
      await page.getByRole("button", { name: "Describe a class" }).click();
      await page.getByRole("textbox", { name: "Class" }).fill("LightMeter");
      await page.getByRole("button", { name: "Save class" }).click();
      await page.getByRole("cell", { name: "LightMeter", exact: true }).waitFor();
      await visit.close();
    });

    test("a publisher appeals a flagged version, an operator rejects it with a reason, and the publisher reads it", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/nodes/light-tools?tab=versions");
      await page.getByText("eval(input())").waitFor();
      await page.getByRole("button", { name: "Appeal" }).click();
      await page
        .getByRole("textbox", { name: "Why are the findings harmless?" })
        .fill(`It asks <b>you</b>, nobody else.`);
      await page.getByRole("button", { name: "Send appeal" }).click();
      await page.getByText("Your appeal is waiting for an operator.").waitFor();
      await page.getByText("It asks <b>you</b>, nobody else.").waitFor();
      await page.getByRole("link", { name: "Nodes", exact: true }).first().click();
      await page.getByRole("tab", { name: "Review" }).click();
      await page.getByRole("link", { name: "light-tools 0.2.0" }).waitFor();
      await page.getByText("eval(input())").waitFor();
      await requireFitting(visit, "nodes-review");
      await page.getByRole("button", { name: "Compare with 0.1.0" }).click();
      await page.getByRole("region", { name: "Findings in 0.1.0" }).getByText("Active").waitFor();
      await page.getByRole("region", { name: "Findings in 0.2.0" }).getByText("New", { exact: true }).first().waitFor();
      await page.getByRole("list", { name: "History of 0.2.0" }).getByText("It asks <b>you</b>").waitFor();
      await requireFitting(visit, "nodes-review-compared");
      await page.getByRole("button", { name: "Hide the comparison" }).click();
      // By keys: to the first version, and its decision.
      await page.keyboard.press("j");
      await page.keyboard.press("a");
      await page.getByRole("dialog", { name: /^Approve light-tools 0\.2\.0/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("r");
      const dialog = page.getByRole("dialog", { name: "Reject light-tools 0.2.0?" });
      await dialog.getByRole("textbox", { name: "Reason" }).fill("Input is code here.");
      await requireFitting(visit, "nodes-review-decide");
      await dialog.getByRole("button", { name: "Reject" }).click();
      await page.getByText("No appeals are waiting").waitFor();
      await visit.open("/console/nodes/light-tools?tab=versions");
      await page.locator("[data-state=NodeVersionStatusBanned]").waitFor();
      await page.getByText("Input is code here.").first().waitFor();
      await page.getByRole("button", { name: "Appeal" }).waitFor();
      await visit.close();
    });

    test("a node's readme is shown as text: nothing in it runs, loads or leads anywhere but to web addresses", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/nodes?tab=yours");
      const token = await makeToken(visit, "readme");
      const url = await announce(scene(), token, "light-tools", "0.3.0");
      await upload(url, "light-tools", "0.3.0", "NODE_CLASS_MAPPINGS = {}\n", hostileReadme);
      await visit.open("/console/nodes/light-tools");
      await page.getByRole("heading", { level: 3, name: "Light tools" }).waitFor();
      await page.getByRole("link", { name: "A picture" }).waitFor();
      const shown = page.getByRole("tabpanel");
      assert.deepEqual(
        await shown.locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
        ["https://pictures.example/shot.png", "https://docs.example/lights"],
      );
      assert.equal(await shown.locator("img, script, iframe, svg[onload]").count(), 0);
      await shown.getByText("pip install light-tools").waitFor();
      await requireFitting(visit, "node-readme");
      await visit.close();
    });

    test("the token is shown once: neither the page nor a later answer contains it", async () => {
      const visit = await scene().visit();
      await visit.open("/console/nodes?tab=yours");
      const token = await makeToken(visit, "once");
      const bodies: Promise<string>[] = [];
      visit.page.on("response", (response) => bodies.push(response.text().catch(() => "")));
      await visit.page.reload();
      await visit.page.getByRole("cell", { name: "once", exact: true }).waitFor();
      assert.ok(!(await visit.page.content()).includes(token));
      assert.ok((await Promise.all(bodies)).every((text) => !text.includes(token)));
      await visit.page.getByRole("button", { name: "Revoke once" }).click();
      await visit.page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
      await visit.page.getByText("once is revoked.").waitFor();
      await visit.close();
    });

    for (const look of looksNow)
      test(`${look}: search, one's own nodes and a node's page are accessible and fit`, async () => {
        const visit = await scene().visit(look);
        for (const [name, path, text] of [
          ["nodes", "/console/nodes?q=lght", "Light <b>tools</b>"],
          ["nodes-yours", "/console/nodes?tab=yours", "light-tools"],
          ["nodes-node", "/console/nodes/light-tools?tab=versions", "python_eval"],
          ["nodes-readme", "/console/nodes/light-tools", "README.md of 0.3.0"],
          ["nodes-review-flagged", "/console/nodes?tab=review&show=flagged", "Review"],
        ] as const) {
          await visit.open(path);
          await visit.page.getByText(text, { exact: true }).first().waitFor();
          await requireFitting(visit, name);
        }
        await visit.close();
      });
  });
}

function badgePages(scene: () => Scene): void {
  describe("badges", () => {
    test("the map is for one version and platform, shows its ETag, and can be searched by part of a node's id", async () => {
      const visit = await scene().visit();
      await visit.open("/console/badges?version=0.3.40&platform=local");
      // Each content coding of an answer has its own ETag, so ask in the browser.
      const { etag, nodes } = await visit.page.evaluate<{ etag: string; nodes: string[] }>(`
        fetch("/nodes/pricing/badges?app_version=0.3.40&platform=local")
          .then(async (answer) => ({ etag: answer.headers.get("etag"), nodes: Object.keys(await answer.json()) }))`);
      await visit.page.getByText(etag, { exact: true }).waitFor();
      await visit.page.getByRole("heading", { name: `${nodes.length} badges` }).waitFor();
      await visit.page.getByRole("textbox", { name: "Node" }).fill(nodes[0] ?? "");
      await visit.page.waitForURL("**q=**");
      await visit.page.getByRole("link", { name: `Preview ${nodes[0]}`, exact: true }).click();
      await visit.page.getByRole("textbox", { name: "Badge as JSON" }).waitFor();
      await visit.close();
    });

    test("a badge preview shows the evaluated context, the label, and which cases pass", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/badges?tab=preview");
      await page.getByText("3 of 3 pass").waitFor();
      assert.match((await page.locator("pre[data-context]").textContent()) ?? "", /"quality": "high"/);
      await page.getByRole("textbox", { name: "seconds", exact: true }).fill("10");
      await page.getByText("170.9 credits/Run").first().waitFor();
      await page.getByText("$0.81/Run").first().waitFor();
      await page.getByRole("textbox", { name: "Expected label of case 3" }).fill("by the hour");
      await page.getByText("2 of 3 pass").waitFor();
      await page.getByRole("button", { name: "Add current state" }).click();
      await page.getByText("3 of 4 pass").waitFor();
      await page.reload();
      await page.getByText("3 of 4 pass").waitFor();
      await type(page, makeBadge("widgets.seconds +"));
      await page.getByText("S0207").first().waitFor();
      await page.locator(".cm-mistake").first().waitFor();
      await visit.close();
    });

    test("a hostile pattern is reported as too slow, and the page keeps drawing", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/badges?tab=preview");
      await page.getByText("3 of 3 pass").waitFor();
      await page.evaluate(`(() => {
        window.frames0 = 0; window.longest = 0; let before = performance.now();
        const draw = (now) => { window.longest = Math.max(window.longest, now - before); before = now; window.frames0++; requestAnimationFrame(draw); };
        requestAnimationFrame(draw);
      })()`);
      const input = `${"a".repeat(40)}!`;
      await type(
        page,
        makeBadge(`$match('${input}', /^(a+)+$/) ? {'type': 'usd', 'usd': 1} : {'type': 'text', 'text': 'no'}`),
      );
      await page.getByText("The expression took too long").waitFor();
      await page.getByRole("cell", { name: "took too long" }).nth(2).waitFor();
      await page.evaluate(`new Promise((done) => {
        const begun = window.frames0;
        const look = () => window.frames0 > begun + 5 ? done() : requestAnimationFrame(look);
        look();
      })`);
      // Evaluated on the page, this pattern would block it for far longer than a test may last.
      assert.ok((await page.evaluate<number>("window.longest")) < 5_000);
      await type(page, makeBadge("{'type': 'usd', 'usd': 1}"));
      await page.getByText("211 credits/Run").first().waitFor();
      await visit.close();
    });

    test("an operator tries a badge on the server, publishes it, sees who gets it, and ends it", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/badges?tab=preview&node=MyFilmNode");
      await page.getByText("3 of 3 pass").waitFor();
      await page.getByRole("button", { name: "Check on the server" }).click();
      await page.getByText("The server accepts it").waitFor();
      await page.getByRole("button", { name: "Publish badge" }).click();
      await page.getByText("Published. Clients now get this badge for MyFilmNode.").waitFor();
      await page.getByText("this badge", { exact: true }).first().waitFor();
      await visit.picture("badges-published");
      await page.getByRole("tab", { name: "Stored" }).click();
      await page.getByRole("button", { name: "End MyFilmNode" }).click();
      await page.getByRole("button", { name: "End badge" }).click();
      await page.getByText("The badge of MyFilmNode has ended.").waitFor();
      await visit.close();
    });

    for (const look of looksNow)
      test(`${look}: the map, the previewer and the stored rows are accessible and fit`, async () => {
        const visit = await scene().visit(look);
        for (const [name, path, text] of [
          ["badges", "/console/badges", "Default label"],
          ["badges-preview", "/console/badges?tab=preview&node=MyFilmNode", "3 of 3 pass"],
          ["badges-rows", "/console/badges?tab=rows", "Stored"],
        ] as const) {
          await visit.open(path);
          await visit.page.getByText(text).first().waitFor();
          await requireFitting(visit, name);
        }
        await visit.close();
      });
  });
}

function referencePages(scene: () => Scene): void {
  describe("the API reference", () => {
    for (const look of looksNow)
      test(`${look}: bar, navigation, search and an operation are accessible`, async () => {
        const visit = await scene().visit(look);
        const { page } = visit;
        await page.goto("/docs#invokeModel");
        // Every area is built like the first ones; checking all of them takes minutes.
        await page.evaluate(
          `document.querySelectorAll("main > section:nth-of-type(n + 3)").forEach((it) => it.remove())`,
        );
        await visit.picture("docs-operation-open");
        // From the top, so that the sticky bar covers nothing.
        await page.evaluate("scrollTo(0, 0)");
        await requireFitting(visit, "docs-operation");
        await page.keyboard.press("/");
        await page.keyboard.type("model");
        await page.getByRole("option").first().waitFor();
        await requireFitting(visit, "docs-search");
        await page.keyboard.press("Escape");
        await page.getByRole("link", { name: "Console", exact: true }).click();
        await page.getByRole("heading", { level: 1 }).waitFor();
        await visit.close();
      });
  });
}

const hostileReadme = `# Light tools

<img src="https://evil.example/pixel.png" onerror="alert(1)"> Measures light. <script>alert(2)</script>
![A picture](https://pictures.example/shot.png) and [its documents](https://docs.example/lights).
[Click me](javascript:alert(3)) or [me](data:text/html,hello).

## Install

\`\`\`sh
pip install light-tools
\`\`\`

| Class | What it does |
|---|---|
| LightMeter | Tells how bright a **picture** is |

- mends *dark* corners
- \u202emeasures\u202c \`IMAGE\` inputs
`;

const makeBadge = (expr: string): string =>
  JSON.stringify({
    engine: "jsonata",
    depends_on: { widgets: [{ name: "seconds", type: "INT" }], inputs: [], input_groups: [] },
    expr,
  });

// As a person pastes: all of it in one go.
async function type(page: Page, text: string): Promise<void> {
  await pasteInto(page.getByRole("textbox", { name: "Badge as JSON" }), text);
}

async function requireFitting(visit: Visit, name: string): Promise<void> {
  await visit.picture(name);
  assert.ok((await overflowOf(visit.page)) <= 0, name);
  await visit.requireAccessible();
}

async function makeToken({ page }: Visit, name = "ci"): Promise<string> {
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Create token" }).click();
  const token = await textOf(page, "Token");
  await page.getByRole("button", { name: "Copy token" }).and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: "I've copied it" }).click();
  return token;
}

async function textOf(page: Page, label: string): Promise<string> {
  return (await page.getByRole("region", { name: label, exact: true }).textContent()) ?? "";
}

// As the command line does it: the token in the body, then the bytes to the address that the answer names.
async function announce({ baseUrl }: Scene, token: string, nodeId: string, version: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/publishers/${studio}/nodes/${nodeId}/versions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      personal_access_token: token,
      node_version: { version, changelog: "Better light.", dependencies: ["numpy"] },
    }),
  });
  const body = (await answer.json()) as { signedUrl: string };
  assert.equal(answer.status, 201, JSON.stringify(body));
  return body.signedUrl;
}

async function upload(url: string, nodeId: string, version: string, code: string, readme = ""): Promise<void> {
  const bytes = craftZip([
    { name: "pyproject.toml", bytes: manifestText({ publisherId: studio, nodeId, version }) },
    { name: "__init__.py", bytes: code },
    ...(readme === "" ? [] : [{ name: "README.md", bytes: readme }]),
  ]);
  const answer = await fetch(url, { method: "PUT", body: new Uint8Array(bytes) });
  assert.equal(answer.status, 200, await answer.text());
}
