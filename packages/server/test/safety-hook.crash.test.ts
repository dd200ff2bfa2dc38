// A gateway killed while the safety hook is asked: nothing was sent, or the provider's answer is still checked before a
// caller gets it.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { memberOf, openClient } from "./support/app-client.ts";
import { invariantsHold } from "./support/model-request-records-store.ts";
import { invokeOn } from "./support/router-calls.ts";
import { ageCalls, recordedUnderKey } from "./support/router-records-store.ts";
import { type SafetyHookProgram, safetyHookProgram } from "./support/safety-hook-program.ts";
import { type SandboxProvider, sandboxProvider } from "./support/sandbox-provider.ts";
import { type ServerProcess, startServerProcess, until } from "./support/server-process.ts";
import { type TestDatabase, testDatabase } from "./support/test-database.ts";

const image = "sandbox/image-1-queued";
let hook: SafetyHookProgram;
let provider: SandboxProvider;
let database: TestDatabase;
let home: string;
let key = "";
const servers: ServerProcess[] = [];

async function aServer(): Promise<ServerProcess> {
  const server = await startServerProcess({
    home,
    env: {
      ...hook.env("closed", { ATELIER_SAFETY_HOOK_MS_MAX: "30000" }),
      DATABASE_URL: database.url,
      ATELIER_MIGRATE: "auto",
      ATELIER_PROVIDERS: provider.file,
      ATELIER_CONTENT_PORT: "0",
      ATELIER_ENGINE_SLOTS: "0",
      ATELIER_CALL_LEASE_SECONDS: "3",
    },
  });
  servers.push(server);
  return server;
}
before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-safety-"));
  [hook, provider, database] = await Promise.all([safetyHookProgram(), sandboxProvider(), testDatabase()]);
});
after(async () => {
  for (const server of servers) await server.kill("SIGKILL");
  await hook.close();
  await provider.close();
  await database.close();
  await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

// Calls one server and kills it when the hook is asked; then the same call, under the same key, at another.
async function acrossAKill(stage: "input" | "answer", input: object) {
  const idempotency = { "idempotency-key": randomUUID() };
  hook.asked.length = 0;
  const first = await aServer();
  [key = ""] = /service-\S+/.exec(await readFile(join(home, "first-key.txt"), "utf8")) ?? [];
  const client = openClient(first.baseUrl);
  const lost = invokeOn({ call: client.call, key }, image, input, idempotency).catch(() => null);
  await until("the hook is asked", async () =>
    hook.asked.some(({ value }) => value["stage"] === stage) ? true : null,
  );
  await first.kill("SIGKILL");
  await lost;
  void client.close().catch(() => {});
  const second = await aServer();
  const again = openClient(second.baseUrl);
  return { idempotency, again: () => invokeOn({ call: again.call, key }, image, input, idempotency) };
}

test("killed before the verdict on the input: nothing was sent; the key becomes free and runs once", {
  timeout: 900_000,
}, async () => {
  hook.answerWith(() => "hang");
  const { idempotency, again } = await acrossAKill("input", { prompt: "a red fox", width: 64, height: 64 });
  assert.equal(await provider.runs(), 0);
  hook.answerWith(() => ({ body: { verdict: "allow" } }));
  // The quarantine, after which the provider's "not found" is believed.
  await until("the call was given back", async () => {
    await ageCalls(database, `model:${image}`, 3_600);
    return (await recordedUnderKey(database, idempotency["idempotency-key"])).length === 0 ? true : null;
  });
  const answer = await again();
  assert.equal(answer.status, 200, answer.text);
  assert.equal(await provider.runs(), 1);
  await invariantsHold(database);
});

test("killed before the verdict on the answer: the next process asks again, and charges for what was sent", {
  timeout: 900_000,
}, async () => {
  const small = { prompt: "a grey fox", width: 64, height: 64 };
  hook.answerWith(({ value }) =>
    value["stage"] === "input" ? { body: { verdict: "replace", input: small } } : "hang",
  );
  const runs = await provider.runs();
  const { idempotency, again } = await acrossAKill("answer", { prompt: "a red fox", width: 512, height: 512 });
  hook.answerWith(() => ({ body: { verdict: "replace", answer: { checked: true } } }));
  const answer = await until("the key has the answer", async () => {
    const found = await again();
    return found.status === 200 ? found : null;
  });
  assert.equal(memberOf(answer.json(), "checked"), true);
  assert.equal(await provider.runs(), runs + 1);
  const [call] = await recordedUnderKey(database, idempotency["idempotency-key"]);
  assert.ok(call && call.settleSum > 0n && call.settleSum < call.hold / 10n);
  const ids = new Set(hook.asked.map(({ webhookId }) => webhookId));
  assert.deepEqual(ids.size, 2, "one id for each stage");
  await invariantsHold(database);
});
