import assert from "node:assert/strict";
import { test } from "node:test";
import { checkTarget } from "../../foundation/http/egress-guard.ts";
import { UsageProblem } from "../commands/command.ts";
import { webhookPolicy } from "./build-webhooks.ts";

const targets = ["127.0.0.1:3000", "127.0.0.1:8080"];

test("loopback targets are refused on a server that others can reach", () => {
  assert.throws(() => webhookPolicy({ host: "0.0.0.0", webhookTargets: targets }, () => []), UsageProblem);
  assert.doesNotThrow(() => webhookPolicy({ host: "0.0.0.0", webhookTargets: [] }, () => []));
});

test("our own ports stay out of reach even when they are listed, also when they are known late", () => {
  let port = 0;
  const policy = webhookPolicy({ host: "127.0.0.1", webhookTargets: targets }, () => [port]);
  port = 8080;
  assert.equal(checkTarget("http://127.0.0.1:3000/hook", policy).ok, true);
  assert.equal(checkTarget("http://127.0.0.1:8080/hook", policy).ok, false);
  assert.equal(checkTarget("http://127.0.0.1:3001/hook", policy).ok, false);
});
