import assert from "node:assert/strict";
import { test } from "node:test";
import { type ArrivalSettings, arrivalPolicy } from "./arrival-policy.ts";

const unnamed = { baseUrl: null, cloudUrl: null, deploymentUrl: null, platformUrl: null };
const bare = { ...unnamed, host: "127.0.0.1", allowedHosts: [], corsOrigins: [] };

const policyOf = (given: Partial<ArrivalSettings>) => {
  const settings = { ...bare, ...given };
  return arrivalPolicy(settings, [settings.host], 8080, []);
};

test("probes by address are answered beyond loopback, even with a public name; on loopback a page could be asking", () => {
  const beyond = policyOf({ host: "0.0.0.0", baseUrl: "https://atelier.example" });
  assert.deepEqual([...(beyond.probePaths ?? [])], ["/livez", "/readyz"]);
  assert.equal(beyond.hosts?.has("atelier.example"), true);
  assert.deepEqual([...policyOf({}).probePaths], []);
});
