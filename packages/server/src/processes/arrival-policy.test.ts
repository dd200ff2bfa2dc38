import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../config.ts";
import { arrivalPolicy } from "./arrival-policy.ts";

const policyOf = (env: Record<string, string>) => {
  const { values } = readConfig({ flags: {}, env, file: {} });
  return arrivalPolicy(values, [values.host], 8080, []);
};

test("probes by address are answered beyond loopback, even with a public name; on loopback a page could be asking", () => {
  const beyond = policyOf({ ATELIER_HOST: "0.0.0.0", ATELIER_BASE_URL: "https://atelier.example" });
  assert.deepEqual([...(beyond.probePaths ?? [])], ["/livez", "/readyz"]);
  assert.equal(beyond.hosts?.has("atelier.example"), true);
  assert.deepEqual([...policyOf({}).probePaths], []);
});
