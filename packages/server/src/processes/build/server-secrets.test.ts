import assert from "node:assert/strict";
import { test } from "node:test";
import { secretsOfRing } from "../../capabilities/secrets/index.ts";
import { readConfig } from "../../config.ts";
import { Secret } from "../../foundation/settings.ts";
import { secretsOfEnvironment, secretsOfSettings } from "./server-secrets.ts";

const of = (env: Record<string, string>) => secretsOfSettings(readConfig({ flags: {}, env, file: {} }).values);

test("every secret setting is searched for, and the password of an address", () => {
  const adminToken = "admin-0123456789012345678901234567890";
  assert.deepEqual(of({}), []);
  assert.ok(of({ ATELIER_ADMIN_TOKEN: adminToken }).includes(adminToken));
  const withPassword = of({ DATABASE_URL: "postgres://atelier:p%2Fass-word-1@db:5432/atelier" });
  assert.ok(withPassword.includes("p/ass-word-1"));
  assert.ok(withPassword.includes("p%2Fass-word-1"));
  assert.ok(!of({ DATABASE_URL: "postgres://postgres:postgres@db/atelier" }).includes("postgres"));
  assert.deepEqual(of({ DATABASE_URL: "postgres://db/atelier" }), []);
  assert.ok(of({ OTEL_EXPORTER_OTLP_HEADERS: "a=1,x-key=collector%20secret" }).includes("collector secret"));
});

test("lists of hosts are not secrets", () => {
  const given = new Map([
    ["ATELIER_PROVIDER_X_KEY", new Secret("the-key-of-x")],
    ["ATELIER_PROVIDER_X_KEY_HOSTS", new Secret("api.example.com")],
  ]);
  assert.deepEqual(secretsOfEnvironment(given), ["the-key-of-x"]);
});

test("keys of the ring are searched for as text, the same list until the ring changes", () => {
  const keyOf = (fill: number) => ({
    ...{ id: "k", purpose: "seal", secret: Buffer.alloc(32, fill) },
    ...{ signFrom: new Date(0), signUntil: null, verifyUntil: null },
  });
  let keys = [keyOf(7)];
  const further: typeof keys = [];
  const texts = secretsOfRing({ keys: () => keys, further: () => further });
  assert.ok(texts().includes(Buffer.alloc(32, 7).toString("base64url")));
  assert.equal(texts(), texts());
  keys = [keyOf(9)];
  assert.ok(texts().includes(Buffer.alloc(32, 9).toString("hex")));
});
