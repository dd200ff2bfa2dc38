// Once-ness over HTTP: one key, one run, one charge, no matter which callers leave and how many ask.
import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { callInvariants } from "../src/capabilities/calls/shared-sql.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { bearer, headerOf } from "./support/app-client.ts";
import { aKey, bucketOf, inLanes, invokeOn } from "./support/router-calls.ts";
import { openInvocations, recordedUnderKey } from "./support/router-records-store.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { sha256Of } from "./support/sandbox-provider.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open();
  const path = `/admin/workspaces/${app.workspaceId}/limits/concurrency`;
  const raised = await app.call({ method: "PUT", path, headers: bearer(app.adminToken), body: { value: 1000 } });
  assert.equal(raised.status, 200, raised.text);
});
after(() => apps.close());

test("a retry under the same key replays the answer and runs nothing (Spec, Router rule 8)", async () => {
  const key = aKey();
  const body = { prompt: "sea", width: 64, height: 64 };
  const first = await invokeOn(app, "sandbox/image-1", body, key);
  const runs = await apps.runs();
  const again = await invokeOn(app, "sandbox/image-1", body, key);
  assert.ok(again.bytes.equals(first.bytes));
  assert.equal(headerOf(again, "idempotent-replayed"), "true");
  assert.notEqual(headerOf(again, "x-service-request-id"), headerOf(first, "x-service-request-id"));
  assert.equal(await apps.runs(), runs);
});

test("500 parallel calls with one key on two processes: one run, and equal bodies in the end", {
  timeout: 900_000,
}, async () => {
  const second = await apps.open({ beside: app });
  const key = aKey();
  const before = await apps.runs();
  const collect = async (index: number) => {
    for (;;) {
      const on = index % 2 === 0 ? app : second;
      const answer = await invokeOn(on, "sandbox/image-1-queued", { prompt: "hills", width: 64, height: 64 }, key);
      if (answer.status !== 409) return answer;
      assert.deepEqual([bucketOf(answer), headerOf(answer, "retry-after")], ["concurrency_limit_exceeded", "2"]);
      await systemClock.sleep(100);
    }
  };
  const answers = await Promise.all(Array.from({ length: 500 }, (_, index) => collect(index)));
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
  assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
  assert.equal((await apps.runs()) - before, 1);
});

test("a deadline answers 504 with Retry-After, and the key collects the result later, charged once", {
  timeout: 900_000,
}, async () => {
  const quick = await apps.open({ beside: app, env: { ATELIER_ROUTER_DEADLINE_SECONDS: "2" } });
  const key = aKey();
  // Far longer than the deadline, so that even on a busy machine it is still running when checked.
  const body = { prompt: "clip", seconds: 1, width: 64, height: 64, simulate_seconds: 8 };
  const first = await invokeOn(quick, "sandbox/video-1", body, key);
  assert.deepEqual([first.status, bucketOf(first), headerOf(first, "retry-after")], [504, "deadline_exceeded", "5"]);
  const [open] = await recordedUnderKey(app.database, key["idempotency-key"]);
  assert.deepEqual([open?.state, open?.hold], ["open", 10_550_000n], "hold and slot stay until the provider ends");
  const collected = await until("the key collects", async () => {
    const answer = await invokeOn(quick, "sandbox/video-1", body, key);
    return answer.status === 200 ? answer : null;
  });
  assert.equal(headerOf(collected, "idempotent-replayed"), "true");
  assert.equal(headerOf(collected, "x-service-credits-used"), "10.55");
  const [ended] = await recordedUnderKey(app.database, key["idempotency-key"]);
  assert.deepEqual([ended?.settleLines, ended?.settleSum], [1, 10_550_000n]);
  assert.equal((await apps.reference(ended?.callId ?? ""))?.runs, 1);
});

interface Cut {
  readonly model: string;
  readonly body: string;
  // How much of the request is sent, and how long after that the caller leaves; null waits for the first byte back.
  readonly share: number;
  readonly afterMs: number | null;
  readonly isReset: boolean;
}

function anyCut(index: number): Cut {
  const slow = { prompt: `cut ${index}`, width: 64, height: 64, simulate_seconds: 0.2 };
  const [model, body] =
    index % 3 === 0
      ? ["sandbox/voice-1", { prompt: `cut ${index}`, simulate_seconds: 0.3 }]
      : ["sandbox/image-1-queued", index % 3 === 1 ? slow : { ...slow, simulate: "reset" }];
  return {
    model,
    body: JSON.stringify(body),
    share: index % 5 === 0 ? Math.random() : 1,
    afterMs: index % 11 === 0 ? null : randomInt(0, 1_200),
    isReset: index % 2 === 0,
  };
}

// Resolves when the connection is gone.
function sendAndLeave(cut: Cut, key: string): Promise<void> {
  const head = [
    `POST /v1/models/${cut.model} HTTP/1.1`,
    `host: 127.0.0.1:${app.port}`,
    `x-api-key: ${app.key}`,
    `idempotency-key: ${key}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(cut.body)}`,
  ];
  const text = `${head.join("\r\n")}\r\n\r\n${cut.body}`;
  return new Promise((resolve) => {
    const leave = () => (cut.isReset ? socket.resetAndDestroy() : socket.destroy());
    const socket = connect(app.port, "127.0.0.1", () => {
      socket.write(text.slice(0, Math.ceil(text.length * cut.share)), () => {
        if (cut.afterMs !== null) setTimeout(leave, cut.afterMs);
      });
    });
    socket.setTimeout(5_000, leave);
    socket.on("data", leave);
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });
}

const cuts = 60;

test(`a caller cut off at ${cuts} random points finds the billed result under the key: one run, charged once`, {
  timeout: 900_000,
}, async () => {
  await inLanes(
    15,
    Array.from({ length: cuts }, (_, index) => anyCut(index)),
    async (cut) => {
      const key = randomUUID();
      const what = JSON.stringify(cut);
      await sendAndLeave(cut, key);
      const headers = { "idempotency-key": key };
      const answer = await until(`the key answers for ${what}`, async () => {
        const found = await invokeOn(app, cut.model, Buffer.from(cut.body), headers);
        // A lost answer is 502 until the provider was asked; here that is never final.
        return found.status === 200 ? found : null;
      });
      const again = await invokeOn(app, cut.model, Buffer.from(cut.body), headers);
      assert.ok(again.bytes.equals(answer.bytes), what);
      const used = headerOf(answer, "x-service-credits-used");
      assert.deepEqual(
        [headerOf(again, "idempotent-replayed"), headerOf(again, "x-service-credits-used")],
        ["true", used],
      );
      const [recorded, ...others] = await recordedUnderKey(app.database, key);
      assert.deepEqual([others.length, recorded?.state, recorded?.settleLines], [0, "finished", 1], what);
      assert.ok(recorded && recorded.settleSum > 0n && recorded.settleSum <= recorded.hold, what);
      const seen = await apps.reference(recorded.callId);
      assert.deepEqual([seen?.runs, seen?.response_sha256], [1, sha256Of(answer.bytes)], what);
    },
  );
});

test("after everything above nothing is open and every invariant of the books holds", async () => {
  await until("all calls ended", async () => (await openInvocations(app.database)).length === 0);
  for (const { name, statement } of callInvariants) assert.deepEqual(await app.database.query(statement), [], name);
});
