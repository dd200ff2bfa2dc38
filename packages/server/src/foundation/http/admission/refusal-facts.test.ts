import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalFacts, shownPath } from "./refusal-facts.ts";

const arrival = { peer: "203.0.113.7", path: "/v1/models/sandbox/image-1" };

test("a refusal names the address, the path, and the key and workspace as soon as they are known", () => {
  assert.deepEqual(refusalFacts(arrival, undefined), arrival);
  const principal = { workspaceId: "w", keyId: "k", role: "member" };
  assert.deepEqual(refusalFacts(arrival, principal), { ...arrival, workspaceId: "w", keyId: "k" });
  assert.deepEqual(refusalFacts(arrival, { principal, session: null }), { ...arrival, workspaceId: "w", keyId: "k" });
  assert.deepEqual(refusalFacts(arrival, { kind: "worker", tokenId: "t" }), { ...arrival, tokenId: "t" });
  assert.deepEqual(refusalFacts(arrival, { workspaceId: "w", keyId: null }), { ...arrival, workspaceId: "w" });
});

test("secrets in a path are cut, ids stay, and long paths are shortened", () => {
  assert.equal(shownPath(`/sign-in/${"s3cret".repeat(8)}`), "/sign-in/s3cret…");
  assert.equal(
    shownPath("/api/v2/jobs/0198c1a2-3b4c-7d5e-8f60-718293a4b5c6"),
    "/api/v2/jobs/0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
  );
  assert.ok(shownPath("/a".repeat(5000)).length <= 301);
});
