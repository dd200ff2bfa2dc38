import assert from "node:assert/strict";
import { test } from "node:test";
import { isAccepted } from "../test/support/verdicts.ts";
import { alwaysAnswered, exposedHeaders, headerMeanings, headerName } from "./headers.ts";

test("no two names are the same header in another case", () => {
  const names = Object.values(headerName).map((name) => name.toLowerCase());
  assert.equal(new Set(names).size, names.length);
});

test("every header has a meaning, and the request id is on every answer", () => {
  assert.deepEqual(Object.keys(headerMeanings).sort(), Object.values(headerName).sort());
  assert.deepEqual([...alwaysAnswered], ["X-Service-Request-Id"]);
});

test("credentials are never exposed to pages of other origins", () => {
  const exposed: readonly string[] = exposedHeaders;
  for (const secret of ["X-API-Key", "Authorization", "Set-Cookie"]) assert.equal(exposed.includes(secret), false);
});

test("an idempotency key is 1 to 255 visible ASCII characters", () => {
  const { schema } = headerMeanings["Idempotency-Key"];
  for (const good of ["a", "!~", "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6", "k".repeat(255)]) {
    assert.equal(isAccepted(schema, good), true, good);
  }
  for (const bad of ["", " ", "a b", "k".repeat(256), "schlüssel", "a\tb"]) {
    assert.equal(isAccepted(schema, bad), false, bad);
  }
});
