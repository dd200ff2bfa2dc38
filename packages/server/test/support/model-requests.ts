// Queued model calls as the tests make them, and what the books and rows say about them.
import assert from "node:assert/strict";
import { type AppAnswer, bearer, memberOf, textOf } from "./app-client.ts";
import type { RouterApp } from "./router-calls.ts";
import { until } from "./server-process.ts";

export function submitOn(
  app: RouterApp,
  model: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  query = "",
): Promise<AppAnswer> {
  return app.call({
    method: "POST",
    path: `/v1/models/${model}/requests${query}`,
    headers: { ...bearer(app.key), "content-type": "application/json", ...headers },
    body,
  });
}

export async function submitted(...call: Parameters<typeof submitOn>): Promise<QueuedCall> {
  const [app, model] = call;
  const answer = await submitOn(...call);
  assert.equal(answer.status, 202, answer.text);
  return queuedCall(app, model, textOf(answer.json(), "request_id"));
}

export interface QueuedCall {
  readonly id: string;
  readonly path: string;
  status(): Promise<AppAnswer>;
  result(): Promise<AppAnswer>;
  cancel(): Promise<AppAnswer>;
  // Resolves with the status body once it has this status.
  until(status: string): Promise<Record<string, unknown>>;
}

export function queuedCall(app: RouterApp, model: string, id: string): QueuedCall {
  const path = `/v1/models/${model}/requests/${id}`;
  const headers = bearer(app.key);
  const status = () => app.call({ path: `${path}/status`, headers });
  return {
    id,
    path,
    status,
    result: () => app.call({ path, headers }),
    cancel: () => app.call({ method: "PUT", path: `${path}/cancel`, headers }),
    until: (wanted) =>
      until(`${id} is ${wanted}`, async () => {
        const answer = await status();
        assert.equal(answer.status, 200, answer.text);
        const body = answer.json() as Record<string, unknown>;
        return memberOf(body, "status") === wanted ? body : null;
      }),
  };
}
