import assert from "node:assert/strict";
import { test } from "node:test";
import { Job as JobSchema } from "@atelier/contract";
import { newId } from "../../../foundation/ids.ts";
import { compileSchema } from "../../../foundation/json/schema.ts";
import { aJob, aSurface } from "../jobs.fixture.ts";
import { presentJob, presentJobPage } from "./present-job.ts";

const arrival = { headers: { host: "127.0.0.1:1" } };
const required = JobSchema.required;

test("every required member is there, also of a job of which nothing is known yet", () => {
  const job = aJob({ queuePosition: null });
  const body = presentJob(aSurface({ mountPath: "/m" }), job, arrival);
  for (const name of required) assert.ok(name in body, name);
  assert.deepEqual(compileSchema(JobSchema).violations(body), []);
  assert.deepEqual(body.metrics, { queue_ms: null, execution_ms: null });
  assert.ok(!("metadata" in body));
  // It is echoed whatever it is, even if it is the default.
  assert.equal(body.priority, 0);
  assert.deepEqual(Object.values(body.urls), [
    `/m/api/v2/jobs/${job.id}`,
    `/m/api/v2/jobs/${job.id}/events`,
    `/m/api/v2/jobs/${job.id}/cancel`,
    `/m/api/v2/jobs/${job.id}/workflow`,
    `/m/api/v2/jobs/${job.id}/preview`,
  ]);
});

test("a job that failed half way shows what it made, why it failed and how long it took", () => {
  const assetId = newId<"asset">();
  const job = aJob({
    state: "failed",
    startedAt: new Date(1500),
    completedAt: new Date(4000),
    queuePosition: null,
    metadata: "",
    priority: -3,
    progress: {
      value: 0.5,
      nodesDone: 1,
      nodesTotal: 2,
      currentNode: "9",
      currentNodeClass: "SaveImage",
      step: null,
      steps: null,
      message: null,
    },
    outputs: [
      {
        assetId,
        nodeId: "9",
        name: "day/one/a.png",
        kind: "image",
        contentType: "image/png",
        sizeBytes: 7,
        hash: "0".repeat(64),
        folder: "output",
        version: 3,
      },
    ],
    error: { code: "node_execution_error", message: "No.", nodeId: "9", classType: "SaveImage" },
  });
  const body = presentJob(aSurface(), job, arrival);
  assert.deepEqual(compileSchema(JobSchema).violations(body), []);
  assert.deepEqual(body.metrics, { queue_ms: 1500, execution_ms: 2500 });
  assert.deepEqual([body.metadata, body.priority, body.started_at], ["", -3, "1970-01-01T00:00:01.500Z"]);
  assert.equal(body.error?.traceback, null);
  const [output] = body.outputs;
  assert.equal(output?.name, "a.png", "a name without the folders that the graph saved into");
  assert.deepEqual(
    [output?.id, output?.url, output?.url_expires_at, output?.hash, output?.urls.content],
    [
      assetId,
      `http://127.0.0.1:1/${assetId}`,
      body.expires_at,
      `blake3:${"0".repeat(64)}`,
      `/api/v2/assets/${assetId}/content`,
    ],
  );
});

test("a page leads to the next one with the same question", () => {
  const query = new URLSearchParams("status=queued&limit=1&cursor=old");
  const page = { jobs: [aJob()], awaited: [null], nextCursor: "new", limit: 1 };
  const body = presentJobPage(aSurface({ mountPath: "/m" }), page, { ...arrival, query });
  assert.deepEqual(
    [body.has_more, body.next_cursor, body.next],
    [true, "new", "/m/api/v2/jobs?status=queued&limit=1&cursor=new"],
  );
  const last = presentJobPage(aSurface(), { ...page, nextCursor: null }, { ...arrival, query });
  assert.deepEqual([last.has_more, "next" in last, "next_cursor" in last], [false, false, false]);
});

test("a queued job says which worker it waits for, in a page too, and says nothing where it waits for none", () => {
  const awaited = { nodeClasses: ["TestSleep"], models: [], lastSeenAt: new Date(0) };
  const expected = {
    reason: "worker",
    node_classes: ["TestSleep"],
    models: [],
    last_seen_at: "1970-01-01T00:00:00.000Z",
  };
  assert.deepEqual(presentJob(aSurface(), aJob(), arrival, awaited).waiting_for, expected);
  assert.equal("waiting_for" in presentJob(aSurface(), aJob(), arrival), false);
  const page = { jobs: [aJob(), aJob()], awaited: [null, awaited], nextCursor: null, limit: 2 };
  const { data } = presentJobPage(aSurface(), page, { ...arrival, query: new URLSearchParams() });
  assert.deepEqual(
    data.map((job) => job.waiting_for),
    [undefined, expected],
  );
});
