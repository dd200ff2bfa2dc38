import assert from "node:assert/strict";
import { test } from "node:test";
import { isAccepted } from "../test/support/verdicts.ts";
import {
  GenericError,
  RouterError,
  RouterValidationError,
  WorkflowError,
  workflowErrorStatuses,
} from "./error-bodies.ts";
import { routerBuckets } from "./router-buckets.ts";

test("the four bodies cannot be mistaken for one another", () => {
  const bodies = [
    { schema: GenericError, body: { error: "not_found", message: "No such node" } },
    { schema: RouterError, body: { detail: "No such model", error_type: "model_not_found" } },
    { schema: RouterValidationError, body: { detail: [{ loc: ["body"], msg: "no", type: "missing" }] } },
    { schema: WorkflowError, body: { error: { code: "not_found", message: "No such job" } } },
  ];
  for (const { schema } of bodies) {
    const fitting = bodies.filter(({ body }) => isAccepted(schema, body));
    assert.deepEqual(
      fitting.map((one) => one.schema),
      [schema],
    );
  }
});

test("a router error carries each of the fifteen buckets and no other", () => {
  for (const error_type of routerBuckets) assert.equal(isAccepted(RouterError, { detail: "x", error_type }), true);
  assert.equal(isAccepted(RouterError, { detail: "x", error_type: "cancelled" }), false);
});

test("the input that a 422 echoes may be any JSON", () => {
  for (const input of [null, 0, "", [], {}, false]) {
    const body = { detail: [{ loc: ["body", 0], msg: "no", type: "value_error", input }] };
    assert.equal(isAccepted(RouterValidationError, body), true);
  }
});

test("every v2 code is snake_case and travels with an error status", () => {
  for (const [code, status] of Object.entries(workflowErrorStatuses)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/);
    assert.ok(status >= 400 && status <= 599, code);
  }
});
