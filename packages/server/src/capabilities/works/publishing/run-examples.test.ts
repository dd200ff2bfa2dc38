// Examples run together; the first failure or the end of their time stops the others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import { type HandClock, handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import type { ExampleRun, PublishingPorts, WorkCaller } from "./publishing-ports.ts";
import { examplesSecondsMax, runExamples } from "./run-examples.ts";

const caller: WorkCaller = {
  workspaceId: newId(),
  keyId: null,
  acting: { actor: { kind: "system", id: null } },
  author: { kind: "person", id: newId() },
};
const named = (name: string) => ({ title: name, inputs: { name }, graph: Buffer.from(name) });
const ended = (id: string, isPicture = true): ExampleRun => ({
  jobId: `job of ${id}`,
  assets: [{ id: newId<"asset">(), isPicture }],
  problem: null,
});

function run(
  names: readonly string[],
  runExample: (name: string, signal: AbortSignal) => Promise<ExampleRun>,
  { clock = handClock(), signal = new AbortController().signal }: { clock?: HandClock; signal?: AbortSignal } = {},
) {
  const ports: Pick<PublishingPorts, "runExample"> = {
    runExample: (_caller, { graph }, stopping) => runExample(graph.toString(), stopping),
  };
  return runExamples({ ports, clock }, caller, { examples: names.map(named), workflowId: newId() }, signal);
}

const untilStopped = (signal: AbortSignal, stopped: string[], name: string) =>
  new Promise<ExampleRun>((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      stopped.push(name);
      reject(signal.reason);
    });
  });

test("every example is kept with what it made, and the first picture is the cover", async () => {
  const runs = new Map([
    ["text", ended("text", false)],
    ["picture", ended("picture")],
  ]);
  const ran = await run(["text", "picture"], async (name) => runs.get(name) ?? assert.fail());
  assert.deepEqual(
    ran.examples.map(({ title, job_id, assets }) => [title, job_id, assets]),
    [...runs].map(([name, { jobId, assets }]) => [name, jobId, assets.map(({ id }) => id)]),
  );
  assert.equal(ran.cover, runs.get("picture")?.assets[0]?.id);
  assert.equal(ran.assetIds.length, 2);
});

test("an example that fails stops the others, and is the one that is reported", async () => {
  const stopped: string[] = [];
  const problem = { message: "Node 3: too dark", nodeId: "3" };
  const running = run(["slow", "bad"], async (name, signal) =>
    name === "slow" ? untilStopped(signal, stopped, name) : { jobId: "job", assets: [], problem },
  );
  await assert.rejects(running, (thrown) => {
    assert.ok(thrown instanceof Fault);
    assert.equal(thrown.code, "validation_failed");
    assert.match(thrown.message, /^Example 2 failed.*too dark$/);
    return true;
  });
  assert.deepEqual(stopped, ["slow"]);
});

test("a refused submission is reported as it is", async () => {
  const refusal = new Fault("insufficient_credits", "Not enough.");
  await assert.rejects(
    run(["one"], () => Promise.reject(refusal)),
    refusal,
  );
});

test("examples that do not end in time are stopped: deadline_exceeded", async () => {
  const clock = handClock();
  const stopped: string[] = [];
  const running = run(["slow"], (name, signal) => untilStopped(signal, stopped, name), { clock });
  const refused = assert.rejects(running, (thrown) => thrown instanceof Fault && thrown.code === "deadline_exceeded");
  await clock.advance(examplesSecondsMax * 1_000);
  await refused;
  assert.deepEqual(stopped, ["slow"]);
});

test("a caller who leaves stops them", async () => {
  const leaving = new AbortController();
  const stopped: string[] = [];
  const running = run(["slow"], (name, signal) => untilStopped(signal, stopped, name), { signal: leaving.signal });
  const refused = assert.rejects(running, /gone/);
  leaving.abort(new Error("gone"));
  await refused;
  assert.deepEqual(stopped, ["slow"]);
});
