import assert from "node:assert/strict";
import { test } from "node:test";
import { newId, newRequestId } from "../ids.ts";
import { answeredError, nobodysWorkspace } from "./answered-error.ts";

const workspaceId = newId<"workspace">();
const request = {
  requestId: newRequestId(),
  method: "POST",
  path: "/v1/x",
  peer: "127.0.0.1",
  caller: { workspaceId },
};
const read = (body: string, headers = {}) => answeredError(request, { status: 400, headers, body });

test("the code and the words are those of the answer, in each of the four bodies", () => {
  const cases: readonly [string, string, string][] = [
    ['{"detail":"no","error_type":"x"}', "provider_error", "no"],
    ['{"detail":[{"loc":["body","a"],"msg":"bad","type":"t"}]}', "provider_error", "a: bad"],
    ['{"error":{"code":"not_found","message":"gone"}}', "provider_error", "gone"],
    ['{"error":"conflict","message":"twice"}', "provider_error", "twice"],
  ];
  for (const [body, code, message] of cases) {
    const one = read(body, { "x-service-error-type": code });
    assert.deepEqual([one?.code, one?.message], [code, message]);
  }
  assert.equal(read('{"error":{"code":"not_found","message":"gone"}}')?.code, "not_found");
  assert.equal(read('{"error":"conflict","message":"twice"}')?.code, "conflict");
});

test("an unreadable body gives an error without a message", () => {
  for (const body of ["", "<html>", "[]", "null", '{"detail":7}'])
    assert.deepEqual([read(body)?.code, read(body)?.message], ["error", ""]);
});

test("long words, many fields and characters that cannot be stored are cut", () => {
  const many = JSON.stringify({
    detail: Array.from({ length: 50 }, () => ({ loc: ["body", "a"], msg: "b".repeat(900) })),
  });
  assert.equal(read(many)?.fields.length, 20);
  assert.equal(read(many)?.fields[0]?.msg.length, 500);
  assert.equal(read(many)?.message.length, 500);
  assert.equal(read(JSON.stringify({ detail: "a\0b\ud800" }))?.message, "ab\ufffd");
});

test("a refused credential is noted as nobody's, without the secret that its address may hold", () => {
  const path = `/sign-in/${"s".repeat(43)}`;
  const one = answeredError({ ...request, path, caller: undefined }, { status: 401, body: '{"error":"unauthorized"}' });
  assert.deepEqual(
    [one?.workspaceId, one?.apiKeyId, one?.path, one?.code],
    [nobodysWorkspace, null, "/sign-in/ssssss…", "unauthorized"],
  );
});

test("successes and callers of no known workspace are not noted", () => {
  assert.equal(answeredError(request, { status: 200, body: "{}" }), null);
  assert.equal(answeredError({ ...request, caller: undefined }, { status: 404, body: "{}" }), null);
  assert.equal(answeredError({ ...request, caller: { tokenId: "t" } }, { status: 404, body: "{}" }), null);
});
