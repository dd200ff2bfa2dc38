// A newcomer: types a prompt on the first page, finds the picture again, tries a model with a price, gets the same answer
// twice without paying twice, compares two models and takes the code to a terminal. By clicks alone.
import assert from "node:assert/strict";
import { choosePage } from "./choose-page.ts";
import { holds } from "./holds.ts";
import { shellFolder } from "./in-shell.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

export async function newcomer(scene: Scene, look: LookName): Promise<void> {
  const prompt = `a red house by the sea, ${look} ${Date.now()}`;
  const visit = await scene.visit(look);
  // Where the link of the first start leads.
  await visit.open("/");
  await makesPicture(visit, prompt);
  await findsPicture(visit, prompt);
  await triesModel(visit);
  await comparesModels(visit);
  await takesCode(scene, visit);
  await visit.close();
}

async function makesPicture({ page, picture, requireAccessible }: Visit, prompt: string): Promise<void> {
  await page.getByRole("textbox", { name: "Prompt" }).fill(prompt);
  await page.getByRole("status", { name: "Cost" }).getByText("Free").waitFor();
  await page.getByRole("button", { name: "Create" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await result.getByRole("img", { name: prompt }).waitFor();
  await holds(page, "document.querySelector('[data-phase=done] img')?.naturalWidth > 0");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    result.getByRole("button", { name: "Download" }).click(),
  ]);
  assert.match(file.suggestedFilename(), /\.png$/);
  await requireAccessible();
  await picture("persona-newcomer");
  await result.getByRole("link", { name: "Gallery" }).click();
}

// The viewer says what made it.
async function findsPicture({ page }: Visit, prompt: string): Promise<void> {
  const viewer = page.getByRole("dialog");
  await viewer.getByRole("img").first().waitFor();
  // Opens on its own if there is room.
  const info = viewer.getByRole("complementary", { name: "Details" });
  if ((page.viewportSize()?.width ?? 0) < 800) await page.keyboard.press("i");
  await info.getByText(prompt).first().waitFor();
  await page.keyboard.press("Escape");
  await viewer.waitFor({ state: "detached" });
}

async function triesModel(visit: Visit): Promise<void> {
  const { page } = visit;
  await choosePage(visit, "Models");
  await page.getByRole("link", { name: "Sandbox Video 1", exact: true }).click();
  const estimate = page.getByRole("status", { name: "Estimate" });
  await estimate.getByText(/ s × [\d.]+/).waitFor();
  await estimate.getByText(/^Balance [\d,.]+/).waitFor();
  await page.goBack();
  await page
    .getByRole("link", { name: /^Sandbox Image 1, queued$/ })
    .first()
    .click();
  await page.getByRole("textbox", { name: "Prompt" }).fill("a fox in the snow");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const history = page.getByRole("region", { name: "Your runs" });
  await history
    .getByRole("button", { name: /a fox in the snow/ })
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Run again with the same key" }).click();
  await page.getByText("Replayed, not charged").waitFor();
  await visit.requireAccessible();
  await visit.picture("persona-newcomer-playground");
}

async function comparesModels(visit: Visit): Promise<void> {
  const { page } = visit;
  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await page.getByRole("combobox", { name: "Add a model" }).selectOption("sandbox/image-1");
  await page.getByRole("textbox", { name: "Prompt" }).fill("a quiet lake");
  await page.getByRole("button", { name: "Run all 2" }).click();
  for (const model of ["sandbox/image-1", "sandbox/image-1-queued"])
    await page.getByRole("region", { name: model, exact: true }).locator("img").waitFor();
  // Each lane holds what it shows.
  await holds(
    page,
    `[...document.querySelectorAll("main section")].every((lane) => lane.scrollWidth <= lane.clientWidth + 1)`,
  );
  await visit.requireAccessible();
  await visit.picture("persona-newcomer-compare");
}

async function takesCode(scene: Scene, visit: Visit): Promise<void> {
  const { page } = visit;
  await choosePage(visit, "Models");
  await page.getByRole("link", { name: "Sandbox Image 1", exact: true }).click();
  await page.getByRole("textbox", { name: "Prompt" }).fill("from a terminal");
  await page.getByRole("tab", { name: "Code" }).click();
  await page.getByRole("tab", { name: "curl" }).click();
  const code = (await page.getByRole("tabpanel").last().locator("pre code").first().textContent()) ?? "";
  const shell = shellFolder(scene);
  try {
    const ran = await shell.run(code);
    assert.equal(ran.code, 0, ran.err);
    assert.match(ran.out, /"url":\s?"http/);
  } finally {
    shell.close();
  }
}
