import assert from "node:assert/strict";
import { test } from "node:test";
import { checkTarget } from "./egress-guard.ts";
import { allowancesOf, egressPolicies } from "./egress-policies.ts";

const targets = ["127.0.0.1:3000", "127.0.0.1:8080"];

test("our own ports stay out of reach even when they are listed, also when they are known late", () => {
  let port = 0;
  const { webhooks: policy } = egressPolicies({ egressAllow: [] }, { ownPorts: () => [port], targets: () => targets });
  port = 8080;
  assert.equal(checkTarget("http://127.0.0.1:3000/hook", policy).ok, true);
  assert.equal(checkTarget("http://127.0.0.1:8080/hook", policy).ok, false);
  assert.equal(checkTarget("http://127.0.0.1:3001/hook", policy).ok, false);
});

test("what the operator opened for one purpose is closed to every other", () => {
  const settings = { egressAllow: ["webhooks=10.1.0.0/16:*", "scale=scaler.lan:8443"] };
  const { webhooks, outputs, scale } = egressPolicies(settings, { ownPorts: () => [], targets: () => [] });
  assert.equal(checkTarget("http://10.1.2.3:9000/hook", webhooks).ok, true);
  assert.equal(checkTarget("http://10.1.2.3:9000/hook", outputs).ok, false);
  assert.equal(checkTarget("http://10.1.2.3:9000/hook", scale).ok, false);
  assert.equal(checkTarget("https://scaler.lan:8443/", scale).ok, true);
  assert.equal(checkTarget("https://scaler.lan:8443/", outputs).ok, false);
  assert.deepEqual(
    allowancesOf(settings, "scale").map(({ text }) => text),
    ["scale=scaler.lan:8443"],
  );
});
