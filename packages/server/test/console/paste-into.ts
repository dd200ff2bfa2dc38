// All of an editor's text anew, by keys, as a person does it. Not by Playwright's fill: it makes the browser carry styles over
// from the old text by attributes, which the policy of our pages forbids, and which no key does.
import type { Locator } from "playwright-core";

export async function pasteInto(editor: Locator, text: string): Promise<void> {
  const { keyboard } = editor.page();
  await editor.focus();
  await keyboard.press("Control+a");
  await keyboard.insertText(text);
}
