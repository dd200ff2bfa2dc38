// A node publisher: a publisher created in place; a node started, checked and published from a terminal; its version seen
// to become active; and the price rule that its badge shows.
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { choosePage } from "./choose-page.ts";
import { type ShellFolder, shellFolder } from "./in-shell.ts";
import { pasteInto } from "./paste-into.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

export async function publisher(scene: Scene, look: LookName): Promise<void> {
  const [studio, node] = [`lamp-works-${look}`, `lamp-${look}`];
  const shell = shellFolder(scene);
  const visit = await scene.visit(look);
  const { page } = visit;
  try {
    await becomesPublisher(visit, studio, node);
    // As the page shows them, with this node's name.
    const lines = await page.locator("ol pre code").allTextContents();
    const said = (word: string) =>
      lines.find((line) => line.includes(word))?.replaceAll("my-node", node) ?? assert.fail(`no ${word}`);
    const [validate, dry] = [said("validate"), said("--dry-run")];
    const here = { ATELIER_BASE_URL: scene.baseUrl };
    const made = await shell.run(said("init"), "shell", here);
    assert.equal(made.code, 0, made.err);
    // Two things that the registry would flag, each with file and line.
    appendFileSync(join(shell.path, node, "__init__.py"), "\neval(input())\nexec('1')\n");
    const checked = await shell.run(validate, "shell", here);
    assert.notEqual(checked.code, 0);
    assert.equal(`${checked.out}${checked.err}`.match(/__init__\.py:\d+/g)?.length, 2, checked.out);
    await shell.run(`sed -i -e '/^eval/d' -e '/^exec/d' ${node}/__init__.py`);
    assert.equal((await shell.run(validate, "shell", here)).code, 0);
    const tried = await shell.run(dry, "shell", here);
    assert.match(tried.out, /Nothing was sent/);
    assert.equal((await scene.server.call({ path: `/nodes/${node}` })).status, 404, "nothing was sent");
    const sent = shell.run(said(`publish my-node`).replace(" --dry-run", ""), "shell", here);
    await watchesVersion(scene, visit, node);
    assert.equal((await sent).code, 0, (await sent).err);
    await appeals(scene, visit, shell, studio, node);
    await writesBadge(visit, `LampNode${look}`);
  } finally {
    shell.close();
  }
  await visit.close();
}

async function becomesPublisher(visit: Visit, studio: string, node: string): Promise<void> {
  const { page } = visit;
  await visit.open("/");
  await choosePage(visit, "Nodes");
  await page.getByRole("tab", { name: "Yours" }).click();
  const another = page.getByRole("button", { name: "New publisher" });
  const name = page.getByRole("textbox", { name: "Name" });
  // In place if there is none yet, else behind a button.
  await another.or(name).first().waitFor();
  if (await another.isVisible()) await another.click();
  await name.fill(studio);
  await page.getByText("Available. You can't change it later.").waitFor();
  await page.getByRole("button", { name: "Create publisher" }).click();
  await page.waitForURL(new RegExp(`publisher=${studio}`));
  await page.getByText(`atelier nodes init my-node --publisher ${studio}`).waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-publisher");
  assert.ok(!(await page.content()).includes(node));
}

// From its first state to active, without a reload once it is there.
async function watchesVersion(scene: Scene, visit: Visit, node: string): Promise<void> {
  const { page } = visit;
  while ((await scene.server.call({ path: `/nodes/${node}` })).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 100));
  await visit.open(`/console/nodes/${node}?tab=versions`);
  await page.locator("[data-state=NodeVersionStatusActive]").waitFor();
  await page.getByRole("heading", { level: 2, name: "0.1.0" }).waitFor();
  await page.getByText(`nodes install ${node}`).first().waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-publisher-version");
}

