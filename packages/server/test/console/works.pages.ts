// Works as people use them: a workflow gets a form, is published and shared; another person makes a picture with the link, without
// an account and without a graph.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CreatedWorkLink, JobPage, Work, WorkflowForm, WorkVersion } from "@atelier/contract";
import { textOf } from "../support/app-client.ts";
import { holds } from "./holds.ts";
import { noisyGraph } from "./jobs.pages.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

const buttonOf = ({ page }: Visit, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const tab = ({ page }: Visit, name: string) => page.getByRole("tab", { name, exact: true });

export function worksPages(scene: () => Scene): void {
  describe("works", () => {
    test("a workflow gets a form, is published and shared, and a person with the link makes a picture", () =>
      tellsStory(scene(), "light"));

    test("a work is shared, gets an earlier version as its current one, is deprecated and withdrawn", () =>
      changesWork(scene()));

    test("a refusal of the server is shown at the input that it is about", () => refusesForm(scene()));
  });
}

export async function tellsStory(scene: Scene, look: LookName): Promise<void> {
  const name = `grain-${look}`;
  const visit = await scene.visit(look);
  await saves(visit, name);
  await makesForm(visit);
  await savesForm(scene, visit);
  await publishes(scene, visit, name);
  const url = await makesLink(visit);
  await visitorMakesPicture(scene, look, url);
  await equalBytes(scene, visit, name);
  await memberFindsRuns(scene, look, name);
  await endsLink(scene, visit, url);
  await visit.close();
}

async function saves(visit: Visit, name: string): Promise<void> {
  const { page } = visit;
  await visit.open("/console/workflows");
  await page.getByLabel("Workflow file").setInputFiles({
    name: `${name}.json`,
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(noisyGraph(11))),
  });
  await buttonOf(visit, "Save workflow").click();
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL(/\/console\/workflows\/[0-9a-f-]{36}$/);
}

// Chooses a value in the list, says what people see, and looks at it in the preview.
async function makesForm(visit: Visit): Promise<void> {
  const { page } = visit;
  await tab(visit, "Form").click();
  const strength = page.getByRole("checkbox", { name: "strength of Grain" });
  await strength.setChecked(true);
  const row = page.locator('[data-input="strength"]');
  await row.getByRole("button", { expanded: false }).first().click();
  await row.getByRole("textbox", { name: "Label" }).fill("How much grain");
  await row.getByLabel("Group").fill("Look");
  await row.getByRole("textbox", { name: "Maximum" }).fill("0.9");
  await buttonOf(visit, "Move How much grain up").click();
  const preview = page.locator("[data-preview]");
  await preview.getByRole("group", { name: "Look" }).getByRole("textbox", { name: "How much grain" }).fill("2");
  await preview.getByText("Must be at most 0.9.").waitFor();
  await preview.getByRole("textbox", { name: "How much grain" }).fill("0.2");
  await buttonOf(visit, "Keep as an example").click();
  // From the top: a control half covered by the bar counts as too small.
  await page.evaluate("scrollTo(0, 0)");
  await visit.requireAccessible();
  await visit.picture("works-form");
}

// As the next version. Another person saves one meanwhile; the form then goes with theirs.
async function savesForm({ server }: Scene, visit: Visit): Promise<void> {
  const { page } = visit;
  const path = `/account/workflows/${/workflows\/([0-9a-f-]{36})/.exec(page.url())?.[1]}`;
  const save = page.getByRole("dialog").getByRole("button", { name: "Save", exact: true });
  await buttonOf(visit, "Save form").click();
  await page.getByRole("dialog", { name: "Save the form as version 2" }).getByLabel("Note").fill("Grain can be set.");
  await visit.requireAccessible();
  await visit.picture("works-save-form");
  await save.click();
  await page.getByText("Saved the form as version 2.").waitFor();
  await page.getByText("This form is saved with this version.").waitFor();
  assert.equal(await buttonOf(visit, "Save form").getAttribute("aria-disabled"), "true");

  const theirs = { document: noisyGraph(12), note: "Another seed." };
  assert.equal((await server.call({ method: "POST", path: `${path}/versions`, body: theirs })).status, 201);
  await page.locator('[data-input="strength"]').getByRole("button", { expanded: false }).first().click();
  await page.locator('[data-input="strength"]').getByRole("textbox", { name: "Description" }).fill("Like old film.");
  await buttonOf(visit, "Save form").click();
  await save.click();
  await page.getByRole("dialog").getByText("Version 3 was saved while you worked on version 2.").waitFor();
  await visit.requireAccessible();
  await visit.picture("works-save-form-conflict");
  await page.getByRole("dialog").getByRole("button", { name: "Save with version 3" }).click();
  await page.getByText("Saved the form as version 4.").waitFor();
  const read = (await server.call({ path: `${path}/form` })).json() as WorkflowForm;
  const grain = read.form.inputs.find(({ name }) => name === "strength");
  assert.deepEqual([read.version, read.source, grain?.description], [4, "saved", "Like old film."]);
  const { text } = await server.call({ path: `${path}/versions/4/document` });
  assert.match(text, /"seed":12/, "their change is in it");
}

