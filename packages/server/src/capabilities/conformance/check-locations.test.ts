import assert from "node:assert/strict";
import { test } from "node:test";
import { type ModelDefinition, received } from "../providers/index.ts";
import { locationProblems } from "./check-locations.ts";

const poll = {
  handle: "/task/id",
  path: "/t/{handle}",
  interval_ms: 50,
  state: "/task/state",
  pending: ["a"],
  succeeded: ["b"],
};
const model = (more: Partial<ModelDefinition> = {}): ModelDefinition => ({
  model: "m",
  released: true,
  submit: { path: "/m", encoding: "json" },
  poll,
  result: ["/url"],
  price: { usd: "0" },
  charges_on_policy_rejection: "unknown",
  input_schema: null,
  recovery: "neither",
  longest_run_seconds: 60,
  ...more,
});
const answer = (value: unknown, status = 200) =>
  received(status, { "content-type": "application/json" }, Buffer.from(JSON.stringify(value)));
const answers = [answer({ task: { id: "1", state: "a" } }), answer({ task: { state: "b" }, url: "u", "a/b": "" })];
const problems = (more: Partial<ModelDefinition>) => locationProblems(model(more), answers);

test("a definition whose pointers all resolve has no findings", () => {
  assert.deepEqual(problems({}), []);
  assert.deepEqual(locationProblems(model(), [answer({ error: "x" }, 400)]), [], "errors alone show no place");
});

test("a pointer that leads nowhere is reported with what is there", () => {
  assert.deepEqual(problems({ poll: { ...poll, handle: "/task/name" } }), [
    "/poll/handle points at /task/name, where no answer has a value; available: /task/id, /task/state, /url",
  ]);
  assert.deepEqual(problems({ poll: { ...poll, url: { header: "Location" } } }), [
    "/poll/url names the header Location, which no answer has; available: content-type",
  ]);
  assert.match(problems({ result: ["/a", "/b"] })[0] ?? "", /^\/result points at \/a, \/b, /);
  assert.deepEqual(problems({ result: ["/a", "/url"] }), []);
});

test("a path with an unfilled or missing placeholder is reported", () => {
  assert.deepEqual(problems({ poll: { ...poll, path: "/t/{id}" } }), [
    "/poll/path contains {id}, which is never filled in: only {handle} is known",
  ]);
  assert.match(problems({ poll: { ...poll, path: "/t" } })[0] ?? "", /^\/poll\/path must contain \{handle\}/);
  assert.match(problems({ submit: { path: "/m/{handle}", encoding: "json" } })[0] ?? "", /only \{reference\} is known/);
});

test("figures are charged by where they are read, and rules say more than a pointer", () => {
  const price = { usd: { kind: "tokens", rates: [{ usd_per_million: "1", default: 1, most: 9, reported: "tokens" }] } };
  assert.deepEqual(problems({ price, usage: { token: "/u" } }), [
    '/price charges by the reported "tokens", which /usage does not name: it names token',
    "/usage/token is not used in /price",
  ]);
  assert.deepEqual(problems({ price, usage: { tokens: "/u" } }), []);
  const rules = [{ when: { pointer: "/error" }, means: "failed" as const }];
  assert.match(problems({ rules })[0] ?? "", /^\/rules\/0\/when has only a pointer/);
});
