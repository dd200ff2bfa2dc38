// A sandbox for one test file, with helpers to call it. Loopback only.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { type RunningSandbox, type SandboxOptions, startSandbox } from "../../src/start-sandbox.ts";

const quickPace = { queueSeconds: 0.02, imageSeconds: 0.05, videoSeconds: 0.1 };
export const small = { prompt: "a lighthouse at dusk", seed: 42, width: 64, height: 64 };

export interface SandboxClient extends RunningSandbox {
  post(model: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string): Promise<Response>;
  // Polls until the condition holds; bounded.
  getUntil(path: string, isDone: (body: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
}

export async function sandboxClient(options: SandboxOptions = {}): Promise<SandboxClient> {
  const sandbox = await startSandbox({ pace: quickPace, ...options });
  const get = (path: string) =>
    fetch(path.startsWith("http") ? path : sandbox.url + path, { signal: AbortSignal.timeout(60_000) });
  return {
    ...sandbox,
    get,
    post: (model, body, headers = {}) =>
      fetch(`${sandbox.url}/v1/${model}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
        signal: AbortSignal.timeout(60_000),
      }),
    async getUntil(path, isDone) {
      for (let attempt = 0; attempt < 3_000; attempt++) {
        const body = await bodyOf(await get(path));
        if (isDone(body)) return body;
        await pause(20);
      }
      return assert.fail(`the condition on ${path} never held`);
    },
  };
}

export async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  const value: unknown = await response.json();
  assert.ok(isRecord(value));
  return value;
}

// The value under a path of names and indexes.
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) found = isRecord(found) ? found[String(step)] : undefined;
  return found;
}

export const hasEnded = (body: Record<string, unknown>) => !["QUEUED", "RUNNING"].includes(String(body["status"]));

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