async function publishes(scene: Scene, visit: Visit, name: string): Promise<void> {
  const { page } = visit;
  await buttonOf(visit, "Publish…").click();
  const dialog = page.getByRole("dialog", { name: "Publish as a work" });
  await dialog.getByRole("textbox", { name: "Title", exact: true }).fill("Grain");
  await dialog.getByRole("textbox", { name: "Description" }).fill("A green field with grain.");
  await dialog.getByRole("textbox", { name: "Title of example 1" }).fill("A little");
  await visit.requireAccessible();
  await visit.picture("works-publish");
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await page.waitForURL(`**/console/works/${name}`);
  await page.getByRole("heading", { level: 1, name: "Grain", exact: true }).waitFor();
  await page.getByRole("heading", { name: "A little" }).waitFor();
  const pictured = `document.querySelector('[class*="example"] img')?.naturalWidth > 0`;
  await holds(page, pictured);
  await visit.requireAccessible();
  await visit.picture("works-work");
  const { form, examples } = await versionOf(scene, name);
  const strength = form.inputs.find(({ name: each }) => each === "strength");
  assert.deepEqual([strength?.label, strength?.group, strength?.maximum], ["How much grain", "Look", 0.9]);
  assert.deepEqual(
    examples.map(({ title, inputs }) => [title, inputs["strength"]]),
    [["A little", 0.2]],
  );
}

async function makesLink(visit: Visit): Promise<string> {
  const { page } = visit;
  await tab(visit, "Links").click();
  await buttonOf(visit, "Make a link").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "For whom" }).fill("The client");
  await dialog.getByRole("textbox", { name: "Budget in credits" }).fill("5");
  await dialog.getByRole("button", { name: "Make link" }).click();
  const url = (await dialog.locator("code").textContent()) ?? "";
  await visit.requireAccessible();
  await visit.picture("works-link");
  await dialog.getByRole("button", { name: "Done" }).click();
  assert.match(url, /\/w\/w\.[^/]+\/[^/]+#key=/);
  const shown = await page.locator("body").innerText();
  assert.ok(!shown.includes(url.split("#key=")[1] ?? ""), "it is shown this once");
  return url;
}

// Without an account. Nothing of the key stays in the address.
async function visitorMakesPicture(scene: Scene, look: LookName, url: string): Promise<void> {
  const visit = await scene.visit(look, { signedIn: false });
  const { page } = visit;
  await page.goto(url.slice(new URL(url).origin.length));
  await page.getByRole("heading", { level: 1, name: "Grain", exact: true }).waitFor();
  assert.equal(new URL(page.url()).hash, "");
  assert.equal(await page.getByRole("navigation").count(), 0, "there is no console around it");
  await holds(page, `document.querySelector('img[alt="An example of Grain"]')?.naturalWidth === 256`);
  await page
    .getByRole("status", { name: "What it costs" })
    .getByText(/Free|credits/)
    .waitFor();
  await visit.requireAccessible();
  await visit.picture("works-visitor");
  const grain = page.getByRole("textbox", { name: "How much grain" });
  await page.getByRole("button", { name: "A little" }).click();
  assert.equal(await grain.inputValue(), "0.2", "an example fills the form");
  await grain.fill("0.7");
  await page.getByRole("textbox", { name: "Seed" }).fill("7");
  await buttonOf(visit, "Run").click();
  const result = page.getByRole("region", { name: "Result" });
  await result.getByRole("img", { name: "Result 1 of Grain" }).waitFor();
  await holds(page, `document.querySelector('img[alt="Result 1 of Grain"]')?.naturalWidth === 256`);
  await visit.requireAccessible();
  await visit.picture("works-visitor-result");
  // A reload finds the key and the picture again.
  await page.reload();
  await result.getByRole("img", { name: "Result 1 of Grain" }).waitFor();
  await reloadsTooSoon(visit);
  const over = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
  assert.ok(over <= 0, `it scrolls sideways by ${over}`);
  await visit.close();
}

