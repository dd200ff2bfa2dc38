// What people read if something their graph needs is not available.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type EngineHost, HostRefusal } from "@atelier/engine";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import type { ClaimedJob } from "../jobs/index.ts";
import { type EmbeddedRunnerDeps, embeddedRunner } from "./embedded-runner.ts";
import type { RunReport } from "./graph-runner.ts";

const job: ClaimedJob = {
  lease: { jobId: newId(), attempt: 1, workerId: newId() },
  isNew: true,
  workspaceId: newId(),
  apiKeyId: null,
  workflow: Buffer.from("{}"),
  nodesTotal: 1,
  expiresAt: new Date(0),
  extraData: null,
};

// The engine asks its host once, and receives what the host throws.
async function thrownTo(ask: (host: EngineHost) => Promise<unknown>, failure: unknown): Promise<unknown> {
  let thrown: unknown = null;
  const deps: EmbeddedRunnerDeps = {
    engine: {
      async run(_job, host) {
        await ask(host).catch((error: unknown) => {
          thrown = error;
        });
        return { status: "canceled", metrics: null };
      },
    },
    openFile: () => (failure === null ? Promise.resolve(null) : Promise.reject(failure)),
    callModel: () => Promise.reject(failure),
    limits: {},
    clock: handClock(),
  };
  const report: RunReport = {
    progress: () => undefined,
    preview: () => undefined,
    nodes: () => undefined,
    output: async () => undefined,
    releasePart: async () => undefined,
    insist: (work) => work(),
  };
  await embeddedRunner(deps).run(job, report, signal);
  return thrown;
}

const signal = new AbortController().signal;
const asks: readonly ((host: EngineHost) => Promise<unknown>)[] = [
  (host) => host.readAsset({ kind: "url", url: "https://pictures.example/a.png" }, signal),
  (host) => host.callModel({ nodeId: "1", model: "a/b", input: Buffer.from("{}"), callKey: "k" }, signal),
];

test("a fault reaches the user in its own words; any other error reveals nothing", async () => {
  for (const ask of asks) {
    const thrown = await thrownTo(ask, new Fault("provider_error", "The provider failed."));
    assert.ok(thrown instanceof HostRefusal);
    assert.equal(thrown.message, "The provider failed.");
    const bug = new TypeError("host-17.internal");
    assert.equal(await thrownTo(ask, bug), bug, "the engine has its own words for it");
  }
});

test("a missing file is reported as missing", async () => {
  const thrown = await thrownTo((host) => host.readAsset({ kind: "asset", id: "x", name: null }, signal), null);
  assert.ok(thrown instanceof HostRefusal);
  assert.match(thrown.message, /no such asset/);
});
