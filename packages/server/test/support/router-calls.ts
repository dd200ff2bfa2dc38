// Model calls as the router's tests make them.
import { randomUUID } from "node:crypto";
import { type AppAnswer, bearer, headerOf } from "./app-client.ts";
import type { TestApp } from "./test-app.ts";

export type RouterApp = Pick<TestApp, "call" | "key">;

export function invokeOn(
  app: RouterApp,
  model: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<AppAnswer> {
  return app.call({
    method: "POST",
    path: `/v1/models/${model}`,
    headers: { ...bearer(app.key), "content-type": "application/json", ...headers },
    body,
  });
}

export const readOn = (app: RouterApp, path: string): Promise<AppAnswer> =>
  app.call({ path, headers: bearer(app.key) });

export const bucketOf = (answer: AppAnswer): string | undefined => headerOf(answer, "x-service-error-type");

export const aKey = () => ({ "idempotency-key": randomUUID() });

// Runs one piece of work per item, this many at a time. A lane whose item takes long leaves the rest to the others.
export async function inLanes<Item>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const rest = items.entries();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const [index, item] of rest) await work(item, index);
    }),
  );
}