// A reload before the server has even answered: the run goes on under its key, and is made once.
async function reloadsTooSoon(visit: Visit): Promise<void> {
  const { page } = visit;
  const keys: (string | undefined)[] = [];
  await page.route(/\/v1\/models\/[^/]+\/[^/]+\/requests$/, async (route) => {
    const isFirst = keys.push(route.request().headers()["idempotency-key"]) === 1;
    // Arrives, and its answer finds nobody.
    if (isFirst) await route.fetch().catch(() => undefined);
    else await route.continue();
  });
  await page.getByRole("textbox", { name: "How much grain" }).fill("0.7");
  await page.getByRole("textbox", { name: "Seed" }).fill("7");
  await buttonOf(visit, "Run again").click();
  await holds(page, `Object.keys(sessionStorage).some((name) => name.startsWith("atelier.started."))`);
  await page.reload();
  await buttonOf(visit, "Show what you made, 2").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Show what you made/ }).count(), 2);
  assert.equal(new Set(keys).size, 1, "every attempt has the same key");
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

// The visitor's page, the playground and the API run the same work.
async function equalBytes({ server }: Scene, visit: Visit, name: string): Promise<void> {
  const { page } = visit;
  const back = page.url();
  const { id } = (await server.call({ path: `/account/works/${name}` })).json() as Work;
  await visit.open(`/console/models/${id}`);
  await page.getByRole("textbox", { name: "How much grain" }).fill("0.7");
  await page.getByRole("textbox", { name: "Seed" }).fill("7");
  await buttonOf(visit, "Run").click();
  await holds(page, `document.querySelector('[data-phase="done"] img')?.naturalWidth === 256`);
  const body = { strength: 0.7, seed: 7 };
  assert.equal((await server.call({ method: "POST", path: `/v1/models/${id}`, body })).status, 200);
  const ran = await server.call({ path: `/api/v2/jobs?metadata[work]=${encodeURIComponent(`${id}.v1`)}` });
  const hashes = (ran.json() as JobPage).data.map(({ outputs }) => outputs[0]?.hash);
  // Two from the visitor, of which one was sent twice; the playground's and the API's.
  assert.deepEqual(hashes, new Array(4).fill(hashes[0]));
  await page.goto(back);
}

// A member's runs are on the server: those of the playground are on the work's own page, and those of the page are there in a browser
// that has never seen it.
async function memberFindsRuns(scene: Scene, look: LookName, name: string): Promise<void> {
  const { id } = (await scene.server.call({ path: `/account/works/${name}` })).json() as Work;
  for (const [isNew, count] of [
    [false, 1],
    [true, 2],
  ] as const) {
    const { page, close, requireAccessible } = await scene.visit(look);
    await page.goto(`/w/${id}`);
    const runs = page.getByRole("button", { name: /^Show what you made/ });
    await runs.nth(count - 1).waitFor();
    await page.getByRole("heading", { name: "Your runs" }).waitFor();
    await runs.first().click();
    await holds(page, `document.querySelector('img[alt="Result 1 of Grain"]')?.naturalWidth === 256`);
    await requireAccessible();
    if (!isNew) {
      const kept = page.waitForResponse(
        (answer) => answer.request().method() === "POST" && answer.url().endsWith("/playground-runs"),
      );
      await page.getByRole("button", { name: /^Run/ }).click();
      assert.equal((await kept).status(), 201);
    }
    await close();
  }
}

async function endsLink(scene: Scene, visit: Visit, url: string): Promise<void> {
  const { page } = visit;
  await buttonOf(visit, "End").first().click();
  await page.getByRole("dialog").getByRole("button", { name: "End" }).click();
  await page.getByText("Ended early").waitFor();
  const visitor = await scene.visit("light", { signedIn: false });
  await visitor.page.goto(url.slice(new URL(url).origin.length));
  await visitor.page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await visitor.close();
}

