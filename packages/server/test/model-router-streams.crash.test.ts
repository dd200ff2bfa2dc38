// A gateway killed in the middle of a stream: the next one finds out what the provider made of the call.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bearer, headerOf, memberOf, openClient, textOf } from "./support/app-client.ts";
import { invokeOn } from "./support/router-calls.ts";
import { sandboxProvider } from "./support/sandbox-provider.ts";
import { startServerProcess, until } from "./support/server-process.ts";

test("after a kill the key has the whole stream as one body: one run, charged once by the tokens it reports", {
  timeout: 900_000,
}, async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-streams-"));
  const provider = await sandboxProvider();
  const text = provider.definition.models.find((each) => each.model === "text-1");
  assert.ok(text);
  const rate = { usd_per_million: "1000", default: 100, most: 4000 };
  const rates = ["input_tokens", "output_tokens"].map((reported) => ({ ...rate, reported }));
  const models = [{ ...text, price: { usd: { kind: "tokens", rates } } }];
  const file = await provider.write("paid", { ...provider.definition, provider: "paid", models });
  const env = { ATELIER_PROVIDERS: file, ATELIER_CONTENT_PORT: "0", ATELIER_ENGINE_SLOTS: "0" };
  const first = await startServerProcess({ home, env });
  const input = { prompt: "a quiet harbour", stream: true, simulate_seconds: 20 };
  const idempotency = { "idempotency-key": randomUUID() };
  try {
    const [key = ""] = /service-\S+/.exec(await readFile(join(home, "first-key.txt"), "utf8")) ?? [];
    await beginStream(first.baseUrl, key, JSON.stringify(input), idempotency);
    await first.kill("SIGKILL");
    const runs = await provider.runs();
    const second = await startServerProcess({ home, env });
    const client = openClient(second.baseUrl);
    try {
      const whole = await until("the key has the answer", async () => {
        const headers = { ...idempotency, accept: "application/json" };
        const answer = await invokeOn({ call: client.call, key }, "paid/text-1", input, headers);
        return answer.status === 200 ? answer : null;
      });
      const usage = memberOf(whole.json(), "usage");
      const tokens = Number(memberOf(usage, "input_tokens")) + Number(memberOf(usage, "output_tokens"));
      assert.match(textOf(whole.json(), "text"), /\w/);
      assert.equal(Math.round(Number(headerOf(whole, "x-service-credits-used")) * 1e6), tokens * 211_000);
      assert.equal(await provider.runs(), runs, "nothing ran a second time");
    } finally {
      void client.close().catch(() => {});
      await second.kill("SIGKILL");
    }
  } finally {
    await first.kill("SIGKILL");
    await provider.close();
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});

// Resolves at the first event.
function beginStream(
  baseUrl: string,
  key: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${baseUrl}/v1/models/paid/text-1`,
      { method: "POST", headers: { ...bearer(key), "content-type": "application/json", ...headers } },
      (response) => {
        response.once("data", () => resolve());
        response.on("error", () => undefined);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
