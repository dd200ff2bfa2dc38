import assert from "node:assert/strict";
import { test } from "node:test";
import { newRingText } from "./capabilities/secrets/index.ts";
import { readConfig } from "./config.ts";

test("a ring as `atelier secrets new` prints it can be given in the environment", () => {
  const { values, problems } = readConfig({ flags: {}, env: { ATELIER_SECRETS: newRingText(new Date()) }, file: {} });
  assert.deepEqual(problems, []);
  assert.equal(String(values.secrets), "***");
});
