import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Credential, readCredential } from "./read-credential.ts";

const key = "service-first-key-of-the-test-000000";
const otherKey = "service-other-key-of-the-test-00000";
const token = "eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl";

// Five states of each header, as raw lines.
const apiKeyStates: Record<string, string[]> = {
  absent: [],
  key: ["X-API-Key", key],
  "no prefix": ["X-API-Key", token],
  empty: ["X-API-Key", ""],
  twice: ["X-API-Key", key, "x-api-key", key],
};
const authorizationStates: Record<string, string[]> = {
  absent: [],
  key: ["Authorization", `Bearer ${otherKey}`],
  token: ["Authorization", `Bearer ${token}`],
  "other scheme": ["Authorization", "Basic c2VydmljZTpzZXJ2aWNl"],
  twice: ["Authorization", `Bearer ${otherKey}`, "authorization", `Bearer ${otherKey}`],
};

const refused: Credential = { kind: "refused" };
const first: Credential = { kind: "key", value: key };
// Rows: the state of X-API-Key; columns: the state of Authorization, in the order above.
const expected: Record<string, Credential[]> = {
  absent: [{ kind: "none" }, { kind: "key", value: otherKey }, { kind: "token", value: token }, refused, refused],
  key: [first, first, first, first, refused],
  "no prefix": [refused, refused, refused, refused, refused],
  empty: [refused, refused, refused, refused, refused],
  twice: [refused, refused, refused, refused, refused],
};

for (const [apiKeyState, apiKeyLines] of Object.entries(apiKeyStates)) {
  for (const [column, [state, lines]] of Object.entries(authorizationStates).entries()) {
    test(`X-API-Key ${apiKeyState} and Authorization ${state} give one certain credential`, () => {
      const wanted = expected[apiKeyState]?.[column];
      assert.deepEqual(readCredential(["Host", "a", ...apiKeyLines, ...lines]), wanted);
      assert.deepEqual(readCredential([...lines, "Accept", "*/*", ...apiKeyLines]), wanted);
    });
  }
}

test("a refused X-API-Key never falls back to a good Authorization", () => {
  for (const value of ["", " ", token, "Service-abc", "servic", `Bearer ${key}`]) {
    assert.equal(readCredential(["x-api-key", value, "authorization", `Bearer ${otherKey}`]).kind, "refused");
  }
});

test("the scheme is read without case and the prefix with it", () => {
  assert.deepEqual(readCredential(["AUTHORIZATION", `bEARER   ${key}`]), { kind: "key", value: key });
  assert.equal(readCredential(["authorization", "Bearer SERVICE-abc"]).kind, "token");
});

test("a bearer value with spaces, control characters or nothing in it is refused", () => {
  for (const value of ["Bearer", "Bearer ", `Bearer ${key} x`, `Bearer\t${key}`, `Bearer${key}`, "Bearer \u00e9"]) {
    assert.equal(readCredential(["authorization", value]).kind, "refused", value);
  }
});

test("whatever the headers contain, a credential comes from exactly one of them", () => {
  const name = fc.constantFrom("X-API-Key", "x-api-key", "Authorization", "authorization", "Accept");
  const value = fc.oneof(fc.string(), fc.constantFrom(key, `Bearer ${key}`, `Bearer ${token}`, "Bearer  "));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (lines) => {
      const credential = readCredential(lines.flat());
      if (credential.kind !== "key" && credential.kind !== "token") return;
      const count = (wanted: string) => lines.filter(([line]) => line.toLowerCase() === wanted).length;
      assert.ok(count("x-api-key") <= 1 && count("authorization") <= 1);
      assert.ok(lines.some(([, text]) => text.includes(credential.value)));
      assert.equal(credential.kind === "key", credential.value.startsWith("service-"));
    }),
  );
});
