// What the SDK relies on: type imports alone bring the entities' types, and the table of operations is exact. The compiler
// checks most of this; a wrong type does not build.
import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  BadgeMap,
  CatalogPage,
  CreatedAccountKey,
  Job,
  JobEvent,
  OperationId,
  RouterBucket,
  SubmitJob,
} from "./index.ts";
import { operations } from "./index.ts";

test("types of entities match the wire", () => {
  const badges: BadgeMap = {
    Relight: { engine: "jsonata", depends_on: { widgets: [], inputs: [], input_groups: [] }, expr: "1" },
  };
  const page: CatalogPage = { data: [], has_more: false, limit: 20 };
  const submission: SubmitJob = { workflow: { "1": { class_type: "SaveImage", inputs: {} } } };
  const label = (event: JobEvent): string => (event.event === "status" ? event.data.status : event.event);
  const ended = (job: Pick<Job, "status" | "completed_at">) => job.status === "succeeded" && job.completed_at !== null;
  const secretOf = (key: Pick<CreatedAccountKey, "secret">): string => key.secret;
  const bucket: RouterBucket = "rate_limited";
  // @ts-expect-error: the type must refuse this
  const foreign: RouterBucket = "queue_timeout";
  assert.deepEqual([Object.keys(badges), page.limit, bucket, foreign].flat(), [
    "Relight",
    20,
    "rate_limited",
    "queue_timeout",
  ]);
  assert.equal(label({ event: "status", data: { status: "queued" } }), "queued");
  assert.equal(ended({ status: "succeeded", completed_at: "2026-11-15T09:30:00.000Z" }), true);
  assert.equal(secretOf({ secret: "service-x" }), "service-x");
  assert.ok(submission.workflow !== undefined && "1" in submission.workflow);
});

test("the table knows its operations by name, method and path", () => {
  const method: "GET" = operations.getBadges.method;
  const path: "/nodes/pricing/badges" = operations.getBadges.path;
  const id: OperationId = "invokeModel";
  // @ts-expect-error: the type must refuse this
  const foreign: OperationId = "topUpCredits";
  assert.deepEqual([method, path], ["GET", "/nodes/pricing/badges"]);
  assert.ok(Object.hasOwn(operations, id) && !Object.hasOwn(operations, foreign));
});