async function changesWork(scene: Scene): Promise<void> {
  const { server } = scene;
  const workflow = await saveGraph(scene, "changing");
  for (const seed of [1, 2]) {
    const body = { document: noisyGraph(seed) };
    assert.equal(
      (await server.call({ method: "POST", path: `/account/workflows/${workflow}/versions`, body })).status,
      201,
    );
    const published = { workflow_id: workflow, examples: [], title: "Changing" };
    const { status } = await server.call({ method: "PUT", path: "/account/works/changing", body: published });
    assert.equal(status, seed === 1 ? 201 : 200);
  }
  const now = async () => (await server.call({ path: "/account/works/changing" })).json() as Work;
  const visit = await scene.visit();
  const { page } = visit;
  const dialog = page.getByRole("dialog");
  const pick = async (action: string) => {
    await buttonOf(visit, "More actions").click();
    await page.getByRole("menuitem", { name: action, exact: true }).click();
  };
  await visit.open("/console/works/changing");

  await pick("Title, description, who may call it");
  await dialog.getByRole("combobox", { name: "Who may call it" }).selectOption("public");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal((await now()).visibility, "public");

  await tab(visit, "Versions").click();
  await buttonOf(visit, "Make current").first().click();
  await page.getByText("Calls without a version now run version 1.").waitFor();
  assert.equal((await now()).version, 1);

  await pick("Deprecate");
  await dialog.getByLabel("Ends on").fill("2199-01-31");
  await dialog.getByRole("button", { name: "Deprecate", exact: true }).click();
  await page.getByText("Deprecated since").first().waitFor();
  const { deprecated_at, sunset_at } = await now();
  assert.ok(deprecated_at);
  assert.match(sunset_at ?? "", /^2199-01-3/);

  await pick("Withdraw");
  await dialog.getByRole("button", { name: "Withdraw", exact: true }).click();
  await page.waitForURL("**/console/works");
  assert.equal((await server.call({ path: "/account/works/changing" })).status, 404);
  await visit.close();
}

// The server knows the graph; the page only knows what it was given.
async function refusesForm(scene: Scene): Promise<void> {
  const visit = await scene.visit();
  const { page } = visit;
  const workflow = await saveGraph(scene, "refused");
  await page.route("**/form?**", async (route) => {
    const answer = await route.fetch();
    const given = (await answer.json()) as { form: { inputs: object[] } };
    given.form.inputs = [{ name: "gone", node: "99", input: "seed", kind: "integer", default: 1 }];
    await route.fulfill({ response: answer, json: given });
  });
  await visit.open(`/console/workflows/${workflow}?tab=form`);
  await buttonOf(visit, "Publish…").click();
  const dialog = page.getByRole("dialog", { name: "Publish as a work" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("refused");
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await dialog.getByRole("button", { name: "Show in the form" }).click();
  await page.locator('[data-input="gone"][data-wrong="true"]').getByText("Needs attention").waitFor();
  assert.equal((await scene.server.call({ path: "/account/works/refused" })).status, 404, "nothing was published");
  await visit.close();
}

async function saveGraph({ server }: Scene, name: string): Promise<string> {
  const body = { name: `${name} ${Date.now()}`, document: noisyGraph(12) };
  const saved = await server.call({ method: "POST", path: "/account/workflows", body });
  assert.equal(saved.status, 201, saved.text);
  return textOf(saved.json(), "id");
}

// Over HTTP, for the tests that walk through every page.
export async function makeWork(scene: Scene, name: string, more: object = {}): Promise<Work> {
  const body = { workflow_id: await saveGraph(scene, name), title: "A walked work", ...more };
  const path = `/account/works/${name}`;
  const made = await scene.server.call({ method: "PUT", path, body });
  assert.equal(made.status, 201, made.text);
  const link = { budget: "3", expires_at: new Date(Date.now() + 86_400_000).toISOString() };
  const linked = await scene.server.call({ method: "POST", path: `${path}/links`, body: link });
  assert.equal(linked.status, 201, linked.text);
  assert.ok((linked.json() as CreatedWorkLink).url);
  return made.json() as Work;
}

async function versionOf({ server }: Scene, name: string): Promise<WorkVersion> {
  return (await server.call({ path: `/account/works/${name}/versions/latest` })).json() as WorkVersion;
}
