import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { type ClaimedJob, decodeNodes, type JobEnding, type WorkerPort } from "../jobs/index.ts";
import type { RunReport } from "./graph-runner.ts";
import { NodeBoard } from "./node-board.ts";
import { RunningJob } from "./running-job.ts";

const job: ClaimedJob = {
  lease: { jobId: newId<"job">(), attempt: 1, workerId: newId<"worker">() },
  workspaceId: newId<"workspace">(),
  workflow: Buffer.from("{}"),
  isNew: true,
  nodesTotal: 1,
  extraData: null,
  apiKeyId: null,
  expiresAt: new Date(0),
};
const problem = { code: "x", message: "", nodeId: "1", classType: "Slow" };
const progress = {
  value: 0,
  nodesDone: 0,
  nodesTotal: 1,
  currentNode: "1",
  currentNodeClass: "Slow",
  step: null,
  steps: null,
  message: null,
};

test("a silent node's running time is still reported, and its end comes with the job's", async () => {
  const clock = handClock();
  const sent: (string | null)[] = [];
  const end = Promise.withResolvers<JobEnding>();
  const port: WorkerPort = {
    claim: async () => [],
    resume: async () => [],
    heartbeat: async () => [],
    progress: (_lease, _progress, nodes) => void sent.push(nodes?.() ?? null),
    preview: () => undefined,
    output: async () => null,
    async finish(_lease, _ending, nodes) {
      sent.push(nodes ?? null);
      return true;
    },
    giveBack: async () => undefined,
    releasePart: async () => undefined,
  };
  const runner = {
    run(_job: ClaimedJob, report: RunReport) {
      const board = new NodeBoard([{ id: "1", classType: "Slow", title: null }], clock);
      report.nodes(board);
      board.begin("1");
      report.progress(progress);
      return end.promise;
    },
  };
  const running = new RunningJob({ port, runner, clock, log: silentLog, selfFenceMs: 30_000 }, job);
  const ended = running.run();
  for (let beat = 0; beat < 2; beat++) {
    await clock.advance(10_000);
    running.repeatProgress();
  }
  end.resolve({ kind: "failed", problem, isRetryable: false });
  await ended;
  running.repeatProgress();
  const nodes = sent.map((text) => decodeNodes(text ?? "")?.nodes[0]);
  assert.deepEqual(
    nodes.map((node) => [node?.state, node?.ms]),
    [
      ["running", 0],
      ["running", 10_000],
      ["running", 20_000],
      ["failed", 20_000],
    ],
  );
});
