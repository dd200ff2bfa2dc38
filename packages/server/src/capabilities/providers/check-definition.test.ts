import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkDefinition } from "./check-definition.ts";

const checks = { priceProblems: (price: unknown) => (price === "free" ? [] : ["must be free here"]) };
const model = {
  model: "sketch-2",
  released: true,
  submit: { path: "/v2/sketches", encoding: "json", headers: { "X-Version": "2024-11-06" } },
  price: "free",
  charges_on_policy_rejection: "unknown",
  input_schema: { type: "object", properties: { pattern: { type: ["string", "null"] } } },
  recovery: "neither",
  longest_run_seconds: 60,
};
const poll = {
  handle: "/id",
  url: "/url",
  interval_ms: 1000,
  state: "/state",
  pending: ["queued"],
  succeeded: ["done"],
};
const definition = {
  provider: "example",
  base_url: "https://api.pictures.example/prefix",
  credential: { kind: "bearer", setting: "ATELIER_PROVIDER_EXAMPLE_KEY" },
  models: [model],
};
const pathsOf = (value: unknown) => {
  const checked = checkDefinition(checks, value);
  return checked.ok ? [] : checked.fields.map(({ path }) => path);
};
const withModel = (more: object) => ({ ...definition, models: [{ ...model, ...more }] });

test("a good definition passes, a property may be called as a refused keyword", () => {
  assert.deepEqual(pathsOf(definition), []);
});

test("each wrong thing is named by its field", () => {
  const wrong: readonly [unknown, string][] = [
    [{ ...definition, base_url: "ftp://api.pictures.example" }, "/base_url"],
    [{ ...definition, base_url: "https://api.pictures.example?key=1" }, "/base_url"],
    [{ ...definition, base_url: "https://me@api.pictures.example" }, "/base_url"],
    [{ ...definition, credential: { kind: "bearer" } }, "/credential/setting"],
    [{ ...definition, credential: { kind: "header", setting: "ATELIER_PROVIDER_X" } }, "/credential/header"],
    [{ ...definition, credential: { kind: "magic" } }, "/credential/kind"],
    [{ ...definition, credential: "sk-123" }, "/credential"],
    [{ ...definition, credential: { kind: "none", value: "sk-123" } }, "/credential/value"],
    [{ ...definition, models: [model, model] }, "/models/1/model"],
    [withModel({ model: "openapi.json" }), "/models/0/model"],
    [withModel({ price: "dear" }), "/models/0/price"],
    [withModel({ poll: { ...poll, hosts: ["ok.example:8443", "not a host"] } }), "/models/0/poll/hosts/1"],
    [withModel({ poll: { ...poll, hosts: ["https://ok.example"] } }), "/models/0/poll/hosts/0"],
    [{ ...definition, headers: { "X-Api-Key": "k" } }, "/headers/X-Api-Key"],
    [{ ...definition, credential: { kind: "none" }, workspace_credentials: true }, "/workspace_credentials"],
    [{ ...definition, documentation: ["http://plain.example"] }, "/documentation/0"],
    [withModel({ poll: { ...poll, fetch: {} } }), "/models/0/poll/fetch"],
    [withModel({ poll: { ...poll, handle: undefined, path: "/t/{handle}" } }), "/models/0/poll/handle"],
    [withModel({ poll: { ...poll, url: { name: "Location" } } }), "/models/0/poll/url"],
    [
      withModel({ rules: [{ when: { status: [200], without_result: true }, means: "refused" }] }),
      "/models/0/rules/0/when/without_result",
    ],
    [withModel({ recovery: "ask" }), "/models/0/ask"],
    [withModel({ recovery: "repeat" }), "/models/0/recovery"],
    [withModel({ input_schema: { type: "strnig" } }), "/models/0/input_schema/type"],
    [
      withModel({ input_schema: { properties: { a: { pattern: "x" } } } }),
      "/models/0/input_schema/properties/a/pattern",
    ],
    [withModel({ input_schema: { $ref: "https://else.where/" } }), "/models/0/input_schema/$ref"],
    [withModel({ output_schema: null }), "/models/0/output_schema"],
    [withModel({ output_schema: { properties: { a: { type: "url" } } } }), "/models/0/output_schema/properties/a/type"],
    [
      withModel({ output_schema: { properties: { a: { pattern: "x" } } } }),
      "/models/0/output_schema/properties/a/pattern",
    ],
    [withModel({ output_schema: { items: { $ref: "#/$defs/a" } } }), "/models/0/output_schema/items/$ref"],
    [withModel({ output_schema: { type: "object" }, output_types: ["audio/wav"] }), "/models/0/output_schema"],
  ];
  for (const [value, path] of wrong) assert.deepEqual(pathsOf(value), [path]);
});

test("a mismatch is described in words, and a wrong price names its place", () => {
  const problemsIn = (value: unknown) => {
    const priced = { priceProblems: () => ['usd.each.cases.low must match pattern "^(/x)+$".'] };
    const checked = checkDefinition(priced, value);
    return checked.ok ? [] : checked.problems;
  };
  const submit = { ...model.submit, path: "v1/x" };
  assert.deepEqual(problemsIn(withModel({ submit })), ["/models/0/submit/path must begin with /"]);
  assert.deepEqual(problemsIn(withModel({ result: ["a.b"] })), [
    "/models/0/result/0 must be a JSON pointer, such as /task/id",
  ]);
  const words = 'must be a JSON pointer, such as /task/id, or {"header": …} with a header\'s name';
  assert.deepEqual(problemsIn(withModel({ poll: { ...poll, handle: "id" }, usage: { pixels: {} } })), [
    `/models/0/poll/handle ${words}`,
    `/models/0/usage/pixels ${words}`,
  ]);
  assert.deepEqual(problemsIn(definition), [
    "/models/0/price/usd/each/cases/low must be a JSON pointer, such as /task/id",
  ]);
  for (const problem of problemsIn({
    ...definition,
    provider: "A b",
    base_url: "x",
    credential: { kind: "bearer", setting: "K" },
  }))
    assert.doesNotMatch(problem, /pattern/);
});

test("a fixed header holds no credential, steers no connection and is a header", () => {
  const bad = ["Authorization", "X-Api-Key", "xi-api-key", "Cookie", "X-Token", "Host", "Content-Length", "a b"];
  for (const name of bad) {
    const submit = { ...model.submit, headers: { [name]: "x" } };
    assert.deepEqual(pathsOf(withModel({ submit })), [`/models/0/submit/headers/${name}`]);
  }
  const submit = { ...model.submit, headers: { "X-Version": "é\n" } };
  assert.deepEqual(pathsOf(withModel({ submit })), ["/models/0/submit/headers/X-Version"]);
});

test("no JSON value makes the check throw, and a refusal always names something", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.jsonValue().map((value) => withModel({ input_schema: value })),
        fc.jsonValue().map((value) => withModel({ output_schema: value })),
      ),
      (value) => {
        const checked = checkDefinition(checks, value);
        assert.ok(checked.ok || (checked.fields.length > 0 && checked.problems.every((problem) => problem.length > 3)));
      },
    ),
  );
});
