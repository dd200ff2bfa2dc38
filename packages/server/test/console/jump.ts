// Pastes any id into the search field.
import type { Visit } from "./scene.ts";

export async function jumpTo({ page }: Visit, id: string, kind = "request"): Promise<void> {
  await page.getByRole("button", { name: "Search or paste an ID" }).click();
  await page.getByRole("combobox", { name: "Search or paste an ID" }).fill(id);
  await page.getByRole("option", { name: new RegExp(kind, "i") }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${id}**`);
}
