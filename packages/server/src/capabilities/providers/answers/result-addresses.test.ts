import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ModelDefinition } from "../definition.ts";
import { holdsResultAddress, isProviderAddress } from "./result-addresses.ts";

const plain: ModelDefinition = {
  model: "fox",
  released: true,
  submit: { path: "/run", encoding: "json" },
  price: {},
  charges_on_policy_rejection: "unknown",
  input_schema: null,
  recovery: "neither",
  longest_run_seconds: 60,
};
const poll = {
  path: "/t",
  interval_ms: 50,
  state: "/s",
  pending: ["p"],
  succeeded: ["s"],
  hosts: ["Queue.example:8443"],
};
const holds = (definition: ModelDefinition, answer: unknown, address: string) =>
  holdsResultAddress(
    { definition },
    Buffer.from(typeof answer === "string" ? answer : JSON.stringify(answer)),
    address,
  );

describe("an address of an answer", () => {
  const first = "https://files.example/1.png";
  const second = "https://files.example/2.png";
  const answer = { prompt: "http://127.0.0.1:9/metrics", data: [{ url: first }, { url: second }], "a/b": { c: first } };

  test("counts below the definition's results, for every member of a list", () => {
    const definition = { ...plain, result: ["/data/0/url", "/data/0/b64_json"] };
    assert.ok(holds(definition, answer, first));
    assert.ok(holds(definition, answer, second));
    assert.ok(holds({ ...plain, result: ["/a~1b/c"] }, answer, first));
  });

  test("does not count where the answer repeats what its caller wrote", () => {
    assert.ok(!holds({ ...plain, result: ["/data/0/url"] }, answer, answer.prompt));
    assert.ok(holds(plain, answer, answer.prompt), "without result pointers every place is one");
  });

  test("counts only as a whole: not in part, not in another spelling, not outside JSON", () => {
    for (const other of [`${first}?x=1`, first.slice(0, -1), first.toUpperCase(), "", "toString"])
      assert.ok(!holds(plain, answer, other), other);
    assert.ok(!holds(plain, `"${first}`, first));
    assert.ok(!holds(plain, JSON.stringify({ url: first, pad: "x".repeat(8 * 1024 * 1024) }), first));
  });
});

describe("the provider's own hosts", () => {
  const model = { baseUrl: "https://api.example/v1", definition: { ...plain, poll } };
  const isOwn = (url: string) => isProviderAddress(model, new URL(url));

  test("are those of its definition, by the scheme of its base URL", () => {
    assert.ok(isOwn("https://api.example/any"));
    assert.ok(isOwn("https://queue.example:8443/t/1"));
    for (const url of [
      "http://api.example/any",
      "https://api.example:8443/any",
      "https://queue.example/t/1",
      "https://user@api.example/any",
      "https://api.example.evil.example/any",
      "http://127.0.0.1:8188/queue",
    ])
      assert.ok(!isOwn(url), url);
  });
});
