// A gateway killed while the second target of a route has the call: the next one asks that target and no other.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bearer, headerOf, memberOf, openClient } from "./support/app-client.ts";
import { faultyProvider } from "./support/faulty-provider.ts";
import { invokeOn } from "./support/router-calls.ts";
import { startServerProcess, until } from "./support/server-process.ts";

test("after a kill the key has the second target's answer: one run, charged at its price", {
  timeout: 900_000,
}, async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-routes-"));
  const [one, two] = [
    await faultyProvider({ name: "one", usd: "0.02" }),
    await faultyProvider({ name: "two", usd: "0.05" }),
  ];
  const files = [one, two].map(({ definition }) => ({ path: join(home, `${definition.provider}.json`), definition }));
  for (const { path, definition } of files) await writeFile(path, JSON.stringify(definition));
  const providers = files.map(({ path }) => path).join(",");
  const env = { ATELIER_PROVIDERS: providers, ATELIER_CONTENT_PORT: "0", ATELIER_ENGINE_SLOTS: "0" };
  const first = await startServerProcess({ home, env });
  const prompt = "a quiet harbour";
  const input = { prompt, faults: { one: "full", two: "hang_ran" } };
  const idempotency = { "idempotency-key": randomUUID() };
  try {
    const [key = ""] = /service-\S+/.exec(await readFile(join(home, "first-key.txt"), "utf8")) ?? [];
    const before = openClient(first.baseUrl);
    const targets = [{ model: "one/draw" }, { model: "two/draw" }];
    const path = "/account/routes/pair";
    const put = await before.call({ method: "PUT", path, headers: bearer(key), body: { targets } });
    assert.equal(put.status, 201, put.text);
    invokeOn({ call: before.call, key }, "route/pair", input, idempotency).catch(() => undefined);
    await until("the second target has the call", async () => two.asked.get(prompt) === 1);
    await first.kill("SIGKILL");
    void before.close().catch(() => {});
    const second = await startServerProcess({ home, env });
    const client = openClient(second.baseUrl);
    try {
      const answer = await until("the key has the answer", async () => {
        const found = await invokeOn({ call: client.call, key }, "route/pair", input, idempotency);
        return found.status === 200 ? found : null;
      });
      assert.equal(memberOf(answer.json(), "made_by"), "two");
      assert.equal(headerOf(answer, "x-service-route-target"), "two/draw");
      assert.equal(headerOf(answer, "x-service-credits-used"), "10.55");
      assert.deepEqual([one.runs.get(prompt), two.runs.get(prompt), two.asked.get(prompt)], [undefined, 1, 1]);
    } finally {
      void client.close().catch(() => {});
      await second.kill("SIGKILL");
    }
  } finally {
    await first.kill("SIGKILL");
    for (const provider of [one, two]) await provider.close();
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});
