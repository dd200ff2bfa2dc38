// A developer: a call from a terminal appears in the console immediately, is changed in the playground, goes back into a
// program, and an error has the same id on both sides.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { until } from "../support/server-process.ts";
import { choosePage } from "./choose-page.ts";
import { holds } from "./holds.ts";
import { type ShellFolder, shellFolder } from "./in-shell.ts";
import { jumpTo } from "./jump.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

const model = "sandbox/image-1";

export async function developer(scene: Scene, look: LookName): Promise<void> {
  const shell = shellFolder(scene);
  const visit = await scene.visit(look);
  try {
    await callFromTerminal(scene, visit, shell);
    await changeInPlayground(visit);
    await takeToProgram(visit, shell);
    await meetError(scene, visit, shell);
  } finally {
    shell.close();
  }
  await visit.close();
}

// The console is open and live: the call's row appears while one looks, and is marked.
async function callFromTerminal(scene: Scene, visit: Visit, shell: ShellFolder): Promise<void> {
  const { page } = visit;
  await visit.open("/");
  await choosePage(visit, "Requests");
  await page.getByRole("button", { name: "Live" }).click();
  await page.getByRole("button", { name: "Live", pressed: true }).waitFor();
  const { out, err } = await shell.run(`curl -sS -i ${scene.baseUrl}/v1/models/${model} \
    -H "Authorization: Bearer $ATELIER_API_KEY" -H 'Content-Type: application/json' \
    -d '{"prompt": "a lighthouse at dusk", "seed": 42}'`);
  assert.match(out, /^HTTP\/1.1 200/, err);
  assert.match(out, /"url":\s?"http/);
  const row = page.locator("tr[data-fresh=true]").first();
  await row.waitFor();
  await row.getByRole("link", { name: model }).click();
  // Beside the list if there is room, else on a separate page.
  await page.waitForURL(/peek=|\/console\/requests\/[0-9a-f-]{36}/);
  const id = requestIn(out);
  assert.ok(page.url().includes(id), `${page.url()} is of ${id}`);
  await page.getByRole("link", { name: "Open in playground" }).click();
  await page.waitForURL(`**/console/models/${model}**`);
}

async function changeInPlayground({ page, picture }: Visit): Promise<void> {
  await page.getByRole("textbox", { name: "Prompt" }).fill("the same lighthouse, by night");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("img", { name: `Result 1 of ${model}` }).waitFor();
  await holds(page, "document.querySelector('figure img').naturalWidth > 0");
  await picture("persona-developer");
}

async function takeToProgram(visit: Visit, shell: ShellFolder): Promise<void> {
  const { page } = visit;
  await page.getByRole("tab", { name: "Code" }).click();
  await page.getByRole("tab", { name: "TypeScript" }).click();
  const install = await shell.run((await page.getByLabel("Install the SDK").textContent()) ?? "");
  assert.equal(install.code, 0, install.err);
  const copied = await copiedFrom(visit);
  assert.match(copied, /the same lighthouse, by night/);
  const ran = await shell.run(copied, "typescript");
  assert.equal(ran.code, 0, ran.err);
  await jumpTo(visit, requestIn(ran.out));
  await page.getByRole("main").getByText("Succeeded").first().waitFor();
}

// What the button copies to the clipboard, not what is displayed.
async function copiedFrom({ page, context }: Visit): Promise<string> {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy code" }).last().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  return page.evaluate<string>("navigator.clipboard.readText()");
}

async function meetError(scene: Scene, visit: Visit, shell: ShellFolder): Promise<void> {
  const { out, err, code } = await shell.run(
    `atelier models run ${model} --base-url ${scene.baseUrl} -i prompt=x -i simulate=refuse --json`,
  );
  assert.notEqual(code, 0);
  assert.match(`${out}${err}`, /content_policy_violation/);
  const id = requestIn(`${out}${err}`);
  await until("it is written down", async () => {
    return (await scene.server.call({ path: `/account/requests/${id}` })).status === 200;
  });
  await jumpTo(visit, id);
  await visit.page.getByRole("main").getByText("Refused by policy").first().waitFor();
  await visit.page.getByRole("main").getByText(id).first().waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-developer-error");
  await readsWhy(scene, visit, shell);
}

// A failed call says what the provider answered and what it cost; an error of any area is in the list, and leads to itself.
async function readsWhy(scene: Scene, visit: Visit, shell: ShellFolder): Promise<void> {
  const { page } = visit;
  const failed = await shell.run(
    `atelier models run ${model}-queued --base-url ${scene.baseUrl} -i prompt=x -i simulate=fail --json`,
  );
  assert.notEqual(failed.code, 0);
  await jumpTo(visit, requestIn(`${failed.out}${failed.err}`));
  await page.getByRole("region", { name: "Credits" }).getByText("Failed calls are not charged").waitFor();
  await page.getByRole("list", { name: "Provider attempts" }).waitFor();
  const { out } = await shell.run(
    `curl -sS ${scene.baseUrl}/api/v2/jobs/${randomUUID()} -H "Authorization: Bearer $ATELIER_API_KEY"`,
  );
  assert.match(out, /no such job/);
  await choosePage(visit, "Requests");
  await page.getByRole("tab", { name: "Errors" }).click();
  await page.getByRole("combobox", { name: "Status" }).selectOption("404");
  await page.getByRole("row").nth(1).getByText("There is no such job.").waitFor();
  await choosePage(visit, "Errors");
  await page.getByRole("table").getByRole("link", { name: model }).first().waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-developer-errors");
}

function requestIn(text: string): string {
  const named = /request[-_ ]?id["':\s]+([0-9a-f-]{36})/i.exec(text) ?? /^([0-9a-f-]{36})\b/m.exec(text);
  return named?.[1] ?? assert.fail(`no request id in ${text}`);
}
