// Waits until something is true in the page. Playwright's waitForFunction would evaluate its text in the page again and
// again, which our pages' policy forbids whenever the first try is too early.
import type { Page } from "playwright-core";
import { until } from "../support/server-process.ts";

export async function holds(page: Page, expression: string): Promise<void> {
  await until(expression, () => page.evaluate<boolean>(`Boolean(${expression})`));
}
