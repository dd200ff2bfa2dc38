// Goes to a page as a person does: by the side bar, which is behind a button on a phone.
import type { Visit } from "./scene.ts";

export async function choosePage({ page }: Visit, name: string): Promise<void> {
  const menu = page.getByRole("button", { name: "Menu", exact: true });
  if (await menu.isVisible()) await menu.click();
  await page
    .locator("nav a:visible")
    .filter({ hasText: new RegExp(`^${name}$`) })
    .click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}
