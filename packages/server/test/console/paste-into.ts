// Replaces all of an editor's text by keys, as a person does. Playwright's fill makes the browser carry styles over from
// the old text in attributes, which our pages' policy forbids and no key does.
import type { Locator } from "playwright-core";

export async function pasteInto(editor: Locator, text: string): Promise<void> {
  const { keyboard } = editor.page();
  await editor.focus();
  await keyboard.press("Control+a");
  await keyboard.insertText(text);
}