// A version that the checks flag although it is harmless: the publisher says why, an operator reads it with the line of
// source and lets it through, and the publisher sees that.
async function appeals(scene: Scene, visit: Visit, shell: ShellFolder, studio: string, node: string): Promise<void> {
  const { page } = visit;
  const here = { ATELIER_BASE_URL: scene.baseUrl };
  await shell.run(`sed -i 's/0\\.1\\.0/0.2.0/' ${node}/pyproject.toml && printf 'eval("1")\\n' >> ${node}/__init__.py`);
  await shell.run(`printf '# Lamps of %s\\n\\nFor **dark** rooms.\\n' ${node} > ${node}/README.md`);
  const flagged = await shell.run(`atelier nodes publish ${node} --anyway`, "shell", here);
  assert.notEqual(flagged.code, 0);
  await page.reload();
  const version = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "0.2.0" }) });
  await version.getByText('eval("1")').waitFor();
  await version.getByRole("button", { name: "Appeal" }).click();
  await page.getByRole("textbox", { name: "Why are the findings harmless?" }).fill("It adds nothing to nothing.");
  await page.getByRole("button", { name: "Send appeal" }).click();
  await version.getByText("Your appeal is waiting for an operator.").waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-publisher-appeal");

  await choosePage(visit, "Nodes");
  await page.getByRole("tab", { name: "Review" }).click();
  await page.getByText('eval("1")').waitFor();
  await visit.picture("persona-publisher-review");
  await page.getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("dialog", { name: `Approve ${node} 0.2.0?` });
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Read it; it is fine.");
  await dialog.getByRole("button", { name: "Approve" }).click();
  await page.getByText("No appeals are waiting").waitFor();
  await page.getByRole("tab", { name: "Yours" }).click();
  const publishers = page.getByRole("combobox", { name: "Publisher" });
  const row = page.getByRole("row").filter({ hasText: node });
  // With several publishers, one chooses first.
  await publishers.or(row).first().waitFor();
  if (await publishers.isVisible()) await publishers.selectOption(studio);
  await row.getByRole("link").first().click();
  await page.getByRole("heading", { level: 3, name: `Lamps of ${node}` }).waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-publisher-readme");
  await page.getByRole("tab", { name: "Versions" }).click();
  await page.getByText("Read it; it is fine.").first().waitFor();
}

// `0.02` a picture, twice that for the large size, and a word if no size is chosen.
const rule = JSON.stringify({
  engine: "jsonata",
  depends_on: {
    widgets: [
      { name: "size", type: "COMBO" },
      { name: "count", type: "INT" },
    ],
    inputs: [],
    input_groups: [],
  },
  expr: `widgets.size = null or widgets.count = null
    ? {'type': 'text', 'text': 'by the picture'}
    : {'type': 'usd', 'usd': widgets.count * (widgets.size = 'large' ? 0.04 : 0.02)}`,
});

async function writesBadge(visit: Visit, node: string): Promise<void> {
  const { page } = visit;
  await visit.open(`/console/badges?tab=preview&node=${node}`);
  await pasteInto(page.getByRole("textbox", { name: "Badge as JSON" }), rule);
  await page.getByRole("columnheader", { name: "count" }).waitFor();
  const cases = [
    ["small", "1", "4.2 credits/Run"],
    ["Large", "2", "16.9 credits/Run"],
    ["", "", "by the picture"],
  ] as const;
  for (const [at, [size, count, label]] of cases.entries()) {
    await page.getByRole("textbox", { name: `size of case ${at + 1}` }).fill(size);
    await page.getByRole("textbox", { name: `count of case ${at + 1}` }).fill(count);
    await page.getByRole("textbox", { name: `Expected label of case ${at + 1}` }).fill(label);
  }
  await page.getByText("3 of 3 pass").waitFor();
  await visit.requireAccessible();
  await page.getByRole("button", { name: "Publish badge" }).click();
  await page.getByText(`Published. Clients now get this badge for ${node}.`).waitFor();
  const row = page.getByRole("row", { name: /0\.3\.40/ });
  await row.getByText("this badge", { exact: true }).nth(1).waitFor();
  await visit.picture("persona-publisher-badge");
}
