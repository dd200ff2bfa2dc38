// A page at rest: nothing is being fetched, and its scripts have nothing left to do. Judged by what the page does and not
// by the clock, so that it takes as long as needed and no longer, on a fast machine and on a busy one.
import type { Page, Request } from "playwright-core";

// A page that keeps sending requests does not hold up its test.
const limitMs = 5_000;
const idle = `new Promise((done) => requestIdleCallback(
  () => requestAnimationFrame(() => requestIdleCallback(() => done(), { timeout: 1000 })), { timeout: 1000 }))`;

export function watchRest(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let onRest: () => void = () => undefined;
  const end = (request: Request) => {
    open.delete(request);
    if (open.size === 0) onRest();
  };
  page.on("request", (request) => {
    // A new document: requests of the last one are over.
    if (request.isNavigationRequest()) open.clear();
    open.add(request);
  });
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  // A stream that lasts as long as the page counts as answered when it begins.
  page.on("response", (response) => {
    if (response.headers()["content-type"]?.startsWith("text/event-stream")) end(response.request());
  });
  return async () => {
    const until = performance.now() + limitMs;
    do {
      const left = Math.max(0, until - performance.now());
      if (open.size > 0) await withLimit(left, (resolve) => (onRest = resolve));
      await page.evaluate(idle);
    } while (open.size > 0 && performance.now() < until);
  };
}

async function withLimit(ms: number, begin: (resolve: () => void) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
    begin(resolve);
  });
  clearTimeout(timer);
}
