import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../foundation/fault.ts";
import { readJobQuery } from "./read-job-query.ts";

const read = (text: string) => readJobQuery(new URLSearchParams(text));

test("states may be repeated or listed with commas, and each counts once", () => {
  assert.equal(read("").states, null);
  assert.deepEqual(read("status=running&status=queued,failed&status=queued").states, ["queued", "running", "failed"]);
});

test("the filters are taken as they are", () => {
  const asked = read("metadata=a%20b&idempotency_key=k-1&limit=500&cursor=c");
  assert.deepEqual(asked, { states: null, metadata: "a b", idempotencyKey: "k-1", cursor: "c", limit: 100 });
});

test("a filter that cannot be read is refused and named", () => {
  const wrong = [
    "status=done",
    "status=",
    "status=running,",
    "metadata=",
    "metadata=a&metadata=b",
    `metadata=${"x".repeat(1025)}`,
    "metadata=%00",
    "idempotency_key=",
    "idempotency_key=a%20b",
    `idempotency_key=${"k".repeat(256)}`,
    "limit=ten",
    "limit=1&limit=2",
    "cursor=",
  ];
  for (const text of wrong) {
    const name = text.split("=")[0] ?? "";
    assert.throws(
      () => read(text),
      (thrown) => thrown instanceof Fault && thrown.code === "invalid_request" && thrown.message.includes(name),
      text,
    );
  }
});
