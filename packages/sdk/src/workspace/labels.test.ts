import assert from "node:assert/strict";
import { test } from "node:test";
import { labelHeaders } from "./labels.ts";

test("tags become JSON in ASCII, which every HTTP client can send, and mean the same", () => {
  const tags = { city: "Köln", mark: "🎈", plain: "a=b" };
  const sent = labelHeaders({ tags, endUser: "user-7" });
  assert.match(sent["x-service-tags"] ?? "", /^[ -~]+$/);
  assert.deepEqual(JSON.parse(sent["x-service-tags"] ?? ""), tags);
  assert.equal(sent["x-service-end-user"], "user-7");
  assert.deepEqual(labelHeaders({}), {});
});
