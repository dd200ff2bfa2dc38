// Without a pointer: every step by keys that a person presses, from one page to the next. The test never sets the focus
// itself.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { pictureOf } from "./gallery.pages.ts";
import type { LookName, Scene } from "./scene.ts";

export function keyboardPages(scene: () => Scene): void {
  describe("by keyboard alone", () => {
    test("make a key, run a model, open the viewer, compare two pictures, close", () => journey(scene(), "light"));
  });
}

async function journey(scene: Scene, look: LookName): Promise<void> {
  await Promise.all([pictureOf(scene, 0x2f5d50, "green"), pictureOf(scene, 0xe9b44c, "gold")]);
  const visit = await scene.visit(look);
  const { page } = visit;
  const { keyboard } = page;
  await visit.open("/");
  await skipsToPage(page);
  await makesKey(page, look);
  await runsModel(page);
  await goTo(page, "Gallery");
  await page.locator("[data-tile] img").nth(1).waitFor();
  await tabTo(page, /, Image/);
  await keyboard.press("Home");
  const first = await focused(page);
  await keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("img").first().waitFor();
  await keyboard.press("+");
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowLeft");
  await keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal(await focused(page), first, "the focus is back where it was");
  await keyboard.press(" ");
  await keyboard.press("ArrowRight");
  await keyboard.press(" ");
  await page.getByText("2 selected").waitFor();
  await keyboard.press("c");
  await page.getByRole("dialog", { name: "Compare 2 images" }).waitFor();
  await tabTo(page, /./, "input[type=range]");
  const before = await page.getByRole("slider").inputValue();
  await keyboard.press("ArrowRight");
  assert.notEqual(await page.getByRole("slider").inputValue(), before);
  await keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await keyboard.press("Escape");
  await page.getByText("2 selected").waitFor({ state: "detached" });
  await visit.close();
}

// The first tab stop of every page skips the navigation.
async function skipsToPage(page: Page): Promise<void> {
  await page.keyboard.press("Tab");
  assert.match(await focused(page), /Skip to content/);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate("document.activeElement.id || location.hash.slice(1)"), "page");
}

async function makesKey(page: Page, look: string): Promise<void> {
  await goTo(page, "API keys");
  await tabTo(page, /^New key/);
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name" }).waitFor();
  await page.keyboard.type(`by keyboard ${look}`);
  await page.keyboard.press("Enter");
  await page.getByText("Waiting for the first call…").waitFor();
  assert.match(await focused(page), /Copy key/, "the focus is at what is to be done now");
  // The focus stays within the dialog, all the way round.
  for (let press = 0; press < 15; press++) {
    await page.keyboard.press("Tab");
    const isWithin =
      "!!document.activeElement.closest('dialog, [role=dialog]') || document.activeElement === document.body";
    assert.equal(await page.evaluate(isWithin), true, `${await focused(page)} is outside`);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.match(await focused(page), /New key/, "the focus is back at the button");
}

async function runsModel(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or paste an ID" }).waitFor();
  await page.keyboard.type("sandbox/image-1");
  await page
    .getByRole("option", { name: /sandbox\/image-1/ })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/console/models/sandbox/image-1*");
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  await tabTo(page, /^Prompt/);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("a house by keyboard");
  await tabTo(page, /^Run$/);
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: /^Result 1 of/ }).waitFor();
  await page.getByText("Saved to the gallery").waitFor();
}

async function goTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or paste an ID" }).waitFor();
  await page.keyboard.type(name);
  await page
    .getByRole("option", { name: new RegExp(name) })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

// Presses Tab until it is there, as a person does; each stop must be visible.
async function tabTo(page: Page, name: RegExp, selector = "*"): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < 150; press++) {
    await page.keyboard.press("Tab");
    const at = await focused(page);
    passed.push(at);
    if (!(await isRinged(page))) assert.fail(`the focus is not to be seen at ${at}`);
    const isOne = await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`);
    if (isOne && (selector !== "*" || name.test(at))) return;
  }
  assert.fail(`Tab never came to ${name}: ${passed.join(" | ")}`);
}

// The accessible name of the focused element.
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const at = document.activeElement;
    const words = at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent ?? "";
    return words.trim() || at.tagName;
  })()`);

// An outline, a shadow or a border that appears with the focus; native controls draw their own.
const isRinged = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const at = document.activeElement;
    if (at === document.body) return true;
    const ring = (each) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
      return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
    };
    // A range that lies unseen over its picture marks the handle beside it.
    const beside = at.matches("input[type=range]") ? [...at.parentElement.querySelectorAll("*")] : [];
    return ring(at) || ring(at.parentElement) || beside.some(ring);
  })()`);
