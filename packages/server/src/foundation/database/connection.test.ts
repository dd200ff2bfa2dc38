import assert from "node:assert/strict";
import { test } from "node:test";
import { clientConfig, defaultTimeLimits, parseTimeLimits, silenceMsMax } from "./connection.ts";

const plain = "postgres://me@db.example:5433/atelier?host=%2Ftmp%2Fx";

test("without time limits in the address our defaults apply, and the address is unchanged", () => {
  assert.deepEqual(parseTimeLimits({ connection: plain }), defaultTimeLimits);
  assert.equal(clientConfig({ connection: plain }).connectionString, plain);
});

test("what an address says of time counts before our defaults, and what the code says before both", () => {
  const connection = `${plain}&statement_timeout=60000&connect_timeout=30&lock_timeout=7`;
  assert.deepEqual(parseTimeLimits({ connection }), {
    ...defaultTimeLimits,
    statementMs: 60_000,
    acquireMs: 30_000,
    lockMs: 7,
  });
  assert.equal(parseTimeLimits({ connection, limits: { statementMs: 5 } }).statementMs, 5);
  assert.equal(silenceMsMax({ connection }), 62_000, "an answer is waited for as long as it may take");
});

test("the client gets each limit once, since one in the address would win", () => {
  const connection = `${plain}&statement_timeout=60000&sslmode=disable`;
  const config = clientConfig({ connection, limits: { statementMs: 150 } });
  assert.equal(config.statement_timeout, 150);
  assert.equal(config.connectionString, `${plain}&sslmode=disable`);
});

test("a limit that is no number is left to the client, and so is an address that is no URL", () => {
  const odd = `${plain}&statement_timeout=5s`;
  assert.deepEqual(parseTimeLimits({ connection: odd }), defaultTimeLimits);
  assert.equal(clientConfig({ connection: odd }).connectionString, odd);
  assert.equal(clientConfig({ connection: "/tmp/socket atelier" }).connectionString, "/tmp/socket atelier");
});
