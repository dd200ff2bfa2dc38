// Waits until something holds in the page. Not by Playwright's waitForFunction: it evaluates its text in the page again and
// again, which the policy of our pages forbids whenever the first time is too early.
import type { Page } from "playwright-core";
import { until } from "../support/server-process.ts";

export async function holds(page: Page, expression: string): Promise<void> {
  await until(expression, () => page.evaluate<boolean>(`Boolean(${expression})`));
}
